import type { Node } from 'jsonc-parser';
import { nodeAt, textAt } from './parsedFile.ts';

/** What a prompt says: a text, or a recording with its words. */
export function promptIn(spoken: Node | undefined): string | undefined {
  return textAt(spoken, 'prompt') ?? textAt(spoken, 'prompt', 'text');
}

/** Where the prompts of a state name their recordings. */
export function recordingsIn(state: Node | undefined): Node[] {
  return [state, nodeAt(state, ['onTimeout']), nodeAt(state, ['onInvalid'])].flatMap(
    (spoken) => nodeAt(spoken, ['prompt', 'wav']) ?? [],
  );
}
