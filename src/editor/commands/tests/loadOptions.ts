import type * as z from 'zod';
import { limits } from '../../../contract/limits.ts';
import { loadShapeSchema, requestedSeconds, type LoadShape } from '../../../contract/loadTests.ts';
import { readStage, stageText } from '../../../model/load/stageText.ts';
import {
  askOptions,
  readTypedNumber,
  withMember,
  type FormParts,
  type Option,
} from '../../basics/dialogs/askFields.ts';
import type { L10n } from '../../basics/localise.ts';
import type { LoadSize } from '../../testing/running/runUnderLoad.ts';
import { criteriaTable, criteriaText, usualCriteria } from './loadCriteria.ts';

/** Options of a load test, in addition to its number of calls and its first ramp and hold. */
export const optionsSchema = loadShapeSchema
  .pick({ callSeconds: true, replace: true, callsPerSecond: true, keys: true, stages: true, criteria: true })
  .strip();
export type LoadDraft = z.output<typeof optionsSchema> & Partial<LoadSize>;

const { loadTest: bounds } = limits;
const { shape } = optionsSchema;

export function loadOptionsTable(
  { callSeconds, replace = false, callsPerSecond, keys, stages = [], criteria }: LoadDraft,
  parts: FormParts,
  isTest: boolean,
): readonly Option<LoadDraft>[] {
  const { l10n } = parts;
  const empty = l10n.t('Leave empty to use the default.');
  const ofCalls: Option<LoadDraft>[] = [
    {
      label: l10n.t('Length of each call'),
      shown: callSeconds === undefined ? l10n.t('until the hold ends') : l10n.t('{0} s', callSeconds),
      member: 'callSeconds',
      schema: shape.callSeconds,
      prompt: `${l10n.t('Seconds from the answer until Dialtree hangs up each call')}. ${empty}`,
    },
    {
      label: l10n.t('Keys that each call presses'),
      shown: keys ? keysText(keys) : l10n.t('none'),
      member: 'keys',
      schema: shape.keys,
      prompt: `${l10n.t(
        "For each entry, give the seconds after the answer, a colon and the keys to press, such as 5:1; 12.5:2#. A comma between keys adds a half-second pause. The load report shows the keys, so don't enter a PIN.",
      )} ${empty}`,
      text: keys ? keysText(keys) : '',
      read: readKeys,
      advice: l10n.t(
        'Enter up to {0} entries in the form SECONDS:KEYS, separated by semicolons. The keys can be 0–9, *, #, A–D and commas.',
        bounds.keys,
      ),
    },
  ];
  return [
    {
      label: l10n.t('Criteria'),
      shown: criteriaText(criteria ?? usualCriteria(isTest), isTest, l10n) ?? l10n.t('none, so no verdict'),
      async ask(held) {
        const limited = { draft: { ...usualCriteria(isTest), ...criteria } };
        const end = `$(arrow-left) ${l10n.t('Back to the options')}`;
        const placeHolder = l10n.t('Which figure do you want to limit?');
        await askOptions(
          parts,
          limited,
          (now) => criteriaTable({ ...usualCriteria(isTest), ...now }, isTest, l10n),
          end,
          { canGoBack: true },
          placeHolder,
        );
        const chosen = { ...usualCriteria(isTest), ...limited.draft };
        held.draft = withMember(held.draft, 'criteria', Object.keys(chosen).length === 0 ? undefined : chosen);
      },
    },
    {
      label: l10n.t('Further stages'),
      shown: stages.length === 0 ? l10n.t('no further stages') : stagesText(stages),
      member: 'stages',
      schema: shape.stages,
      prompt: l10n.t(
        'After the hold, the number of calls changes in stages. For each stage, give the calls, the seconds of the ramp and the seconds of the hold, such as 50:10:60, 10:5:30. Leave empty for no further stages.',
      ),
      placeHolder: '50:10:60, 10:5:30',
      text: stagesText(stages),
      read: readStages,
      advice: l10n.t(
        'Enter up to {0} stages in the form CALLS:RAMP:HOLD, separated by commas. Calls: {1}–{2}; ramp: up to {3} s; hold: up to {4} s.',
        bounds.stages.max,
        bounds.calls.min,
        bounds.calls.max,
        bounds.rampSeconds.max,
        bounds.callSeconds.max,
      ),
      check: (typed, now) => lengthProblem({ ...now, stages: readStages(typed) }, l10n),
    },
    {
      label: l10n.t('Replace calls that end'),
      shown: replace ? l10n.t('yes') : l10n.t('no'),
      ask(held) {
        held.draft = { ...held.draft, replace: !replace };
      },
    },
    {
      label: l10n.t('Maximum calls per second'),
      shown: String(callsPerSecond ?? bounds.callsPerSecond.max),
      member: 'callsPerSecond',
      schema: shape.callsPerSecond,
      prompt: `${l10n.t('Maximum calls per second')}. ${empty}`,
    },
    ...(isTest ? [] : ofCalls),
  ];
}

/** Says so if the stages make the test too long. Lengths that aren't known yet count as none. */
export function lengthProblem(
  { rampSeconds = 0, holdSeconds = 0, stages = [] }: Pick<LoadDraft, 'rampSeconds' | 'holdSeconds' | 'stages'>,
  l10n: L10n,
): string | undefined {
  return requestedSeconds({ rampSeconds, holdSeconds, stages }) > bounds.seconds.max
    ? l10n.t('All ramps and holds together can take up to {0} s. Use shorter stages.', bounds.seconds.max)
    : undefined;
}

const entries = (typed: string, between: RegExp): string[] =>
  typed
    .split(between)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

const keysText = (keys: NonNullable<LoadShape['keys']>): string =>
  keys.map(({ afterSeconds, digits }) => `${String(afterSeconds)}:${digits}`).join('; ');
const readKeys = (typed: string) =>
  entries(typed, /;/).map((entry) => {
    const [, after = '', digits = ''] = /^([\d.,]+)\s*:\s*(\S+)$/.exec(entry) ?? [];
    return { afterSeconds: readTypedNumber(after), digits };
  });

const stagesText = (stages: NonNullable<LoadShape['stages']>): string => stages.map(stageText).join(', ');
/** Returns undefined if a stage can't be read. */
function readStages(typed: string): LoadShape['stages'] {
  const stages = entries(typed, /[,;\s]+/).map((part) => readStage(part)?.data);
  return stages.every((stage) => stage !== undefined) ? stages : undefined;
}
