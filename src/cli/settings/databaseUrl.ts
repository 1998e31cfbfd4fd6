/**
 * Returns the database that a command works on: `--database-url`, or DIALTREE_DATABASE_URL, which process lists don't
 * show. DATABASE_URL is ignored, because it often belongs to the project in the current folder.
 */
export function readDatabaseUrl(given: string | undefined, environment: NodeJS.ProcessEnv): string | undefined {
  const url = given ?? environment['DIALTREE_DATABASE_URL'];
  return url === '' ? undefined : url;
}
