import { holdsAll, meaningsOf } from '../synonyms.ts';
import type { HeardCall } from './heardCall.ts';
import { none, seenAt } from './sightings.ts';
import type { Sightings } from './sightings.ts';

const success = /\b(?:accepted|approved|successful(?:ly)?|completed?|gone through|went through|confirmed|received|processed|paid|done|placed|registered|cleared)\b/;
const failure = /\b(?:declined|rejected|failed|refused|unsuccessful|insufficient|expired|invalid|(?:not|n't|cannot|could not|unable)\b[^.;?!]{0,30}\b(?:accept|approv|complet|process|go through|confirm|take)\w*)\b/;
const failureAt = (text: string): boolean => failure.test(text) || /\b(?:not|n't|never|unable|cannot)\b/.test(text) && success.test(text);

/** Looks where it is said that something succeeded: its name, or what its name is about, with a word of success. */
export function sightSuccess(what: string, { sentences }: HeardCall): Sightings {
  const wanted = meaningsOf(what);
  const about = (text: string): boolean => holdsAll(wanted, text) || (/\bpay(?:ment|ing)?\b/.test(what) && /\b(?:pay(?:ment|ing)?|paid|card|bill|charged)\b/.test(text));
  const told = sentences.filter(({ stated, conditional, question }) => !conditional && !question && about(stated));
  return {
    ...none, complete: false, told: `The ${what} succeeded`, missing: `The ${what} was not clearly said to have succeeded`,
    sure: told.filter(({ stated }) => success.test(stated) && !failureAt(stated) && !/\b(?:will|once|after|when|pending|until)\b/.test(stated)).map((sentence) => seenAt(sentence)),
    denied: told.filter(({ stated }) => failureAt(stated)).map((sentence) => seenAt(sentence)),
  };
}
