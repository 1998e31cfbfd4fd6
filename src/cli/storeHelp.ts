/**
 * The options that name a store, for `--help`: apart from the code that opens it, so that other commands start without
 * that.
 */
export const storeHelp = `  --data DIR           data folder (default ~/.dialtree). It holds the recordings; without a database the store as well, and no service may run on it
  --database-url URL   the store is this database, postgres://user:password@host:5432/database, and services may run on it;
                       also DIALTREE_DATABASE_URL in the environment
  --assets DIR         folder of the store's files`;
