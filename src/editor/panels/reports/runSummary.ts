import type { ReportSnapshot } from '../../../contract/reportPanel.ts';
import { stepState } from '../../../contract/runState.ts';
import { targetName } from '../../../model/calls/targetName.ts';
import { reportSteps } from '../../../model/checks/reportSteps.ts';
import type { Formats } from '../../basics/formats.ts';
import type { L10n } from '../../basics/localise.ts';
import { escapeMarkdown } from '../../basics/words/markdownText.ts';
import { outcomeWord, testStateWord } from '../../basics/words/outcomeWords.ts';

/** Returns what a run found, as Markdown for an issue or a message: its end, and each step with what it heard instead. */
export function runSummary(
  { name, run, mission }: ReportSnapshot,
  formats: Pick<Formats, 'moment'>,
  l10n: L10n,
): string {
  const text = escapeMarkdown;
  const facts = [testStateWord(run, l10n), targetName(run.phoneNumber), formats.moment(run.startedAt)];
  const why = [...new Set([run.hangUp?.sentence, mission?.passReasoning, mission?.judgeReasoning])];
  const lines = reportSteps(run, mission).flatMap((step, index) => {
    const { outcome, reason, expectedTranscript, transcript } = step;
    const state = stepState(step, run.endedBy);
    const word = state === 'notReached' ? l10n.t('not reached') : outcomeWord(state, l10n);
    const head = `${String(index + 1)}. ${text(step.name)}: ${word}`;
    if (outcome === 'PASS' || state === 'notReached') return [head];
    return [
      `${head}${reason === undefined ? '' : `. ${text(reason)}`}`,
      ...(expectedTranscript === undefined ? [] : [`   - ${l10n.t('Expected: {0}', text(expectedTranscript))}`]),
      ...(transcript === undefined ? [] : [`   - ${l10n.t('Heard: {0}', text(transcript))}`]),
    ];
  });
  const ends = why.flatMap((sentence) => (sentence === undefined || sentence === '' ? [] : [text(sentence)]));
  return [`**${text(name)}** (${facts.map(text).join(', ')})`, ...ends, ...(lines.length > 0 ? [lines.join('\n')] : [])]
    .join('\n\n')
    .concat('\n');
}
