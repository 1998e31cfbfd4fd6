import { sentence } from '../../../base/sentences.ts';
import { announcesTransfer, isHolding, personHeard, saysGoodbye } from '../callEnds.ts';
import { holdsAll, isStaff, meaningOf, meaningsOf } from '../synonyms.ts';
import type { HeardCall, Sentence } from './heardCall.ts';
import { none, seenInSentence, type MatchEvidence } from './evidence.ts';

/** Words for a workplace, without those for anyone who works there. */
const placeWords = (of: string): string[] =>
  meaningsOf(of).filter(
    (word) =>
      !isStaff(word) &&
      !['team', 'live', 'real', 'human', 'being', 'service', 'customer', 'actual', 'member', 'line', 'call']
        .map(meaningOf)
        .includes(word),
  );

/** Finds whether a person took the call. `of`: from which place, by the greeting, transfer or chosen option. */
export function matchPerson(of: string, { turns, sentences, ending }: HeardCall): MatchEvidence {
  const heard = personHeard(turns);
  const wanted = placeWords(of);
  const at = heard.kind === 'person' ? heard.said.index : turns.length;
  const near = sentences.filter(
    (one) => one.index === at || announcesTransfer(one) || (isHolding(one) && one.index <= at),
  );
  const words = new Set(near.flatMap(({ text }) => meaningsOf(text)));
  const right = wanted.every((word) => words.has(word));
  const none = {
    told: sentence`A person answered.`,
    missing: sentence`The call ended without a person.`,
    complete: heard.kind === 'none' && ending !== 'cut',
    ...(heard.kind === 'none' && { anyEnd: true as const }),
  };
  const seen = heard.said ? [seenInSentence(heard.said)] : [];
  // A greeting can come from a different person than the wanted one.
  return {
    ...none,
    sure: heard.kind === 'person' && right ? seen : [],
    maybe: heard.kind === 'maybe' || (heard.kind === 'person' && !right) ? seen : [],
    denied: [],
  };
}

/** Finds where a transfer or a queue is announced. Unless `loose`, it must have led to more than a goodbye. */
export function matchTransfer(to: string, loose: boolean, { turns, sentences }: HeardCall): MatchEvidence {
  const wanted = placeWords(to);
  const transfers = sentences.filter(
    (one) => announcesTransfer(one) || /\bnext (?:available|free)\b|\bput(?:ting)? you through\b/.test(one.stated),
  );
  const fits = (text: string): boolean =>
    to === '' ||
    (wanted.length === 0 ? meaningsOf(text).some(isStaff) || /\bteam\b/i.test(text) : holdsAll(wanted, text));
  const right = transfers.filter(({ text }) => fits(text));
  const last = sentences.at(-1);
  const person = personHeard(turns);
  // A transfer that ends with a goodbye failed.
  const isWaiting = (one: Sentence): boolean => announcesTransfer(one) || isHolding(one);
  const stands =
    loose ||
    person.kind === 'person' ||
    person.kind === 'maybe' ||
    (last !== undefined && !saysGoodbye(last) && !isWaiting(last));
  const others = transfers.filter((one) => !right.includes(one));
  return {
    ...none,
    complete: person.kind === 'none' || person.kind === 'unknown',
    told: to === '' ? sentence`The transfer is announced.` : sentence`The transfer to ${to} is announced.`,
    missing: sentence`No transfer is announced, and no person answers.`,
    sure: stands ? right.map((one) => seenInSentence(one)) : [],
    maybe: [...(stands ? [] : right), ...others].map((one) => seenInSentence(one)),
  };
}
