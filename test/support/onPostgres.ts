import { databaseUrlVariable, startPostgres } from './postgres.ts';
import type { TestPostgres } from './postgres.ts';

// For mocha's --require: the tests of this run use a Postgres server, either a given one or our own.
let own: TestPostgres | undefined;

export async function mochaGlobalSetup(): Promise<void> {
  if ((process.env[databaseUrlVariable] ?? '') !== '') return;
  own = await startPostgres();
  process.env[databaseUrlVariable] = own.url;
}

export async function mochaGlobalTeardown(): Promise<void> {
  await own?.close();
}
