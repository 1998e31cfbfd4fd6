import { patternWith } from '../../base/rows.ts';
import { spokenWords } from '../../model/heard/heardWords.ts';

const stopWords = new Set(
  (
    'a an the and or of to for in on at by with from is are was were be been being am it its this that these those i me my mine we us our you your yours he she they them their his her him ' +
    'do does did done have has had can could will would shall should may might must not no so if then than as about into out up what which who whom how when where there here please thank thanks ' +
    'all any some other another more just only also now get got'
  ).split(' '),
);

/** Returns the words that a text is about, without those that every text has. */
export const contentWords = (text: string): string[] =>
  spokenWords(text)
    .map(({ text: word }) => word)
    .filter((word) => !stopWords.has(word));
export const isContent = (word: string): boolean => !stopWords.has(word);

export const stemsOf = (text: string): string[] => contentWords(text).map(stem);

/** Returns a rough English stem, only for comparing: bills, billing and billed are equal. */
export function stem(word: string): string {
  if (word.length < 5 || /\d/.test(word)) return word.replace(/(?<=[^s]{2})s$/, '');
  const base = word
    .replace(/ies$/, 'y')
    .replace(/(?:sses|shes|ches|xes)$/, (end) => end.slice(0, -2))
    .replace(/(?<=[^su])s$/, '')
    .replace(/(?:ings?|ed|ment|ments|er|ers)$/, '');
  return base.replace(/([bdgmnprt])\1$/, '$1').replace(/[ey]$/, '');
}

/**
 * Returns sentences, and clauses separated by a line end or a semicolon, in order with their positions. The dots of 7
 * p.m. and Dr. don't end one.
 */
export function heardSentencesOf(text: string): { readonly text: string; readonly from: number }[] {
  return [
    ...text.matchAll(
      patternWith('g')`
        [^.;?!\n]*(?:
          (?:
            [.](?=\d)|(?<=\b[aApP])[.](?=\s?[mM]\b)|(?<=\b[aApP][.]\s?[mM])[.](?=,| [a-z])
            |(?<=\b(?:Mr|Mrs|Ms|Dr|St))[.]
          )[^.;?!\n]*
        )*[.;?!\n]*
      `,
    ),
  ]
    .filter(([part]) => part.trim() !== '')
    .map((match) => ({ text: match[0], from: match.index }));
}
