import { sentence } from '../../../base/sentences.ts';
import { pattern, words } from '../../../base/rows.ts';
import { spokenWords } from '../../../model/heard/heardWords.ts';
import { holdsAll, meaningOf, meaningsOf } from '../synonyms.ts';
import { isContent } from '../words.ts';
import type { HeardCall } from './heardCall.ts';
import { isOrder } from './doubt.ts';
import { none, seenInSentence, type MatchEvidence } from './evidence.ts';

const success = pattern`
  \b(?:
    accepted|approved|successful(?:ly)?|completed?|gone through|went through|confirmed|received|processed
    |paid|done|placed|registered|cleared
  )\b
`;
const failure = pattern`
  \b(?:
    declined|rejected|failed|refused|unsuccessful|insufficient|expired|invalid
    |(?:not|n't|cannot|could not|unable)\b[^.;?!]{0,30}\b(?:
      accept|approv|complet|process|go through|confirm|take
    )\w*
  )\b
`;
/** General statements: "successful payments are listed", "your card is accepted in all shops". */
const general = pattern`
  \b(?:
    successful|completed|accepted|approved|confirmed|received|processed|placed
  ) (?:\w+ )?\w+s (?:are|will|can|appear|have)\b
  |\b(?:accepted|approved) (?:at|by all|by most|in|everywhere|for|only)\b
`;
const failureAt = (text: string): boolean =>
  failure.test(text) || (/\b(?:not|n't|never|unable|cannot)\b/.test(text) && success.test(text));

/** Words that can stand between its name and the word of success. */
const joining = new Set(
  words`
    successfully now just already fully been completely hereby also amount number dollar dollars euro
    euros pound pounds cents percent order request transaction account thank
  `,
);
const verbs = /\b(?:is|are|was|were|has|have|went|gone|been|got)\b/;

/** Its name, a verb and the word of success in sequence, or an action on it: "we have received your payment". */
function isPlain(stated: string, wanted: readonly string[]): boolean {
  const words = spokenWords(stated).map(({ text }) => text);
  const named = words.flatMap((word, index) => (wanted.includes(meaningOf(word)) ? [index] : []));
  const done = words.flatMap((word, index) =>
    success.test(word) || success.test(`${words[index - 1] ?? ''} ${word}`) ? [index] : [],
  );
  return named.some(
    (name) =>
      !/^(?:an?|any|every|each|no|all|some)$/.test(words[name - 1] ?? '') &&
      done.some((end) => {
        const between = words.slice(Math.min(name, end) + 1, Math.max(name, end));
        if (
          !between.every(
            (word) =>
              !isContent(word) ||
              joining.has(word) ||
              /^\d+$/.test(word) ||
              success.test(word) ||
              wanted.includes(meaningOf(word)),
          )
        )
          return false;
        // Before its name, it must be an action: "successful payments" are general.
        return end > name
          ? verbs.test(between.join(' ')) || words[end] === 'through'
          : between.some((word) => /^(?:the|your|this|that)$/.test(word)) &&
              /^(?:i|we|have|successfully|was|were|has|been|ve)$/.test(words[end - 1] ?? '') &&
              !between.includes('no');
      }),
  );
}

/** Finds where something is said to have succeeded: its name, or its subject, with a word of success. */
export function matchSuccess(what: string, { sentences }: HeardCall): MatchEvidence {
  const wanted = meaningsOf(what);
  const payment = /\bpay(?:ment|ing)?\b/.test(what);
  const about = (text: string): boolean =>
    holdsAll(wanted, text) || (payment && /\b(?:pay(?:ment|ing)?|paid|card|bill|charged)\b/.test(text));
  const statements = sentences.filter(
    ({ stated, conditional, question }) => !conditional && !question && about(stated),
  );
  return {
    ...none,
    complete: false,
    told: sentence`The ${what} succeeded.`,
    missing: sentence`It isn't clearly said that the ${what} succeeded.`,
    sure: statements
      .filter(
        ({ stated }) =>
          isPlain(stated, [...wanted, ...(payment ? meaningsOf('payment card bill') : [])]) &&
          !failureAt(stated) &&
          !isOrder(stated) &&
          !general.test(stated) &&
          !/\b(?:will|once|after|when|pending|until|going to|about to|being|not|never|n't)\b/.test(stated),
      )
      .map((sentence) => seenInSentence(sentence)),
    denied: statements.filter(({ stated }) => failureAt(stated)).map((sentence) => seenInSentence(sentence)),
  };
}
