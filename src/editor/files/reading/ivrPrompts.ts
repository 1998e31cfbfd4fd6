import type { Node } from 'jsonc-parser';
import { nodeAt, textAt } from '../../folders/parsedFile.ts';

/** Returns the words of a prompt: a text, or those of a recording. */
export function promptIn(spoken: Node | undefined): string | undefined {
  return textAt(spoken, 'prompt') ?? textAt(spoken, 'prompt', 'text');
}

/** Returns the nodes at which a state's prompts name their recordings. */
export function recordingsIn(state: Node | undefined): Node[] {
  return [state, nodeAt(state, ['onTimeout']), nodeAt(state, ['onInvalid'])].flatMap(
    (spoken) => nodeAt(spoken, ['prompt', 'wav']) ?? [],
  );
}
