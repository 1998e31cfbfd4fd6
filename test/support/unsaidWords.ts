import type { IvrFile } from '../../src/contract/ivrFile.ts';
import { humanGreeting, voicemailGreeting } from '../../src/practice/session.ts';
import { spokenTokens } from '../../src/model/heard/spokenTokens.ts';

const words = (text: string): string[] => spokenTokens(text, false).map((token) => token.text);

/** Returns the texts of all prompts of a practice IVR, wherever they are in the file. */
function promptsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'prompt' && typeof member === 'string' ? [member] : promptsIn(member),
  );
}

/** Returns the heard words that no prompt and no greeting of the practice IVR contains, each once. */
export function unsaidWords(heard: readonly string[], ivr: IvrFile): string[] {
  const said = new Set<string>();
  for (const prompt of [...promptsIn(ivr), humanGreeting, voicemailGreeting]) {
    for (const [index, word] of words(prompt).entries()) {
      said.add(word);
      // A compound can be written as one word.
      said.add(`${words(prompt)[index - 1] ?? ''}${word}`);
    }
  }
  return [...new Set(heard.flatMap(words))].filter((word) => !said.has(word));
}
