import type { Guide } from '../../../contract/guides.ts';
import type { L10n } from '../../basics/localise.ts';
import { codeBlock } from '../../../base/codeBlock.ts';
import { plain } from '../../basics/words/markdownText.ts';

/** Formats a guide as Markdown. Steps are numbered; chapters of a reference aren't. */
export function writeGuide({ kind, title, summary, sections }: Guide, l10n: L10n): string {
  const blocks = [`# ${plain(title)}`, plain(summary)];
  for (const [index, section] of sections.entries()) {
    blocks.push(kind === 'guide' ? `## ${String(index + 1)}. ${plain(section.title)}` : `## ${plain(section.title)}`);
    blocks.push(`**${l10n.t('Where')}:** ${plain(section.where)}`);
    blocks.push(plain(section.text));
    if (section.code !== undefined) blocks.push(codeBlock(section.code));
  }
  return `${blocks.join('\n\n')}\n`;
}
