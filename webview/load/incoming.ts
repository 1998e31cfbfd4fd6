import type { ToLoad } from '../../src/contract/loadPanel.ts';

/** One function for each message: a message without one does not compile. */
export type Handlers = { readonly [Type in ToLoad['type']]: (message: Extract<ToLoad, { type: Type }>) => void };

/** Hands a message of the editor to its handler, and says whether there was one. The editor half has built it by the contract: only what is relied on before single fields is looked at again. */
export function receive(data: unknown, handlers: Handlers): boolean {
  if (!isRecord(data)) return false;
  if (
    data['type'] === 'notice' &&
    typeof data['message'] === 'string' &&
    (data['severity'] === 'info' || data['severity'] === 'error')
  ) {
    handlers.notice(data as Extract<ToLoad, { type: 'notice' }>);
    return true;
  }
  if (data['type'] !== 'snapshot' || typeof data['name'] !== 'string' || !isTest(data['test'])) return false;
  handlers.snapshot(data as Extract<ToLoad, { type: 'snapshot' }>);
  return true;
}

function isTest(test: unknown): boolean {
  if (
    !isRecord(test) ||
    typeof test['id'] !== 'string' ||
    typeof test['status'] !== 'string' ||
    !isNumber(test['concurrency'])
  )
    return false;
  const { stats, progress } = test;
  return (
    (progress === undefined || (isRecord(progress) && isNumber(progress['placed']))) &&
    (stats === undefined ||
      (isRecord(stats) &&
        isNumber(stats['callsPlaced']) &&
        isNumber(stats['callsAnswered']) &&
        isRecord(stats['outcomes'])))
  );
}

const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
