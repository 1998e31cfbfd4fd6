import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { HumanError } from '../contract/errors.ts';
import { findInstallation } from '../service/basics/installation.ts';
import { readPublicUrl } from '../service/http/publicUrl.ts';
import { createLog } from '../service/basics/log.ts';
import { startService, startSharedService } from '../service/service.ts';
import type { Role } from '../service/service.ts';
import { UsageError } from './command.ts';
import { onOneLine } from './controlCharacters.ts';
import { readDatabaseUrl } from './databaseUrl.ts';
import { readLinePasswords, readLines } from './lines.ts';
import { readMail } from './mail.ts';
import { readModel } from './model.ts';
import { readRoutes } from './routes.ts';
import { secretValues } from './secretValues.ts';
import { readSms } from './sms.ts';

/** The `serve` command. Settles with the exit code when the service has ended. */
export async function serve(args: string[]): Promise<number> {
  const complain = (error: unknown): number => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  };
  let options: Awaited<ReturnType<typeof readOptions>>;
  try {
    options = await readOptions(args);
  } catch (error) {
    return complain(error);
  }
  const { logFile, shared, ...rest } = options;
  const log = createLog(logFile, 'info', secretValues(process.env, { ...rest, ...shared }));
  let stop = (): void => undefined;
  const stopped = new Promise<void>((settle) => {
    stop = settle;
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, stop);
  try {
    const service = shared
      ? await startSharedService({ ...rest, ...shared, log })
      : await startService({ ...rest, log, onIdle: stop });
    const { close, ...ready } = service;
    process.stdout.write(`${JSON.stringify({ event: 'ready', ...ready })}\n`);
    if ('owner' in ready && !ready.owner) return 0;
    await stopped;
    const toldMs = performance.now();
    return await withinLimit(
      close(() => performance.now() - toldMs > lateMs),
      log,
    );
  } catch (error) {
    if (error instanceof HumanError) return complain(error);
    log.error({ err: error }, 'the service could not start');
    return complain(new Error('The service could not start: internal error, see the log above.'));
  }
}

const endWithinMs = 4800;
/** Packing the store takes about a second, and more on a busy machine: it begins no later than this. */
const lateMs = 1500;

/**
 * Settles with the exit code. What is not closed by then, or does not close, the next start takes up as after a crash.
 */
async function withinLimit(closing: Promise<void>, log: ReturnType<typeof createLog>): Promise<number> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<number>((settle) => {
    timer = setTimeout(() => {
      log.error('closing took too long: ended all the same, as after a crash');
      settle(0);
    }, endWithinMs);
  });
  const closed = closing.then(
    () => 0,
    (error: unknown) => {
      log.error({ err: error }, 'the service did not close cleanly: ended as after a crash');
      return 1;
    },
  );
  const code = await Promise.race([closed, late]);
  clearTimeout(timer);
  return code;
}

async function readOptions(args: string[]) {
  const values = parse(args);
  const port = whole('--port', values.port ?? '0', 65_535);
  const shared = readShared(values);
  const model = readModel(process.env);
  const installation = findInstallation(values.assets === undefined ? undefined : resolve(values.assets));
  return {
    shared,
    dataDir: resolve(values.data ?? join(homedir(), '.dialtree')),
    port,
    installation,
    allowRemote: values['allow-remote'] === true,
    repair: values.repair === true,
    ...(model && { model }),
    ...(values.mail !== undefined && { mail: await readMail(values.mail, process.env) }),
    ...readContact(values.contact ?? process.env['DIALTREE_CONTACT']),
    ...(values.sms !== undefined && { sms: readSms(values.sms, process.env) }),
    ...(values['public-url'] !== undefined && { publicUrl: demandPublicUrl(values['public-url']) }),
    ...(values.host !== undefined && { host: values.host }),
    ...(values.routes !== undefined && { routes: await readRoutes(values.routes) }),
    ...(values.lines !== undefined && (await readLineOptions(values.lines))),
    ...(values['idle-exit'] !== undefined && { idleExitSeconds: whole('--idle-exit', values['idle-exit'], 86_400) }),
    ...(values['log-file'] !== undefined && { logFile: resolve(values['log-file']) }),
  } as const;
}

async function readLineOptions(text: string) {
  const lines = await readLines(text);
  return { lines, linePasswords: readLinePasswords(process.env, lines) };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      strict: true,
      allowPositionals: false,
      options: {
        host: { type: 'string' },
        'allow-remote': { type: 'boolean' },
        'public-url': { type: 'string' },
        port: { type: 'string' },
        data: { type: 'string' },
        routes: { type: 'string' },
        lines: { type: 'string' },
        assets: { type: 'string' },
        'idle-exit': { type: 'string' },
        'log-file': { type: 'string' },
        'database-url': { type: 'string' },
        role: { type: 'string' },
        sms: { type: 'string' },
        mail: { type: 'string' },
        contact: { type: 'string' },
        repair: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\nSee dialtree serve --help.`);
  }
}

function readContact(text = ''): { readonly contact?: string } {
  const contact = onOneLine(text).trim();
  if (contact === '') return {};
  if (contact.length > 200)
    throw new UsageError('--contact takes one line of at most 200 characters, such as ops@example.com.');
  return { contact };
}

function demandPublicUrl(text: string): string {
  if (!readPublicUrl(text))
    throw new UsageError(
      `--public-url takes https:// and a host, without a path, such as https://dialtree.example.com, not "${text}".`,
    );
  return text;
}

function readShared(
  values: ReturnType<typeof parse>,
): { readonly databaseUrl: string; readonly role: Role } | undefined {
  const databaseUrl = readDatabaseUrl(values['database-url'], process.env);
  const role = (['all', 'api', 'worker'] as const).find((one) => one === (values.role ?? 'all'));
  if (!role) throw new UsageError(`--role takes all, api or worker, not "${values.role ?? ''}".`);
  if (databaseUrl !== undefined) {
    for (const name of ['repair', 'idle-exit'] as const)
      if (values[name] !== undefined)
        throw new UsageError(`--${name} concerns the store in the data folder. Leave it out with a database.`);
    return { databaseUrl, role };
  }
  if (role !== 'all')
    throw new UsageError(`--role ${role} takes a database that processes share. Give its address with --database-url.`);
  return undefined;
}

function whole(name: string, text: string, max: number): number {
  if (!/^\d+$/.test(text) || Number(text) > max)
    throw new UsageError(`${name} takes a whole number from 0 to ${String(max)}, not "${text}".`);
  return Number(text);
}
