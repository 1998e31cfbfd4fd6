import * as z from 'zod';
import { isRecord } from '../../base/isRecord.ts';
import { environmentFileName, environmentFileSchema, type EnvironmentFile } from '../../contract/environmentFile.ts';
import type { LaunchSecrets } from '../../contract/testRuns.ts';
import { didYouMean } from '../files/didYouMean.ts';
import { problemText } from '../files/fileProblem.ts';
import { readJsonFile, type Resolve } from '../files/jsonFile.ts';
import { areKeys, notKeys } from '../secrets/secretReferences.ts';
import { fillPlaceholders } from './columnUse.ts';
import { readRows } from './rowsFile.ts';

/** Reads a file beside the test file, by its relative path. Rejects with an Error whose message says why it can't. */
export type ReadBeside = (path: string) => Promise<{ readonly text: string; readonly file: string }>;

/** What a person chose for all tests, and where the values of secrets come from. */
export interface EnvironmentChoice {
  /** The environment. Undefined: the default of each file. */
  readonly name?: string | undefined;
  readonly secretOf: (name: string) => Promise<string | undefined>;
}

/** What a test gets from its environment at each launch. It isn't part of the test, because `secrets` are never stored. */
export interface LaunchValues {
  readonly line?: string;
  readonly secrets?: LaunchSecrets;
}

type Path = readonly (string | number)[];

/** `up` is the way to its file: empty, or `../` for each folder. */
type Surroundings = EnvironmentFile['environments'][string] & { readonly name: string; readonly up: string };

const mostFolders = 40;
const reference = /\$\{(env|secret):([^}]*)\}/g;
const isVariable = /(?<!\$)\{[A-Za-z_]\w*\}/;
const variable = /(?<!\$)\{([A-Za-z_]\w*)\}/g;
const isName = /^\w{1,40}$/;

const noFile = `There is no ${environmentFileName} in the folder of this file or above it. Add one.`;

const named = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

/** Returns the value of this name, or why there is none: which name was meant, or all of them. */
function pick<Value>(values: Readonly<Record<string, Value>>, name: string, why: string): Value | { why: string } {
  if (Object.hasOwn(values, name)) return values[name] as Value;
  const names = Object.keys(values);
  const near = didYouMean(name, names);
  const rest = names.length === 0 ? 'Add it.' : `It has ${named(names.slice(0, 10))}.`;
  return { why: `${why} "${name}". ${near === undefined ? rest : `Did you mean "${near}"?`}` };
}

/** Replaces the references in a test file. Then, `launch` is what they need beside the test. */
export interface References {
  readonly resolve?: Resolve;
  readonly launch: LaunchValues;
}

/** Reads what stands for `${env:NAME}`, `${secret:NAME}`, and `{NAME}` if it is a variable. */
export async function readReferences(
  text: string,
  readBeside: ReadBeside,
  { name, secretOf }: EnvironmentChoice,
): Promise<References> {
  const found = [...text.matchAll(reference)];
  if (found.length === 0 && !isVariable.test(text)) return { launch: {} };
  const around = await surroundings(readBeside, name);
  const secrets = new Map<string, string>();
  for (const [, kind, secret = ''] of found) {
    const value = kind === 'secret' && !secrets.has(secret) && isName.test(secret) ? await secretOf(secret) : undefined;
    if (value !== undefined && value !== '') secrets.set(secret, value);
  }
  const launch = {};
  // Without an environment, no name is a variable.
  const kept = around === noFile ? new Set<string>() : await namesWithin(text, readBeside);
  return { launch, resolve: (value, note) => resolve(value, { around, secrets, kept, launch, note }) };
}

const ofItself = z.object({
  rowsFile: z.string().optional().catch(undefined),
  rows: z.array(z.record(z.string(), z.unknown())).catch([]),
  steps: z.array(z.object({ action: z.object({ name: z.string().optional() }) })).catch([]),
});

/** Returns the names of a test's columns and of what its steps collect. Problems of the file are reported elsewhere. */
async function namesWithin(text: string, readBeside: ReadBeside): Promise<ReadonlySet<string>> {
  const read = readJsonFile(text, '', ofItself);
  if ('problems' in read) return new Set();
  const { rowsFile, rows, steps } = read.value;
  const beside = rowsFile === undefined ? undefined : await readBeside(rowsFile).catch(() => undefined);
  const found = beside && readRows(beside.text, beside.file);
  const columns = [...rows, ...(found && 'rows' in found ? found.rows.slice(0, 1) : [])].flatMap(Object.keys);
  return new Set([...columns, ...steps.flatMap(({ action }) => action.name ?? [])]);
}

/** Returns the names of the variables of the environment of a file. */
export async function variablesOf(readBeside: ReadBeside, choice?: Pick<EnvironmentChoice, 'name'>): Promise<string[]> {
  const around = await surroundings(readBeside, choice?.name);
  return typeof around === 'string' ? [] : Object.keys(around.variables ?? {});
}

/** Returns the environment that applies, or why there is none: `noFile`, or something to correct. */
async function surroundings(readBeside: ReadBeside, wanted: string | undefined): Promise<Surroundings | string> {
  for (let up = ''; up.length < mostFolders * 3; up += '../') {
    try {
      const { text, file } = await readBeside(`${up}${environmentFileName}`);
      return environmentIn(text, file, up, wanted);
    } catch (error) {
      const { code, message = '' } = (isRecord(error) ? error : {}) as { code?: unknown; message?: string };
      if (code === 'file_unreadable') return message;
      if (code !== 'no_file') break;
    }
  }
  return noFile;
}

function environmentIn(text: string, file: string, up: string, wanted: string | undefined): Surroundings | string {
  const read = readJsonFile(text, file, environmentFileSchema);
  if ('problems' in read) return read.problems.slice(0, 1).map(problemText).join();
  const { environments, default: usual } = read.value;
  const chosen = wanted ?? usual;
  if (chosen === undefined)
    return `Choose an environment of ${environmentFileName}: ${named(Object.keys(environments))}.`;
  const found = pick(environments, chosen, `${environmentFileName} has no environment`);
  return 'why' in found ? found.why : { ...found, name: chosen, up };
}

interface Resolving {
  readonly around: Surroundings | string;
  readonly secrets: ReadonlyMap<string, string>;
  /** Names in braces that aren't variables. */
  readonly kept: ReadonlySet<string>;
  readonly note: Parameters<Resolve>[1];
  readonly launch: { line?: string; secrets?: LaunchSecrets };
}

function resolve(given: unknown, { around, secrets, kept, note, launch }: Resolving): unknown {
  let secretStep: string | number | undefined;

  function walk(value: unknown, path: Path): unknown {
    if (typeof value === 'string') return resolved(value, path);
    if (Array.isArray(value)) return value.map((one, index) => walk(one, [...path, index]));
    if (!isRecord(value)) return value;
    const copy = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, walk(one, [...path, key])]));
    // What a secret is a part of is masked like any other secret step.
    return path.length === 2 && path[0] === 'steps' && path[1] === secretStep ? { ...copy, secret: true } : copy;
  }

  function resolved(text: string, path: Path): string {
    for (const [whole, kind, name = ''] of text.matchAll(reference)) {
      if (kind === 'secret') useSecret(name, path);
      else if (whole === text && path.length === 1 && isTarget(path[0])) return targetOf(name, path);
      else note(path, '${env:NAME} can stand only for a whole number: in phoneNumber or ivr.');
    }
    return text.replaceAll(variable, (whole, name: string) => {
      if (kept.has(name)) return whole;
      if (typeof around !== 'string') return fillPlaceholders(whole, around.variables ?? {});
      // A file that can't be used could change what this stands for.
      if (around !== noFile) note(path, around);
      return whole;
    });
  }

  function useSecret(name: string, path: Path): void {
    const [member, step, part, text] = path;
    const value = secrets.get(name);
    const isAllowed =
      member === 'steps' && part === 'action' && path.length === 4 && (text === 'keys' || text === 'text');
    if (!isAllowed) note(path, '${secret:NAME} can stand only in the keys and texts of the steps of a scripted test.');
    else if (!isName.test(name)) note(path, 'The name of a secret has 1 to 40 letters, digits and underscores.');
    else if (value === undefined)
      note(
        path,
        `The secret "${name}" has no value. Use Set Secret in the editor; on the command line, set DIALTREE_SECRET_${name} or use --secrets.`,
        name,
      );
    else if (text === 'keys' && !areKeys(value)) note(path, `The secret "${name}" ${notKeys}`);
    else {
      secretStep = step;
      launch.secrets = { ...launch.secrets, [name]: value };
    }
  }

  function targetOf(name: string, path: Path): string {
    const found =
      typeof around === 'string'
        ? { why: around }
        : pick(around.numbers ?? {}, name, `The environment "${around.name}" has no number`);
    if (typeof found !== 'string') note(path, found.why);
    if (typeof found !== 'string' || typeof around === 'string') return '';
    if (found.endsWith('.ivr.json')) return `${around.up}${found}`;
    if (around.line !== undefined) launch.line = around.line;
    return found;
  }

  const value = walk(given, []);
  if (!isRecord(value) || !isRecord(given)) return value;
  // A reference to a practice IVR can stand in phoneNumber. A test with both members stays wrong.
  const [member, ...more] = Object.keys(value).filter(isTarget);
  if (member === undefined || more.length > 0 || value[member] === given[member]) return value;
  const { [member]: target, ...rest } = value;
  return { ...rest, [String(target).endsWith('.ivr.json') ? 'ivr' : 'phoneNumber']: target };
}

const isTarget = (member: unknown): boolean => member === 'phoneNumber' || member === 'ivr';
