import { limits } from '../../../contract/limits.ts';
import { loadKeysSchema } from '../../../contract/loadTests.ts';
import type { LoadShape } from '../../../contract/loadTests.ts';
import type { Choice, Dialogs } from '../../basics/dialogs/dialogs.ts';
import type { L10n } from '../../basics/localise.ts';

/** Options of a load test's calls, in addition to their number. */
type LoadOptions = Pick<LoadShape, 'callSeconds' | 'replace' | 'callsPerSecond' | 'keys'>;
type Keys = NonNullable<LoadShape['keys']>;

interface OptionParts {
  readonly dialogs: Pick<Dialogs, 'ask' | 'pick'>;
  readonly l10n: L10n;
  readonly title: string;
}

const { loadTest: bounds } = limits;

/** Asks for options until the user starts the load test. Returns undefined if the user cancels. */
export async function askLoadOptions({ dialogs, l10n, title }: OptionParts): Promise<LoadOptions | undefined> {
  let options: LoadOptions = {};
  for (;;) {
    const { callSeconds, replace = false, callsPerSecond, keys } = options;
    const choices: Choice<'start' | keyof LoadOptions>[] = [
      { label: `$(play) ${l10n.t('Start Load Test')}`, value: 'start' },
      {
        label: l10n.t('Length of each call'),
        description: callSeconds === undefined ? l10n.t('until the hold ends') : l10n.t('{0} s', callSeconds),
        value: 'callSeconds',
      },
      {
        label: l10n.t('Replace calls that end'),
        description: replace ? l10n.t('yes') : l10n.t('no'),
        value: 'replace',
      },
      {
        label: l10n.t('Maximum calls per second'),
        description: String(callsPerSecond ?? bounds.callsPerSecond.max),
        value: 'callsPerSecond',
      },
      {
        label: l10n.t('Keys that each call presses'),
        description: keys ? keysText(keys) : l10n.t('none'),
        value: 'keys',
      },
    ];
    const chosen = await dialogs.pick(choices, { title, placeHolder: l10n.t('Which option do you want to change?') });
    if (chosen === undefined) return undefined;
    if (chosen === 'start') return options;
    if (chosen === 'replace') options = { ...options, replace: !replace };
    else options = { ...options, ...(await askOption(chosen, options, { dialogs, l10n, title })) };
  }
}

/** Returns the option as typed, or undefined if the user left it unchanged. Empty input restores the default. */
async function askOption(
  option: 'callSeconds' | 'callsPerSecond' | 'keys',
  now: LoadOptions,
  { dialogs, l10n, title }: OptionParts,
): Promise<LoadOptions> {
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
  const { min, max } = option === 'callSeconds' ? bounds.holdSeconds : bounds.callsPerSecond;
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

/** Accepts a decimal comma instead of the point. */
export const readNumber = (text: string): number => (text.trim() === '' ? NaN : Number(text.trim().replace(',', '.')));
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
