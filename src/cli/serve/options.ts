import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { withoutUndefined } from '../../base/withoutUndefined.ts';
import { findInstallation } from '../../service/basics/installation.ts';
import { readPublicUrl } from '../../service/http/publicUrl.ts';
import type { Role } from '../../service/service.ts';
import { integerOption, UsageError } from '../command.ts';
import { readDatabaseUrl } from '../settings/databaseUrl.ts';
import { linesOption, readGivenLines } from '../settings/lines.ts';
import { readModel } from '../settings/model.ts';
import { readRoutes } from '../settings/routes.ts';
import { readMail, readSms } from '../settings/senders.ts';
import { onOneLine } from '../terminal/controlCharacters.ts';

const options = {
  host: { type: 'string' },
  'allow-remote': { type: 'boolean' },
  'public-url': { type: 'string' },
  port: { type: 'string' },
  data: { type: 'string' },
  routes: { type: 'string' },
  ...linesOption,
  assets: { type: 'string' },
  'idle-exit': { type: 'string' },
  'log-file': { type: 'string' },
  'database-url': { type: 'string' },
  role: { type: 'string' },
  sms: { type: 'string' },
  mail: { type: 'string' },
  contact: { type: 'string' },
  repair: { type: 'boolean' },
} as const;

/** Reads the options of a service from the command line and the environment. Rejects with a UsageError. */
export async function readServeOptions(args: readonly string[]) {
  const values = parse(args);
  const port = integerOption(values.port, 'port', 0, 65_535) ?? 0;
  const shared = readShared(values);
  const idleExitSeconds = integerOption(values['idle-exit'], 'idle-exit', 0, 86_400);
  const model = readModel(process.env);
  const installation = findInstallation(values.assets === undefined ? undefined : resolve(values.assets));
  return withoutUndefined({
    shared,
    dataDir: resolve(values.data ?? join(homedir(), '.dialtree')),
    port,
    installation,
    allowRemote: values['allow-remote'] === true,
    repair: values.repair === true,
    model,
    mail: values.mail === undefined ? undefined : await readMail(values.mail, process.env),
    contact: readContact(values.contact ?? process.env['DIALTREE_CONTACT']),
    sms: values.sms === undefined ? undefined : readSms(values.sms, process.env),
    publicUrl: assertPublicUrl(values['public-url']),
    host: values.host,
    routes: values.routes === undefined ? undefined : await readRoutes(values.routes),
    ...(await readGivenLines(values.lines, process.env)),
    idleExitSeconds,
    logFile: values['log-file'] === undefined ? undefined : resolve(values['log-file']),
  });
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], strict: true, allowPositionals: false, options }).values;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\nSee dialtree serve --help.`);
  }
}

function readContact(text = ''): string | undefined {
  const contact = onOneLine(text).trim();
  if (contact.length > 200)
    throw new UsageError('--contact takes one line of up to 200 characters, such as ops@example.com.');
  return contact === '' ? undefined : contact;
}

function assertPublicUrl(text: string | undefined): string | undefined {
  if (text !== undefined && !readPublicUrl(text))
    throw new UsageError(
      `--public-url takes https:// and a host without a path, such as https://dialtree.example.com, not "${text}".`,
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
        throw new UsageError(`--${name} is for the store in the data folder. Leave it out if you use a database.`);
    return { databaseUrl, role };
  }
  if (role !== 'all')
    throw new UsageError(
      `--role ${role} needs a database that the processes share. Give its address with --database-url.`,
    );
  return undefined;
}
