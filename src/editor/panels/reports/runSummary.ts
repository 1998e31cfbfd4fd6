import { escapeMarkdown } from '../../../base/escape.ts';
import type { ReportSnapshot } from '../../../contract/reportPanel.ts';
import { targetName } from '../../../model/calls/targetName.ts';
import { eachOnce, stepBlocks, verdictSentences } from '../../../model/report/runBlocks.ts';
import type { Formats } from '../../basics/formats.ts';
import type { L10n } from '../../basics/localise.ts';
import { outcomeWord, testStateWord } from '../../basics/words/outcomeWords.ts';

/** Returns what a run found, as Markdown for an issue or a message: its end, and each step with what it heard instead. */
export function runSummary(
  { name, run, mission }: ReportSnapshot,
  formats: Pick<Formats, 'moment'>,
  l10n: L10n,
): string {
  const text = escapeMarkdown;
  const facts = [testStateWord(run, l10n), targetName(run.phoneNumber), formats.moment(run.startedAt)];
  const ends = eachOnce([run.hangUp?.sentence, ...verdictSentences(mission)]).map(text);
  const lines = stepBlocks(run, mission).flatMap((step) => {
    const { number, isToBlame, reason, expectedTranscript, transcript } = step;
    const head = `${String(number)}. ${text(step.name)}: ${outcomeWord(step.state, l10n)}`;
    if (!isToBlame) return [head];
    return [
      `${head}${reason === undefined ? '' : `. ${text(reason)}`}`,
      ...(expectedTranscript === undefined ? [] : [`   - ${l10n.t('Expected: {0}', text(expectedTranscript))}`]),
      ...(transcript === undefined ? [] : [`   - ${l10n.t('Heard: {0}', text(transcript))}`]),
    ];
  });
  return [`**${text(name)}** (${facts.map(text).join(', ')})`, ...ends, ...(lines.length > 0 ? [lines.join('\n')] : [])]
    .join('\n\n')
    .concat('\n');
}
