import type { MenuReading } from '../../contract/menu.ts';
import { readMenu } from '../../language/menu/readMenu.ts';
import type { KeySounds, PromptHeard, PromptReheard } from '../../speech/keys/keySounds.ts';
import type { CrawlMap } from './crawlMap.ts';
import { offersAny } from '../hearing/promptText.ts';
import type { CrawlNode } from './crawlNode.ts';
import { isKeyLate, type Found } from './found.ts';
import { endByWords } from './hear.ts';

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

/** Reads a step again whose words have become text since it was stored. If it is a menu, its options are explored. */
export function readLate(found: Found): void {
  const { visit, task, heard } = found;
  const { map, log } = visit;
  const { startMs, endMs } = heard;
  if (!map.has(task) || task.status !== 'explored') return;
  const utterances = log.utterancesSince(startMs).filter((utterance) => utterance.startMs < endMs);
  const text = utterances
    .map((utterance) => utterance.text)
    .filter((part) => part !== '')
    .join(' ');
  const words = utterances.flatMap((utterance) =>
    utterance.words.map((word) => ({ ...word, startMs: word.startMs - startMs, endMs: word.endMs - startMs })),
  );
  map.update(task, { unsure: isKeyLate(found), reason: undefined });
  const reading = readMenu(text);
  const twin = map.twinOf(task, { ...heard, text, reading });
  if (twin) {
    map.removeChildren(task);
    map.update(task, { transcript: text, words, status: 'linked', linksTo: twin.id, end: undefined });
  } else if (offersAny(reading)) replace(map, task, { text, words }, reading);
  else map.update(task, { transcript: text, words, reading, end: endOf(task, reading, text) });
}

/** A silence after words means what they say. */
const endOf = ({ end }: CrawlNode, { input }: MenuReading, text: string): CrawlNode['end'] =>
  input && (end === 'dead-air' || end === 'hangup') ? 'input' : end === 'dead-air' ? endByWords(text) : end;

/** What was decided by sound isn't pressed on a live number. */
const unsure: MenuReading['unsure'] = ['labels', 'keys'];

function reread(map: CrawlMap, node: CrawlNode, heard: PromptReheard): void {
  if (!map.has(node)) return;
  const reading: MenuReading = { ...readMenu(heard.text), unsure };
  // A prompt that was taken for an end is a menu if it offers several keys.
  if (node.end === undefined || reading.options.length > 1) replace(map, node, heard, reading);
}

/** The step is a menu with these words. */
function replace(
  map: CrawlMap,
  node: CrawlNode,
  { text, words }: Pick<PromptReheard, 'text' | 'words'>,
  reading: MenuReading,
): void {
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
