import { masked } from './secretMask.ts';

/** A member that two versions of a config do not have alike; undefined where one lacks it. */
export interface MemberChange { readonly path: string; readonly theirs: unknown; readonly mine: unknown }

/** What differs between the version a service holds and the one of a file, member by member, in the order of the file. Lists of one length are compared entry by entry. */
export function configChanges(theirs: unknown, mine: unknown, path = ''): MemberChange[] {
  if (isObject(theirs) && isObject(mine) || Array.isArray(theirs) && Array.isArray(mine) && theirs.length === mine.length) {
    const [before, after] = [theirs as Readonly<Record<string, unknown>>, mine as Readonly<Record<string, unknown>>];
    return [...new Set([...Object.keys(after), ...Object.keys(before)])].flatMap((name) => configChanges(before[name], after[name], path === '' ? name : `${path}.${name}`));
  }
  return JSON.stringify(theirs) === JSON.stringify(mine) ? [] : [{ path, theirs, mine }];
}

/** A config as far as it holds secrets. */
export interface WithSecrets {
  readonly name: string;
  readonly steps?: readonly { readonly secret?: boolean | undefined; readonly action: object }[];
}

/** The changes between two configs, fit to be shown: what a secret step of either presses or says is masked, and so are the values of its columns; of a list with more or fewer entries only their number is told. */
export function maskedChanges(changes: readonly MemberChange[], ...configs: readonly WithSecrets[]): MemberChange[] {
  const secretSteps = configs.flatMap(({ steps = [] }) => steps.flatMap(({ secret }, index) => (secret === true ? [index] : [])));
  const texts = configs.flatMap(({ steps = [] }) => steps.filter(({ secret }) => secret === true).map(({ action }) => JSON.stringify(action)));
  const isSecret = (path: string): boolean => secretSteps.some((index) => path === `steps.${String(index)}` || path.startsWith(`steps.${String(index)}.action`))
    || texts.some((text) => /^rows\.\d+\.(\w+)$/.exec(path)?.slice(1).some((column) => text.includes(`{${column}}`)) === true);
  const shown = (path: string, value: unknown): unknown => (value === undefined ? undefined : isSecret(path) ? masked
    : Array.isArray(value) && path !== 'tags' ? `${String(value.length)} ${value.length === 1 ? 'entry' : 'entries'}` : value);
  return changes.map(({ path, theirs, mine }) => ({ path, theirs: shown(path, theirs), mine: shown(path, mine) }));
}

/** As a diff is read: `-` what the service holds, `+` what the file says. */
export function changesText(changes: readonly MemberChange[]): string {
  const line = (sign: string, path: string, value: unknown): string[] => (value === undefined ? [] : [`  ${sign} ${path}: ${shortened(JSON.stringify(value))}`]);
  return changes.flatMap(({ path, theirs, mine }) => [...line('-', path, theirs), ...line('+', path, mine)]).join('\n');
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
const shortened = (text: string): string => (text.length <= 160 ? text : `${text.slice(0, 159)}…`);
