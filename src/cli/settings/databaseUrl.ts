/**
 * The database that a command works on: `--database-url`, or the environment's DIALTREE_DATABASE_URL, which no list of
 * processes shows. The plain DATABASE_URL is left alone: it is often that of the project in whose folder somebody
 * works.
 */
export function readDatabaseUrl(given: string | undefined, environment: NodeJS.ProcessEnv): string | undefined {
  const url = given ?? environment['DIALTREE_DATABASE_URL'];
  return url === '' ? undefined : url;
}
