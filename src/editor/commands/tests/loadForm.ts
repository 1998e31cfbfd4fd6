import { limits } from '../../../contract/limits.ts';
import { runLoadTestSchema, type RunLoadTest } from '../../../contract/loadTests.ts';
import type { Basics } from '../../basics/createBasics.ts';
import type { Question } from '../../basics/dialogs/dialogs.ts';
import type { L10n } from '../../basics/localise.ts';
import type { LoadSize } from '../../testing/running/runUnderLoad.ts';
import type { Target, TargetQuestion } from '../targets/pickTarget.ts';
import { askLoadOptions, type OptionsMemory } from './loadOptions.ts';
import { readNumber } from './readNumber.ts';

interface LoadFormParts extends Pick<Basics, 'dialogs' | 'l10n'> {
  readonly context: { readonly workspaceState: OptionsMemory };
}

/** Asks what to call, and how often. Returns undefined if the user cancels. */
export async function askForLoad({
  pickTarget,
  ...parts
}: LoadFormParts & {
  readonly pickTarget: (question: TargetQuestion) => Promise<Target | undefined>;
}): Promise<RunLoadTest | undefined> {
  const { l10n } = parts;
  const title = l10n.t('Start Load Test');
  const target = await pickTarget({ title, tests: true });
  const ramp = target && (await askRamp(parts, title));
  if (!ramp) return undefined;
  const prompt = l10n.t(
    'Hold: seconds to keep all calls connected. Press Enter to start the test, or select the gear icon for more options.',
  );
  const options = await askHold(parts, title, { prompt, usual: 10, ramp, isTest: false });
  return options && runLoadTestSchema.parse({ phoneNumber: target.target, ...ramp, ...options });
}

/** Asks on how many calls to carry out a test. Returns undefined if the user cancels. */
export async function askLoadSize(parts: LoadFormParts): Promise<LoadSize | undefined> {
  const { l10n } = parts;
  const title = l10n.t('Run Under Load');
  const ramp = await askRamp(parts, title);
  if (!ramp) return undefined;
  const prompt = l10n.t(
    'Hold: seconds after the ramp until the test ends. It must be longer than one call of the test. Press Enter to start the test, or select the gear icon for more options.',
  );
  const options = await askHold(parts, title, { prompt, usual: 120, ramp, isTest: true });
  return options && { ...ramp, ...options };
}

type Ramp = Pick<LoadSize, 'concurrency' | 'rampSeconds'>;

/** Asks for the hold. Few users need the other options, so they are behind a button of this question. */
async function askHold(
  { dialogs, l10n, context }: LoadFormParts,
  title: string,
  {
    prompt,
    usual,
    ramp,
    isTest,
  }: { readonly prompt: string; readonly usual: number; readonly ramp: Ramp; readonly isTest: boolean },
): Promise<Omit<LoadSize, keyof Ramp> | undefined> {
  const hold = await dialogs.askOrMore(
    numberQuestion(l10n, title, prompt, usual, limits.loadTest.holdSeconds),
    l10n.t('More options…'),
  );
  if (!hold) return undefined;
  const holdSeconds = readNumber(hold.text);
  const options = hold.more
    ? await askLoadOptions(
        { dialogs, l10n, memento: context.workspaceState },
        { title, first: { ...ramp, holdSeconds }, isTest },
      )
    : {};
  return options && { holdSeconds, ...options };
}

async function askRamp({ dialogs, l10n }: LoadFormParts, title: string): Promise<Ramp | undefined> {
  const { calls, rampSeconds: ramps } = limits.loadTest;
  const wanted = await dialogs.ask(numberQuestion(l10n, title, l10n.t('Simultaneous calls'), 10, calls, true));
  if (wanted === undefined) return undefined;
  const concurrency = readNumber(wanted);
  const usual = Math.min(ramps.max, Math.ceil(concurrency / 10));
  const ramp = await dialogs.ask(
    numberQuestion(l10n, title, l10n.t('Ramp: seconds until all calls have started'), usual, ramps),
  );
  return ramp === undefined ? undefined : { concurrency, rampSeconds: readNumber(ramp) };
}

const numberQuestion = (
  l10n: L10n,
  title: string,
  prompt: string,
  value: number,
  { min, max }: { readonly min: number; readonly max: number },
  whole = false,
): Question => ({
  title,
  prompt,
  value: String(value),
  check: (text) =>
    readNumber(text) >= min && readNumber(text) <= max && (!whole || Number.isInteger(readNumber(text)))
      ? undefined
      : whole
        ? l10n.t('Enter a whole number from {0} to {1}.', min, max)
        : l10n.t('Enter a number from {0} to {1}.', min, max),
});
