import type { MenuReading } from '../../contract/menu.ts';
import { readMenu } from '../../language/menu/readMenu.ts';
import type { KeySounds, PromptHeard, PromptReheard } from '../../speech/keys/keySounds.ts';
import type { CrawlMap } from './crawlMap.ts';
import type { CrawlNode } from './crawlNode.ts';

/**
 * Looks for keys that the recogniser missed, by their sound in the voice of this number. Each prompt that was heard can
 * teach what another one says, so all menus so far are compared again after each prompt.
 */
export function rehear(map: CrawlMap, sounds: KeySounds): void {
  const heard = [...map.nodes].flatMap((node): (PromptHeard & { readonly node: CrawlNode })[] => {
    const { transcript: text = '', words = [], fingerprint, status, reading } = node;
    return status === 'explored' && fingerprint && reading?.input === null ? [{ node, text, words, fingerprint }] : [];
  });
  for (const [{ node }, found] of sounds.rehear(heard)) reread(map, node, found);
}

/** What was decided by sound isn't pressed on a live number. */
const unsure: MenuReading['unsure'] = ['labels', 'keys'];

function reread(map: CrawlMap, node: CrawlNode, { text, words }: PromptReheard): void {
  if (!map.has(node)) return;
  const reading: MenuReading = { ...readMenu(text), unsure };
  // A prompt that was taken for an end is a menu if it offers several keys.
  if (node.end !== undefined && reading.options.length < 2) return;
  map.update(node, { transcript: text, words, reading, end: undefined });
  const labels = new Map(reading.options.map(({ key, label }) => [key, label]));
  for (const child of [...map.childrenOf(node)]) {
    const label = labels.get(child.digit ?? '');
    if (label === undefined) {
      // "Option 123" turned out to be "select three".
      if ((child.digit?.length ?? 0) > 1) map.remove(child);
    } else if (child.status !== 'pending' && (child.label !== label || child.hidden === true)) {
      map.update(child, { label, hidden: undefined });
    }
  }
  map.prune(node);
  map.grow(node, reading, node.promptMs ?? 0);
}
