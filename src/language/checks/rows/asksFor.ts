import { sentence } from '../../../base/sentences.ts';
import { pattern, words } from '../../../base/rows.ts';
import { englishLexicon } from '../../menu/english.ts';
import { plainWords } from '../../../model/heard/heardWords.ts';
import { numberNames } from '../../../model/numbers/numberWords.ts';
import { inputNouns } from '../../../model/tree/endPhrases.ts';
import { menuOfPart } from '../../heard/menuOf.ts';
import { stemsOf } from '../../heard/words.ts';
import type { CheckOf } from '../../../contract/checks.ts';
import type { MenuInput } from '../../../contract/menu.ts';
import type { HeardCall, Sentence } from '../heardCall.ts';
import { sentencesIn, type Find } from '../part.ts';
import { seenInSentence } from '../sightings.ts';
import { holdsAny, checkTextsOf } from '../texts.ts';

const request = pattern`
  \b(?:
    enter|key in|type|spell|provide|input|leave (?:us |me )?(?:a|your)|say|speak|state|give (?:me|us)|tell (?:me|us)|verify
    |what(?:'s| is| was) (?:your|the)
    |(?:may|can|could) (?:i|you) (?:have|get|take|ask|give|tell|confirm|verify|repeat)
    |(?:i|we)(?:'ll)? (?:need|require)|who am i|which|when (?:is|were|was)|how (?:many|much|old)
    |where (?:do|are|is)
  )\b
`;
/** Something without a specific name: any number, or what was mentioned before. */
const unnamed = /\b(?:it|that|those|this|them|details|information|data|digits?|numbers?|codes?|ids?)\b/;
const ofNoun = /\b(\w+) (?:number|code|id|digits|numbers)\b/g;
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
  |\b(?:says?|said)[:,]
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

/** Finds where something is requested of the caller: an entry of a kind, or what certain words name. */
export const findAsked: Find<'asksFor'> = (check, call, part) => {
  const kinds = sentencesIn(call, part).map((one) => ({ one, kind: look(check, one, isAnswered(one, call)) }));
  const what = checkTextsOf(check.about)[0] ?? (check.input === undefined ? 'an entry' : inputNouns[check.input]);
  const wanted = check.digits === undefined ? what : `${what} (${String(check.digits)})`;
  return {
    complete: true,
    shown: sentence`It asks for ${wanted}.`,
    missing: sentence`It didn't ask for ${wanted}.`,
    sure: kinds.filter(({ kind }) => kind === 'sure').map(({ one }) => seenInSentence(one)),
    maybe: kinds.filter(({ kind }) => kind === 'maybe').map(({ one }) => seenInSentence(one)),
  };
};

/** The caller enters digits right after it, so it asks even without a verb: "and now your four digit pin". */
const isAnswered = ({ turn, index, from, text }: Sentence, { turns }: HeardCall): boolean =>
  from + text.length >= turn.text.trimEnd().length && /^\[keys [^\]]{3,}\]$/.test(turns[index + 1]?.text ?? '');

function look(
  { input: type, digits, about }: CheckOf<'asksFor'>,
  sentence: Sentence,
  answered: boolean,
): 'sure' | 'maybe' | 'no' {
  const { stated, text, turn, conditional } = sentence;
  const input = menuOfPart({ turn, text: text.trim() === turn.text.trim() ? turn.text : text }).input;
  if (type === undefined && about === undefined) return input === null ? 'no' : fitsDigits(input, digits);
  const isAsked = answered || input !== null || request.test(stated) || /\?\s*$/.test(stated);
  if (!isAsked) return 'no';
  const wanted = checkTextsOf(about).flatMap(stemsOf);
  const heard = new Set(stemsOf(stated));
  const named = about !== undefined && holdsAny(about, stated);
  const pattern = type === undefined ? undefined : englishLexicon.inputTypes.find(([name]) => name === type)?.[1];
  const ofKind = type !== undefined && (input?.type === type || (input === null && pattern?.test(stated) === true));
  if (about === undefined ? ofKind : named && (type === undefined || ofKind || input === null)) {
    // A question about it ("Did you get your PIN?"), or a request at another time, may not be a request now.
    if (conditional || denies.test(stated) || elsewhen.test(stated) || (!answered && !asksNow(stated))) return 'maybe';
    return input === null ? (digits === undefined ? 'sure' : 'maybe') : fitsDigits(input, digits);
  }
  if (type !== undefined && input !== null && input.type !== 'other') return 'no';
  if (wanted.some((word) => !unnamed.test(word) && heard.has(word))) return 'maybe';
  // "Your account number" can't be another number; "the number" can be any.
  const owned = [...stated.matchAll(ofNoun)].map(([, word]) => word ?? '');
  if (owned.length > 0 && owned.every((word) => !determiners.has(word) && !/^\d+$/.test(word))) return 'no';
  return request.test(stated) && unnamed.test(stated) && plainWords(stated).length > 1 ? 'maybe' : 'no';
}

/** A prompt that names no number of digits may want any. */
const fitsDigits = (input: MenuInput, digits: number | undefined): 'sure' | 'maybe' | 'no' =>
  digits === undefined || input.digits === digits ? 'sure' : input.digits === null ? 'maybe' : 'no';
