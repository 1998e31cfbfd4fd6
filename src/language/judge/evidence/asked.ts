import { sentence } from '../../../base/sentences.ts';
import { pattern, words } from '../../../base/rows.ts';
import { english } from '../../menu/english.ts';
import { readMenu } from '../../menu/readMenu.ts';
import { menuOfPart } from '../menuOf.ts';
import { meaningsOf } from '../synonyms.ts';
import { plainWords } from '../../../model/heard/heardWords.ts';
import { numberNames } from '../../../model/numbers/numberWords.ts';
import type { HeardCall, Sentence } from './heardCall.ts';
import { none, seenInSentence, type MatchEvidence } from './evidence.ts';

const request = pattern`
  \b(?:
    enter|key in|type|spell|provide|input|say|speak|state|give (?:me|us)|tell (?:me|us)|verify
    |what(?:'s| is| was) (?:your|the)
    |(?:may|can|could) (?:i|you) (?:have|get|take|ask|give|tell|confirm|verify|repeat)
    |(?:i|we)(?:'ll)? (?:need|require)|who am i|which|when (?:is|were|was)|how (?:many|much|old)
    |where (?:do|are|is)
  )\b
`;
/** Something without a specific name: any number, or what was mentioned before. */
const unnamed = /\b(?:it|that|those|this|them|details|information|data|digits?|numbers?|codes?|ids?)\b/;
const named = /\b(\w+) (?:number|code|id|digits|numbers)\b/g;
const determiners = new Set([
  ...numberNames(1, 20),
  ...words`
    the a an your our my this that digit digits same following correct valid right full complete whole
    entire new next last first of few some these those
  `,
]);

const denies = pattern`
  \b(?:
    not|never|no|nobody|don't|won't|cannot|\w+n't|without|instead of|rather than|unless|other than|anyone
    |anybody
  )\b
`;
const elsewhen = pattern`
  \b(?!(?:we|i|will|and|may|must|to|then)\b)\w+ asks? you (?:to|for)\b
  |\b(?:we|i|they|people) (?:say|speak|state|type|enter|provide)\b
  |\b(?:having|have|has|had) (?:\w+ )?(?:entered|given|said)\b
  |^\W*(?:which|how many|where)\b(?![^]*\?)
  |\b(?:
    (?:will|may|might|would|could|should) (?:\w+ )?(?:be asked|ask|need|have to)
    |(?:be|been|being|was|were|are|get) asked|next time|later|used to|usually|sometimes|always
  )\b
`;
/** A request, or a bare "Your PIN?". */
const asksNow = (stated: string): boolean =>
  request.test(stated) ||
  !pattern`
    \b(?:
      did|do|does|have|has|had|is|are|was|were|would|will|can|could|should|want|know|like|need|got|get
      |forgot
    )\b
  `.test(stated);

/** Finds where something is requested of the caller: with all words of the topic, or for an entry of its kind. */
export function matchAsked(topic: string, { sentences }: HeardCall): MatchEvidence {
  const type = english.inputTypes.find(([, pattern]) => pattern.test(topic.toLowerCase()))?.[0];
  const wanted = meaningsOf(topic);
  const requests = sentences.filter(({ stated }) => request.test(stated) || /\?\s*$/.test(stated));
  const kinds = requests.map((sentence) => ({ sentence, kind: look(sentence, type, wanted) }));
  return {
    ...none,
    complete: true,
    told: sentence`It asks for ${topic}.`,
    missing: sentence`It didn't ask for ${topic}.`,
    sure: kinds.filter(({ kind }) => kind === 'sure').map(({ sentence }) => seenInSentence(sentence)),
    maybe: kinds.filter(({ kind }) => kind === 'maybe').map(({ sentence }) => seenInSentence(sentence)),
  };
}

function look(
  { stated, conditional }: Sentence,
  type: string | undefined,
  wanted: readonly string[],
): 'sure' | 'maybe' | 'no' {
  const heard = new Set(meaningsOf(stated));
  const input = readMenu(stated).input;
  const all = wanted.length > 0 && wanted.every((word) => heard.has(word));
  // Account, customer and policy numbers are one kind to a menu and three to a caller.
  const sameType = type !== undefined && type !== 'other' && type !== 'account_number' && input?.type === type;
  // A question about it ("Did you get your PIN?"), or a request at another time, may not be a request now.
  if (all || sameType)
    return conditional || denies.test(stated) || elsewhen.test(stated) || !asksNow(stated) ? 'maybe' : 'sure';
  if (type !== undefined && type !== 'other' && input !== null && input.type !== 'other' && input.type !== type)
    return 'no';
  const distinct = wanted.filter((word) => !unnamed.test(word));
  if (distinct.some((word) => heard.has(word))) return 'maybe';
  // "Your account number" can't be another number; "the number" can be any.
  const owned = [...stated.matchAll(named)].map(([, word]) => word ?? '');
  if (owned.length > 0 && owned.every((word) => !determiners.has(word) && !/^\d+$/.test(word))) return 'no';
  return request.test(stated) && unnamed.test(stated) && plainWords(stated).length > 1 ? 'maybe' : 'no';
}

const confirming = pattern`
  \b(?:
    shall i|should i|do you want (?:me )?to
    |would you like (?:me )?to (?:confirm|go ahead|proceed|book|continue)
    |is (?:that|this|it|everything) (?:correct|right|ok(?:ay)?)|do you (?:agree|confirm|accept)
    |(?:can|could|would|please) (?:you )?(?:please )?confirm|to (?:confirm|accept)
    |if (?:this|that) is (?:correct|right)|(?:go ahead|proceed)\?
  )
`;

/** Finds another attempt: an option, a requested entry, or an invitation to try again. */
export const matchRetry = ({ sentences }: HeardCall): MatchEvidence => ({
  ...none,
  complete: true,
  told: sentence`The caller gets another try.`,
  missing: sentence`The caller got no other try.`,
  sure: sentences
    .filter(
      ({ lower, offers, text, turn }) =>
        offers ||
        menuOfPart({ turn, text }).input !== null ||
        (/\b(?:try again|once more|enter (?:it|your \w+(?: \w+)?) again|one more time|another (?:try|attempt))\b/.test(
          lower,
        ) &&
          !/\blater\b/.test(lower)),
    )
    .map((sentence) => seenInSentence(sentence)),
});

export const matchConfirming = ({ sentences }: HeardCall): MatchEvidence => ({
  ...none,
  complete: true,
  told: sentence`It asks for confirmation.`,
  missing: sentence`It didn't ask for confirmation.`,
  sure: sentences
    .filter(({ lower }) => confirming.test(lower))
    .map((sentence) => seenInSentence(sentence, Math.max(0, confirming.exec(sentence.lower)?.index ?? 0))),
  maybe: sentences
    .filter(({ lower, question }) => !confirming.test(lower) && (question || /\bconfirm/.test(lower)))
    .map((sentence) => seenInSentence(sentence)),
});
