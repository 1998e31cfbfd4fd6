/** Returns lower case without accents, hyphens and apostrophes, for one spelling of "top-up" and "I'd". */
export const foldLabel = (text: string): string =>
  text.toLowerCase().replaceAll('ß', 'ss').normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll(/['’]/g, '');

/** Returns the words of a label in one spelling. Punctuation between clauses stays as a separate word. */
export const wordsOfLabel = (label: string): string[] => foldLabel(label).match(/[\p{L}\p{N}]+|[,;:.!?/&]/gu) ?? [];

/**
 * Returns a word and its possible base forms: "cancelling" of "cancel", "applies" of "apply", "activated" of
 * "activate". Extra forms do no harm, because they are looked up in tables.
 */
export function listForms(word: string): string[] {
  const forms = [word];
  const add = (ending: RegExp, ...bases: readonly string[]): void => {
    if (ending.test(word))
      forms.push(...bases.map((base) => word.replace(ending, base)).filter((form) => form.length > 1));
  };
  add(/ies$/, 'y');
  add(/ied$/, 'y');
  add(/es$/, '');
  add(/(?<=[^s])s$/, '');
  add(/ed$/, '', 'e');
  add(/([bdglmnprt])\1ed$/, '$1');
  add(/ing$/, '', 'e');
  add(/([bdglmnprt])\1ing$/, '$1');
  return forms;
}

/** Parses a table that is written as text: words and phrases separated by commas or line ends. */
export const parseEntries = (table: string): string[] =>
  table
    .split(/[,\n]/)
    .map((entry) => foldLabel(entry).trim())
    .filter((entry) => entry !== '');

export const labelSentencesOf = (text: string): string[] => text.split(/[.;!?\n]+/);
