import { limits } from '../../../contract/limits.ts';
import { requestedSeconds, type LoadStage } from '../../../contract/loadTests.ts';
import { readStage, stageText } from '../../../model/load/stageText.ts';
import type { Dialogs } from '../../basics/dialogs/dialogs.ts';
import type { L10n } from '../../basics/localise.ts';

const { calls, rampSeconds, holdSeconds, stages: bounds, seconds } = limits.loadTest;

/** Asks for the stages after the first. Returns undefined if the user cancels, and no stages for empty input. */
export async function askStages(
  { dialogs, l10n, title }: { readonly dialogs: Pick<Dialogs, 'ask'>; readonly l10n: L10n; readonly title: string },
  first: LoadStage,
  now: readonly LoadStage[],
): Promise<LoadStage[] | undefined> {
  const prompt = l10n.t(
    'After the hold, the number of calls changes in stages. For each stage, give the calls, the seconds of the ramp and the seconds of the hold, such as 50:10:60, 10:5:30. Leave empty for no further stages.',
  );
  const check = (text: string): string | undefined => {
    const stages = readStages(text);
    if (!stages)
      return l10n.t(
        'Enter up to {0} stages in the form CALLS:RAMP:HOLD, separated by commas. Calls: {1}–{2}; ramp: up to {3} s; hold: up to {4} s.',
        bounds.max,
        calls.min,
        calls.max,
        rampSeconds.max,
        holdSeconds.max,
      );
    return fits(first, stages)
      ? undefined
      : l10n.t('All ramps and holds together can take up to {0} s. Use shorter stages.', seconds.max);
  };
  const typed = await dialogs.ask({ title, prompt, value: stagesText(now), placeHolder: '50:10:60, 10:5:30', check });
  return typed === undefined ? undefined : readStages(typed);
}

/** Returns false if the stages make the test too long. */
export const fits = (first: LoadStage, stages: readonly LoadStage[]): boolean =>
  requestedSeconds({ ...first, stages }) <= seconds.max;

export const stagesText = (stages: readonly LoadStage[]): string => stages.map(stageText).join(', ');

/** Returns undefined if the text isn't a list of valid stages. */
export function readStages(text: string): LoadStage[] | undefined {
  const texts = text.split(/[,;\s]+/).filter((part) => part !== '');
  const stages = texts.map((part) => readStage(part)?.data).filter((stage) => stage !== undefined);
  return stages.length === texts.length && stages.length <= bounds.max ? stages : undefined;
}
