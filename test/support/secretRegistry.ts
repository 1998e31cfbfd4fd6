import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createLog, silentLog } from '../../src/service/basics/log.ts';
import type { Logger } from '../../src/service/basics/log.ts';

/**
 * The folder for the logs of all services of a run, and the secrets that were used; test/secrets.ts searches the logs
 * for them. Without it, nothing is kept.
 */
export const logsVariable = 'DIALTREE_SERVICE_LOGS';
const folder = process.env[logsVariable];
const file = (kind: 'log' | 'secrets'): string | undefined =>
  folder === undefined || folder === '' ? undefined : join(folder, `${String(process.pid)}.${kind}`);

const logFile = file('log');
/** The log of the services that tests start. */
export const testLog: Logger = logFile === undefined ? silentLog : createLog(logFile);

/**
 * Registers a secret that a service received or gave out. Short ones can be in a log by chance, so they aren't kept.
 */
export function noteSecret(secret: string | undefined): void {
  const secrets = file('secrets');
  if (folder === undefined || secrets === undefined || secret === undefined || secret.length < 6) return;
  mkdirSync(folder, { recursive: true });
  appendFileSync(secrets, `${JSON.stringify(secret)}\n`);
}
