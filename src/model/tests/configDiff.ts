import { isRecord } from '../../base/isRecord.ts';
import { mapTexts } from '../dataMark.ts';
import { masked, SecretMask } from '../secrets/secretMask.ts';
import { secretColumns, secretTexts } from '../secrets/secretSteps.ts';
import { alignLists } from './alignLists.ts';

/**
 * A property that differs between two versions of a saved test; undefined if one lacks it. Secrets are masked, so two
 * masks can hide different values.
 */
export interface MemberChange {
  readonly path: string;
  readonly theirs: unknown;
  readonly mine: unknown;
}

interface ComparedStep {
  readonly name: string;
  readonly secret?: boolean | undefined;
  readonly action: object;
}
type ComparedRow = Readonly<Record<string, string>>;
/** A saved test of either kind, or the one in a file. */
export interface ComparedConfig {
  readonly name: string;
  readonly steps?: readonly ComparedStep[] | undefined;
  readonly rows?: readonly ComparedRow[] | undefined;
}

/** Properties that the service adds. */
const made = new Set(['id', 'type', 'createdAt', 'updatedAt', 'fromFile']);

/**
 * Returns the differences between a service's version and a file's version, in file order: steps by their names, rows
 * by likeness, everything else property by property. What a secret step of either version presses or says is masked
 * everywhere, and so are the values of its columns.
 */
export function configChanges(theirs: ComparedConfig, mine: ComparedConfig): MemberChange[] {
  const secrets = new Secrets(theirs, mine);
  const [before, after] = [membersOf(theirs), membersOf(mine)];
  return [...new Set([...Object.keys(after), ...Object.keys(before)])].flatMap((name) => {
    // A file without a profile uses the existing one.
    if (name === 'profileId' && after[name] === undefined) return [];
    if (name === 'steps')
      return entryChanges(theirs.steps, mine.steps, {
        path: (index, step) => `steps.${String(index)} “${secrets.text(step.name)}”`,
        shown: (step, isSecret) => secrets.step(step, isSecret),
        likeness: stepLikeness,
      });
    if (name === 'rows')
      return entryChanges(theirs.rows, mine.rows, {
        path: (index) => `rows.${String(index)}`,
        shown: (row) => secrets.row(row),
        likeness: rowLikeness,
      });
    return memberChanges(before[name], after[name], name, secrets.value(before[name]), secrets.value(after[name]));
  });
}

const membersOf = (config: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(config).filter(([name, value]) => !made.has(name) && value !== undefined));

/** Compares values, and reports them as they are shown; both have the same properties. */
function memberChanges(
  theirs: unknown,
  mine: unknown,
  path: string,
  shownTheirs: unknown,
  shownMine: unknown,
): MemberChange[] {
  if (JSON.stringify(theirs) === JSON.stringify(mine)) return [];
  if (!isRecord(theirs) || !isRecord(mine) || !isRecord(shownTheirs) || !isRecord(shownMine))
    return [{ path, theirs: shownTheirs, mine: shownMine }];
  return [...new Set([...Object.keys(mine), ...Object.keys(theirs)])].flatMap((name) =>
    memberChanges(theirs[name], mine[name], `${path}.${name}`, shownTheirs[name], shownMine[name]),
  );
}

interface Entries<Entry> {
  readonly path: (index: number, entry: Entry) => string;
  readonly shown: (entry: Entry, isSecret: boolean) => unknown;
  /** From 0 (never the same entry) to 1. */
  readonly likeness: (theirs: Entry, mine: Entry) => number;
}

function entryChanges<Entry extends object>(
  theirs: readonly Entry[] = [],
  mine: readonly Entry[] = [],
  { path, shown, likeness }: Entries<Entry>,
): MemberChange[] {
  const [before, after] = [theirs, mine].map((entries) => entries.map((entry) => JSON.stringify(entry))) as [
    string[],
    string[],
  ];
  const isSame = (one: number, other: number): boolean => before[one] === after[other];
  const pairs = alignLists(theirs.length, mine.length, isSame, (one, other) => {
    const [their, own] = [theirs[one], mine[other]];
    return isSame(one, other) ? 1.5 : their && own ? likeness(their, own) : 0;
  });
  return pairs.flatMap(([one, other]): MemberChange[] => {
    const [their, own] = [one === undefined ? undefined : theirs[one], other === undefined ? undefined : mine[other]];
    const isSecret = [their, own].some((entry) => entry && 'secret' in entry && entry.secret === true);
    const [shownTheirs, shownMine] = [their && shown(their, isSecret), own && shown(own, isSecret)];
    const place = own && other !== undefined ? path(other, own) : their && one !== undefined ? path(one, their) : '';
    return their && own
      ? memberChanges(their, own, place, shownTheirs, shownMine)
      : [{ path: place, theirs: shownTheirs, mine: shownMine }];
  });
}

const without = ({ name: _name, ...rest }: ComparedStep): string => JSON.stringify(rest);
/** By its name, or a step that was only renamed. */
const stepLikeness = (theirs: ComparedStep, mine: ComparedStep): number =>
  theirs.name === mine.name ? 1 : without(theirs) === without(mine) ? 0.5 : 0;
/** The share of equal values. */
function rowLikeness(theirs: ComparedRow, mine: ComparedRow): number {
  const columns = new Set([...Object.keys(theirs), ...Object.keys(mine)]);
  return [...columns].filter((column) => theirs[column] === mine[column]).length / Math.max(1, columns.size);
}

/** Secrets of either version, which aren't shown. */
class Secrets {
  readonly #columns: ReadonlySet<string>;
  readonly #mask: SecretMask;

  constructor(...configs: readonly ComparedConfig[]) {
    const steps = configs.flatMap((config) => config.steps ?? []);
    const texts = secretTexts(steps);
    this.#columns = secretColumns(steps);
    // A single key reveals nothing, because every test presses some.
    this.#mask = new SecretMask(
      [...texts, ...texts.map((text) => text.replaceAll(/[,#]/g, ''))].filter(
        (text) => !text.includes('{') && text.length >= minMasked,
      ),
    );
  }

  text(text: string): string {
    return this.#mask.text(text);
  }

  value(value: unknown): unknown {
    return mapTexts(value, (text) => this.text(text));
  }

  step(step: ComparedStep, isSecret: boolean): unknown {
    if (!isSecret) return this.value(step);
    return {
      ...(this.value(step) as object),
      action: Object.fromEntries(
        Object.entries(step.action).map(([name, value]) => [name, name === 'type' ? (value as unknown) : masked]),
      ),
    };
  }

  row(row: ComparedRow): unknown {
    return Object.fromEntries(
      Object.entries(row).map(([column, value]) => [column, this.#columns.has(column) ? masked : this.text(value)]),
    );
  }
}

const minMasked = 3;

/** More changes are only counted. */
const maxShown = 100;
/** Number of unchanged characters around a difference in a long text. */
const aroundLength = 40;
/** Per value. */
const maxCharacters = 1000;

/**
 * Formats the changes as a diff: `-` is the service's version, `+` the file's. A long text starts where it differs.
 * Names can contain any characters.
 */
export function changeLines(changes: readonly MemberChange[]): string[] {
  const lines = changes.slice(0, maxShown).flatMap(({ path, theirs, mine }) => {
    const [before, after] =
      typeof theirs === 'string' && typeof mine === 'string'
        ? whereTheyDiffer(theirs, mine)
        : [theirs, mine].map((value) => (value === undefined ? undefined : shortened(JSON.stringify(value))));
    return [
      ...(before === undefined ? [] : [`  - ${path}: ${before}`]),
      ...(after === undefined ? [] : [`  + ${path}: ${after}`]),
    ];
  });
  return [
    ...lines,
    ...(changes.length > maxShown ? [`  … and ${String(changes.length - maxShown)} more changes`] : []),
  ];
}

function whereTheyDiffer(one: string, other: string): readonly [string, string] {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let tail = 0;
  while (tail < shorter - start && one.at(-1 - tail) === other.at(-1 - tail)) tail += 1;
  const from = start > 2 * aroundLength ? start - aroundLength : 0;
  const part = (text: string): string => {
    const end = tail > 2 * aroundLength ? text.length - tail + aroundLength : text.length;
    return `${from > 0 ? '…' : ''}${shortened(JSON.stringify(text.slice(from, end)))}${end < text.length ? '…' : ''}`;
  };
  return [part(one), part(other)];
}

const shortened = (text: string): string =>
  text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters - 1)}…`;
