import * as z from 'zod';
import { isRecord } from '../../base/isRecord.ts';
import { environmentFileName, environmentFileSchema, type LaunchSecrets } from '../../contract/environmentFile.ts';
import { didYouMean } from '../files/didYouMean.ts';
import { problemText } from '../files/fileProblem.ts';
import { readJsonFile, type Resolve } from '../files/jsonFile.ts';
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
      readonly numbers: Readonly<Record<string, string>>;
      readonly variables: Readonly<Record<string, string>>;
    }
  | { readonly why: string; readonly isWrong: boolean };

const mostFolders = 40;
const reference = /\$\{(env|secret):([^}]*)\}/g;
const isVariable = /\{[A-Za-z_]\w*\}/;

const codeOf = (error: unknown): unknown => (isRecord(error) ? error['code'] : undefined);
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const named = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

/** Returns which of the names was meant, or all of them. */
function advice(given: string, names: readonly string[], all: string): string {
  const near = didYouMean(given, names);
  if (near !== undefined) return `Did you mean "${near}"?`;
  return names.length === 0 ? 'Add it.' : `${all} ${named(names.slice(0, 10))}.`;
}

/**
 * Reads what the references in a test file stand for: `${env:NAME}`, `${secret:NAME}`, and `{NAME}` for variables. Returns
 * undefined if the text has none.
 */
export async function readReferences(
  text: string,
  readBeside: ReadBeside,
  { name, secretOf }: EnvironmentChoice,
): Promise<Resolve<LaunchValues> | undefined> {
  const found = [...text.matchAll(reference)];
  if (found.length === 0 && !isVariable.test(text)) return undefined;
  const around = await surroundings(readBeside, name);
  const secrets = new Map<string, string>();
  for (const secret of new Set(found.flatMap(([, kind, of = '']) => (kind === 'secret' ? [of] : [])))) {
    const value = /^\w{1,40}$/.test(secret) ? await secretOf(secret) : undefined;
    if (value !== undefined && value !== '') secrets.set(secret, value);
  }
  const columns = 'why' in around && !around.isWrong ? [] : await columnsBeside(text, readBeside);
  return (value) => resolve(value, around, secrets, columns);
}

/** Returns the columns of the file that a test names as its rows. Problems of that file are reported elsewhere. */
async function columnsBeside(text: string, readBeside: ReadBeside): Promise<readonly string[]> {
  const read = readJsonFile(text, '', z.looseObject({ rowsFile: z.string() }));
  if ('problems' in read) return [];
  try {
    const beside = await readBeside(read.value.rowsFile);
    const found = readRows(beside.text, beside.file);
    return 'rows' in found ? Object.keys(found.rows[0] ?? {}) : [];
  } catch {
    return [];
  }
}

/** Returns the names of the variables of the environment of a file. */
export async function variablesOf(readBeside: ReadBeside, choice?: Pick<EnvironmentChoice, 'name'>): Promise<string[]> {
  const around = await surroundings(readBeside, choice?.name);
  return 'why' in around ? [] : Object.keys(around.variables);
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
  const { line, numbers = {}, variables = {} } = environment;
  return { name, up, line, numbers, variables };
}

function resolve(
  given: unknown,
  around: Surroundings,
  secrets: ReadonlyMap<string, string>,
  columns: readonly string[],
): ReturnType<Resolve<LaunchValues>> {
  const problems: ReturnType<Resolve<LaunchValues>>['problems'][number][] = [];
  const used: Record<string, string> = {};
  const root = isRecord(given) ? given : {};
  const kept = new Set([...columns, ...namesOfRows(root['rows']), ...namesCollected(root['steps'])]);
  let line: string | undefined;

  const filled = (text: string, path: Path): string =>
    text.replaceAll(/(\$?)\{([A-Za-z_]\w*)\}/g, (whole, dollar: string, name: string) => {
      if (dollar !== '' || kept.has(name)) return whole;
      if (!('why' in around)) return Object.hasOwn(around.variables, name) ? (around.variables[name] ?? whole) : whole;
      // A file that can't be used could change what this stands for.
      if (around.isWrong) note(around.why, path);
      return whole;
    });

  function walk(value: unknown, path: Path): unknown {
    if (Array.isArray(value)) return value.map((one, index) => walk(one, [...path, index]));
    if (isRecord(value)) {
      const copy = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, walk(one, [...path, key])]));
      // What a secret is a part of is masked like any other secret step.
      return path.length === 2 && path[0] === 'steps' && hasSecret(value['action']) ? { ...copy, secret: true } : copy;
    }
    if (typeof value !== 'string') return value;
    for (const [whole, kind, name = ''] of value.matchAll(reference)) {
      if (kind === 'secret') note(secretProblem(name, path), path, name);
      else if (whole !== value || !isTarget(path))
        note('${env:NAME} can stand only for a whole number: in phoneNumber or ivr.', path);
    }
    return filled(value, path);
  }

  function note(problem: string | undefined, path: Path, secret?: string): void {
    if (problem === undefined) return;
    const isMissing = secret !== undefined && !secrets.has(secret);
    problems.push({ path, message: problem, ...(isMissing && { secret }) });
  }

  function secretProblem(name: string, path: Path): string | undefined {
    const member = path[0] === 'steps' && path[2] === 'action' && path.length === 4 ? path[3] : undefined;
    if (member !== 'keys' && member !== 'text')
      return '${secret:NAME} can stand only in the keys and texts of the steps of a scripted test.';
    if (!/^\w{1,40}$/.test(name)) return 'The name of a secret has 1 to 40 letters, digits and underscores.';
    const secret = secrets.get(name);
    if (secret === undefined)
      return `The secret "${name}" has no value. Use Set Secret in the editor; on the command line, set DIALTREE_SECRET_${name} or use --secrets.`;
    if (member === 'keys' && !/^[0-9*#,]+$/.test(secret))
      return `The secret "${name}" contains characters other than keys (0-9, *, # and commas), so it can't be pressed.`;
    used[name] = secret;
    return undefined;
  }

  /** Returns the member that names what is called, and its value. */
  function target(member: string): Readonly<Record<string, unknown>> {
    const value = root[member];
    const [, name] = typeof value === 'string' ? (/^\$\{env:([^}]*)\}$/.exec(value) ?? []) : [];
    if (name === undefined) return {};
    if ('why' in around) {
      note(around.why, [member]);
      return {};
    }
    const { numbers, up } = around;
    const number = Object.hasOwn(numbers, name) ? numbers[name] : undefined;
    if (number === undefined) {
      const why = `The environment "${around.name}" has no number "${name}".`;
      note(`${why} ${advice(name, Object.keys(numbers), 'It has')}`, [member]);
      return {};
    }
    if (number.endsWith('.ivr.json')) return { [member]: undefined, ivr: `${up}${number}` };
    line = around.line;
    return { [member]: undefined, phoneNumber: number };
  }

  const value = walk(given, []);
  const targets = { ...target('phoneNumber'), ...target('ivr') };
  const whole = isRecord(value)
    ? Object.fromEntries(Object.entries({ ...value, ...targets }).filter(([, one]) => one !== undefined))
    : value;
  return {
    value: whole,
    problems,
    launch: { ...(line !== undefined && { line }), ...(Object.keys(used).length > 0 && { secrets: used }) },
  };
}

const isTarget = (path: Path): boolean => path.length === 1 && (path[0] === 'phoneNumber' || path[0] === 'ivr');

const hasSecret = (action: unknown): boolean =>
  isRecord(action) &&
  ['keys', 'text'].some((member) => typeof action[member] === 'string' && action[member].includes('${secret:'));

const namesOfRows = (rows: unknown): string[] =>
  Array.isArray(rows) ? rows.flatMap((row: unknown) => (isRecord(row) ? Object.keys(row) : [])) : [];

const namesCollected = (steps: unknown): string[] =>
  Array.isArray(steps)
    ? steps.flatMap((step: unknown) => {
        const action = isRecord(step) ? step['action'] : undefined;
        return isRecord(action) && typeof action['name'] === 'string' ? [action['name']] : [];
      })
    : [];
