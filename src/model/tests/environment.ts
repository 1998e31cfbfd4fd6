import * as z from 'zod';
import { isRecord } from '../../base/isRecord.ts';
import { environmentFileName, environmentFileSchema, type LaunchSecrets } from '../../contract/environmentFile.ts';
import { didYouMean } from '../files/didYouMean.ts';
import { problemText } from '../files/fileProblem.ts';
import { readJsonFile, type Resolve } from '../files/jsonFile.ts';
import { areKeys } from '../secrets/secretReferences.ts';
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

/** The parts of an environment, and the way to its file: empty, or `../` for each folder. `why`: there is no environment. */
type Surroundings =
  | {
      readonly name: string;
      readonly up: string;
      readonly line?: string | undefined;
      readonly numbers: ReadonlyMap<string, string>;
      readonly variables: ReadonlyMap<string, string>;
    }
  | { readonly why: string; readonly isWrong: boolean };

const mostFolders = 40;
const reference = /\$\{(env|secret):([^}]*)\}/g;
const isVariable = /(?<!\$)\{[A-Za-z_]\w*\}/;
const variable = /(?<!\$)\{([A-Za-z_]\w*)\}/g;
const isName = /^\w{1,40}$/;

const codeOf = (error: unknown): unknown => (isRecord(error) ? error['code'] : undefined);
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const named = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

/** Returns which of the names was meant, or all of them. */
function advice(given: string, names: readonly string[], all: string): string {
  const near = didYouMean(given, names);
  if (near !== undefined) return `Did you mean "${near}"?`;
  return names.length === 0 ? 'Add it.' : `${all} ${named(names.slice(0, 10))}.`;
}

/** Replaces the references in a test file. Then, `launch` is what they need beside the test. */
interface References {
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
  const kept = 'why' in around && !around.isWrong ? new Set<string>() : await namesWithin(text, readBeside);
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
  return 'why' in around ? [] : [...around.variables.keys()];
}

async function surroundings(readBeside: ReadBeside, wanted: string | undefined): Promise<Surroundings> {
  for (let up = ''; up.length < mostFolders * 3; up += '../') {
    try {
      const { text, file } = await readBeside(`${up}${environmentFileName}`);
      return environmentIn(text, file, up, wanted);
    } catch (error) {
      if (codeOf(error) === 'no_file') continue;
      if (codeOf(error) === 'file_unreadable') return { why: messageOf(error), isWrong: true };
      break;
    }
  }
  return {
    why: `There is no ${environmentFileName} in the folder of this file or above it. Add one.`,
    isWrong: false,
  };
}

function environmentIn(text: string, file: string, up: string, wanted: string | undefined): Surroundings {
  const read = readJsonFile(text, file, environmentFileSchema);
  const [problem] = 'problems' in read ? read.problems : [];
  if (problem || !('value' in read)) return { why: problem ? problemText(problem) : '', isWrong: true };
  const { environments, default: usual } = read.value;
  const names = Object.keys(environments);
  const name = wanted ?? usual;
  if (name === undefined)
    return { why: `Choose an environment of ${environmentFileName}: ${named(names)}.`, isWrong: true };
  const environment = Object.hasOwn(environments, name) ? environments[name] : undefined;
  if (!environment) {
    const why = `${environmentFileName} has no environment "${name}". ${advice(name, names, 'It has')}`;
    return { why, isWrong: true };
  }
  const mapOf = (values: object = {}): ReadonlyMap<string, string> => new Map(Object.entries(values));
  return {
    name,
    up,
    line: environment.line,
    numbers: mapOf(environment.numbers),
    variables: mapOf(environment.variables),
  };
}

interface Resolving {
  readonly around: Surroundings;
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
      if (!('why' in around)) return around.variables.get(name) ?? whole;
      // A file that can't be used could change what this stands for.
      if (around.isWrong) note(path, around.why);
      return whole;
    });
  }

  function useSecret(name: string, path: Path): void {
    const [member, step, part, text] = path;
    const value = secrets.get(name);
    if (member !== 'steps' || part !== 'action' || path.length !== 4 || (text !== 'keys' && text !== 'text'))
      note(path, '${secret:NAME} can stand only in the keys and texts of the steps of a scripted test.');
    else if (!isName.test(name)) note(path, 'The name of a secret has 1 to 40 letters, digits and underscores.');
    else if (value === undefined)
      note(
        path,
        `The secret "${name}" has no value. Use Set Secret in the editor; on the command line, set DIALTREE_SECRET_${name} or use --secrets.`,
        name,
      );
    else if (text === 'keys' && !areKeys(value))
      note(
        path,
        `The secret "${name}" contains characters other than keys (0-9, *, # and commas), so it can't be pressed.`,
      );
    else {
      secretStep = step;
      launch.secrets = { ...launch.secrets, [name]: value };
    }
  }

  function targetOf(name: string, path: Path): string {
    if ('why' in around) {
      note(path, around.why);
      return '';
    }
    const { numbers, up, line } = around;
    const number = numbers.get(name);
    if (number === undefined) {
      const why = `The environment "${around.name}" has no number "${name}".`;
      note(path, `${why} ${advice(name, [...numbers.keys()], 'It has')}`);
      return '';
    }
    if (number.endsWith('.ivr.json')) return `${up}${number}`;
    if (line !== undefined) launch.line = line;
    return number;
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
