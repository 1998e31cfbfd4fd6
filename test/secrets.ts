// Searches the logs of all services that the tests started for the secrets given to them. `node test/secrets.ts FOLDER`
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { revealedSecrets } from './support/secretSearch.ts';

const [folder = ''] = process.argv.slice(2);
const names = await readdir(folder).catch(() => []);
const read = async (ending: string): Promise<string[]> =>
  await Promise.all(names.filter((name) => name.endsWith(ending)).map((name) => readFile(join(folder, name), 'utf8')));
const logs = await read('.log');
const secrets = new Set(
  (await read('.secrets')).flatMap((text) => text.trim().split('\n')).map((line) => JSON.parse(line) as string),
);
const lines = logs.join('').split('\n').length - 1;

const told = logs.flatMap((log) => revealedSecrets(log, secrets));
for (const secret of told) console.error(`A log tells a secret: ${secret}`);
console.log(`${String(secrets.size)} secrets, ${String(lines)} lines of log`);
if (secrets.size === 0 || lines === 0) console.error('There is nothing to look at: run the steps with services first.');
process.exitCode = told.length === 0 && secrets.size > 0 && lines > 0 ? 0 : 1;
if (process.exitCode === 0) await rm(folder, { recursive: true });
