import type * as z from 'zod';
import { limits } from '../../../contract/limits.ts';
import { loadKeysSchema, loadShapeSchema, type LoadShape, type LoadStage } from '../../../contract/loadTests.ts';
import type { Basics } from '../../basics/createBasics.ts';
import type { Choice } from '../../basics/dialogs/dialogs.ts';
import type { L10n } from '../../basics/localise.ts';
import { askCriteria, criteriaText, usualCriteria } from './loadCriteria.ts';
import { askStages, fits, stagesText } from './loadStages.ts';
import { readNumber } from './readNumber.ts';

/** Options of a load test, in addition to its number of calls and its first ramp and hold. */
const optionsSchema = loadShapeSchema
  .pick({ callSeconds: true, replace: true, callsPerSecond: true, keys: true, stages: true, criteria: true })
  .strip();
type LoadOptions = z.output<typeof optionsSchema>;
type Keys = NonNullable<LoadShape['keys']>;

/** The part of a `Memento` that the form needs. */
export interface OptionsMemory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

interface OptionParts extends Pick<Basics, 'dialogs' | 'l10n'> {
  readonly memento: OptionsMemory;
}

interface Subject {
  readonly title: string;
  readonly first: LoadStage;
  /** The calls carry out a test: they press its keys, and hang up when it ends. */
  readonly isTest: boolean;
}

const { loadTest: bounds } = limits;

/**
 * Asks for options until the user starts the load test. Offers those of the last load test of the same kind. Returns
 * undefined if the user cancels.
 */
export async function askLoadOptions(parts: OptionParts, subject: Subject): Promise<LoadOptions | undefined> {
  const { dialogs, l10n, memento } = parts;
  const { title, first, isTest } = subject;
  const memory = `dialtree.loadOptions.${isTest ? 'test' : 'calls'}`;
  let options = optionsSchema.catch({}).parse(memento.get(memory) ?? {});
  if (!fits(first, options.stages ?? [])) options = { ...options, stages: undefined };
  for (;;) {
    const chosen = await dialogs.pick(choicesOf(options, isTest, l10n), {
      title,
      placeHolder: l10n.t('Which option do you want to change?'),
      ignoreFocusOut: true,
    });
    if (chosen === undefined) return undefined;
    if (chosen === 'start') {
      await memento.update(memory, options);
      return options;
    }
    options = { ...options, ...(await askOption(chosen, options, { ...parts, ...subject })) };
  }
}

function choicesOf(
  { callSeconds, replace = false, callsPerSecond, keys, stages = [], criteria }: LoadOptions,
  isTest: boolean,
  l10n: L10n,
): Choice<'start' | keyof LoadOptions>[] {
  const ofCalls: Choice<keyof LoadOptions>[] = [
    {
      label: l10n.t('Length of each call'),
      description: callSeconds === undefined ? l10n.t('until the hold ends') : l10n.t('{0} s', callSeconds),
      value: 'callSeconds',
    },
    {
      label: l10n.t('Keys that each call presses'),
      description: keys ? keysText(keys) : l10n.t('none'),
      value: 'keys',
    },
  ];
  return [
    { label: `$(play) ${l10n.t('Start Load Test')}`, value: 'start' },
    {
      label: l10n.t('Criteria'),
      description: criteriaText(criteria ?? usualCriteria(isTest), isTest, l10n) ?? l10n.t('none, so no verdict'),
      value: 'criteria',
    },
    {
      label: l10n.t('Further stages'),
      description: stages.length === 0 ? l10n.t('no further stages') : stagesText(stages),
      value: 'stages',
    },
    { label: l10n.t('Replace calls that end'), description: replace ? l10n.t('yes') : l10n.t('no'), value: 'replace' },
    {
      label: l10n.t('Maximum calls per second'),
      description: String(callsPerSecond ?? bounds.callsPerSecond.max),
      value: 'callsPerSecond',
    },
    ...(isTest ? [] : ofCalls),
  ];
}

/** Returns the option as typed, or undefined if the user left it unchanged. Empty input restores the default. */
async function askOption(
  option: keyof LoadOptions,
  now: LoadOptions,
  parts: Omit<OptionParts, 'memento'> & Subject,
): Promise<LoadOptions> {
  const { dialogs, l10n, title, first } = parts;
  if (option === 'replace') return { replace: now.replace !== true };
  if (option === 'criteria') {
    const criteria = await askCriteria(parts, now.criteria ?? {});
    return { criteria: Object.keys(criteria).length === 0 ? undefined : criteria };
  }
  if (option === 'stages') {
    const stages = await askStages(parts, first, now.stages ?? []);
    return stages === undefined ? {} : { stages: stages.length === 0 ? undefined : stages };
  }
  const empty = l10n.t('Leave empty to use the default.');
  if (option === 'keys') {
    const prompt = [
      l10n.t(
        "For each entry, give the seconds after the answer, a colon and the keys to press, such as 5:1; 12.5:2#. A comma between keys adds a half-second pause. The load report shows the keys, so don't enter a PIN.",
      ),
      empty,
    ].join(' ');
    const check = (text: string): string | undefined =>
      text.trim() === '' || readKeys(text)
        ? undefined
        : l10n.t(
            'Enter up to {0} entries in the form SECONDS:KEYS, separated by semicolons. The keys can be 0–9, *, #, A–D and commas.',
            bounds.keys,
          );
    const typed = await dialogs.ask({ title, prompt, value: now.keys ? keysText(now.keys) : '', check });
    return typed === undefined ? {} : { keys: readKeys(typed) };
  }
  const { min, max } = option === 'callSeconds' ? bounds.callSeconds : bounds.callsPerSecond;
  const prompt = [
    option === 'callSeconds'
      ? l10n.t('Seconds from the answer until Dialtree hangs up each call')
      : l10n.t('Maximum calls per second'),
    empty,
  ].join('. ');
  const check = (text: string): string | undefined =>
    text.trim() === '' || isWithin(readNumber(text), min, max)
      ? undefined
      : l10n.t('Enter a number from {0} to {1}.', min, max);
  const typed = await dialogs.ask({ title, prompt, value: String(now[option] ?? ''), check });
  return typed === undefined ? {} : { [option]: typed.trim() === '' ? undefined : readNumber(typed) };
}

const isWithin = (value: number, min: number, max: number): boolean => value >= min && value <= max;

const keysText = (keys: Keys): string =>
  keys.map(({ afterSeconds, digits }) => `${String(afterSeconds)}:${digits}`).join('; ');

/** Returns undefined if the text isn't a list of keys, or is empty. */
export function readKeys(text: string): Keys | undefined {
  const read = text
    .split(';')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [, after = '', digits = ''] = /^([\d.,]+)\s*:\s*(\S+)$/.exec(entry) ?? [];
      return loadKeysSchema.safeParse({ afterSeconds: readNumber(after), digits }).data;
    });
  const keys = read.filter((entry) => entry !== undefined);
  return keys.length > 0 && keys.length === read.length && keys.length <= bounds.keys ? keys : undefined;
}
