import { sentence } from '../../../base/sentences.ts';
import { pattern } from '../../../base/rows.ts';
import type { Event } from '../grammar/events.ts';
import { saysGoodbye } from '../callEnds.ts';
import { contentWords, stem } from '../words.ts';
import { menuOf } from '../menuOf.ts';
import { meaningsOf } from '../synonyms.ts';
import { matchAsked, matchConfirming, matchRetry } from './asked.ts';
import { matchClaim } from './claimed.ts';
import { matchDigitsBack } from './digitsBack.ts';
import type { HeardCall, Sentence } from './heardCall.ts';
import { matchIdentity, matchWithheld } from './identity.ts';
import { matchNotice } from './notices.ts';
import { matchInvited, matchMenu, matchMenuSize, matchOffered } from './offered.ts';
import { matchPhrases } from './phrases.ts';
import { matchPerson, matchTransfer } from './reached.ts';
import { matchSelf, matchWhoAsked } from './selfNamed.ts';
import { none, seenInSentence, type Seen, type MatchEvidence, seenInTurn } from './evidence.ts';
import { matchSuccess } from './succeeded.ts';
import { matchTold } from './told.ts';

/** Events that statements show. All others are shown by what is asked, offered, read back or said word for word. */
const stating: ReadonlySet<Event['kind']> = new Set([
  'tells',
  'claims',
  'notice',
  'self',
  'succeeds',
  'apology',
  'transfer',
]);

/**
 * Finds an event in a call. A doubtful statement is a possible match. `loose`: also accepts its beginning, for events
 * that must not happen or that another precedes.
 */
export function matchEvidence(event: Event, call: HeardCall, loose = false): MatchEvidence {
  const seen = look(event, call, loose);
  if (!stating.has(event.kind)) return seen;
  if (event.kind === 'notice' && event.notice !== 'recording') return seen;
  const doubtful = call.sentences
    .filter((sentence) => sentence.doubtful)
    .map(({ index, from, text }) => ({ index, from, to: from + text.length }));
  const isDoubtful = ({ turn, from }: Seen): boolean =>
    doubtful.some((one) => one.index === turn && one.from <= from && from < one.to);
  const sure = seen.sure.filter((one) => !isDoubtful(one)),
    denied = seen.denied.filter((one) => !isDoubtful(one));
  return {
    ...seen,
    sure,
    denied,
    maybe: [...seen.maybe, ...seen.sure.filter(isDoubtful), ...seen.denied.filter(isDoubtful)],
  };
}

function look(event: Event, call: HeardCall, loose: boolean): MatchEvidence {
  switch (event.kind) {
    case 'says':
      return matchPhrases(event, call.turns);
    case 'mentions':
      return matchMention(event.topic, call);
    case 'tells':
      return matchTold(event, call);
    case 'menuSize':
      return matchMenuSize(event, call);
    case 'asksWho':
      return matchWhoAsked(call);
    case 'claims':
      return matchClaim(event.claim, event.whether, call);
    case 'notice':
      return matchNotice(event.notice, call);
    case 'self':
      return matchSelf(event.as, event.always, call);
    case 'asks':
      return matchAsked(event.topic, call);
    case 'asksToConfirm':
      return matchConfirming(call);
    case 'retry':
      return matchRetry(call);
    case 'invites':
      return matchInvited(event.to, call);
    case 'offers':
      return matchOffered(event, call);
    case 'menu':
      return matchMenu(call);
    case 'person':
      return matchPerson(event.of, call);
    case 'transfer':
      return matchTransfer(event.to, loose, call);
    case 'readsBack':
      return matchReadBack(event, loose, call);
    case 'succeeds':
      return matchSuccess(event.what, call);
    case 'apology':
      return matchApology(call);
    case 'goodbye':
      return matchGoodbye(call);
    case 'identity':
      return matchIdentity(event.confirmed, call);
    case 'withheld':
      return matchWithheld(event.topic, call);
    case 'caller':
      return matchCaller(event.does, call);
  }
}

/** What was never requested can't have been withheld. */
function matchReadBack(
  { topic, digits }: Extract<Event, { kind: 'readsBack' }>,
  loose: boolean,
  call: HeardCall,
): MatchEvidence {
  const seen = matchDigitsBack(digits, loose, call.turns);
  const noun = /\b(?:[a-z]+ )?(?:number|code|pin|id)\b/
    .exec(topic)?.[0]
    .replace(/^(?:the|a|an|any|no|full|whole) /, '');
  return loose &&
    seen.complete &&
    noun !== undefined &&
    !/^(?:number|code|id)$/.test(noun) &&
    matchAsked(noun, call).sure.length === 0
    ? { ...seen, complete: false }
    : seen;
}

/** All content words of a topic in one sentence, compared by their stems. */
function matchMention(topic: string, { sentences }: HeardCall): MatchEvidence {
  const wanted = contentWords(topic).map(stem);
  const holds = ({ text }: Sentence): boolean => {
    const heard = new Set(contentWords(text).map(stem));
    return wanted.length > 0 && wanted.every((word) => heard.has(word));
  };
  return {
    ...none,
    complete: false,
    sure: sentences.filter(holds).map((one) => seenInSentence(one)),
    told: sentence`“${topic}” is mentioned.`,
    missing: sentence`No sentence contains all words of “${topic}”; other words may mention it.`,
  };
}

/** An apology by the speaker, or by itself: "we are sorry", "sorry, …", "our apologies". */
const apologises = pattern`
  ^\W*(?:
    (?:oh|i'm|i am|so|very|we are|we're),?[ ]
  )*(?:sorry|apologies|pardon)\b(?! (?:is|isn't|was|seems)\b)
  |\b(?:i|we)(?:'m|'re| am| are)? (?:\w+ ){0,2}(?:sorry|apologi[sz]e|regret)\b
  |\bsorry (?:for|about|that|to|we|i|but)\b|\b(?:my|our|with) (?:\w+ )?apologies\b
  |\b(?:please|accept|offer) (?:\w+ ){0,2}(?:apolog(?:y|ies)|forgive)\b
`;
const sorrow = /\b(?:sorry|apolog\w*|regret\w*|forgive\w*|pardon)\b/;

const matchApology = ({ sentences }: HeardCall): MatchEvidence => {
  const said = sentences.filter(({ stated }) => sorrow.test(stated));
  const clear = said.filter(
    ({ stated, question, conditional }) =>
      !question &&
      !conditional &&
      apologises.test(stated) &&
      !/\b(?:not|n't|never|no) (?:\w+ ){0,2}(?:sorry|apolog|regret)/.test(stated),
  );
  return {
    ...none,
    complete: true,
    told: sentence`It apologises.`,
    missing: sentence`No apology was heard.`,
    sure: clear.map((one) => seenInSentence(one)),
    maybe: said.filter((one) => !clear.includes(one)).map((one) => seenInSentence(one)),
  };
};

/** A goodbye in the last three sentences. */
function matchGoodbye({ sentences }: HeardCall): MatchEvidence {
  const byes = sentences.filter(({ stated }) => /\bbye\b|\bgoodbye\b|\bfarewell\b/.test(stated));
  // Talking about goodbyes isn't saying one.
  const last = byes.filter(
    ({ at, stated, question, conditional }) =>
      sentences.length - at <= 3 &&
      !question &&
      !conditional &&
      !pattern`
        \b(?:
          say|says|said|saying|hear|before|until|without|no|not|never|n't|if|want
        )\b[^.?!]{0,20}\b(?:good ?bye|bye|farewell)\b
        |\b(?:called|named|titled|an?|the|word|of|my|your|our)\W+(?:good ?bye|bye|farewell)\b
        |\b(?:good ?bye|bye|farewell) (?:to|is|was|party)\b
      `.test(stated),
  );
  const parting = sentences.filter(saysGoodbye).slice(-1);
  return {
    sure: last.map((one) => seenInSentence(one)),
    maybe: last.length > 0 ? [] : [...byes, ...parting].map((one) => seenInSentence(one)),
    denied: [],
    complete: true,
    anyEnd: true,
    told: sentence`It says goodbye.`,
    missing:
      byes.length > 0
        ? sentence`It says goodbye, but not at the end.`
        : parting.length > 0
          ? sentence`It ends the call in other words.`
          : sentence`No goodbye was heard.`,
  };
}

/** Words of one family: disabled and disability. */
const isKin = (a: string, b: string): boolean =>
  a === b || (a.length > 5 && b.length > 5 && a.slice(0, 5) === b.slice(0, 5));

/** Finds where the caller says something, or chooses its option: proof of the caller's acts, never of the callee's. */
function matchCaller(does: string, { turns }: HeardCall): MatchEvidence {
  const wanted = meaningsOf(does);
  let labels = new Map<string, string>();
  const sure: Seen[] = [];
  turns.forEach((turn, index) => {
    if (turn.speaker === 'them') {
      const { options } = menuOf(turn);
      if (options.length > 0) labels = new Map(options.map(({ key, label }) => [key, label]));
      return;
    }
    const key = /^\[keys ([0-9*#])\]$/.exec(turn.text)?.[1];
    const heard = meaningsOf(key === undefined ? turn.text : (labels.get(key) ?? ''));
    if (wanted.length > 0 && wanted.every((word) => heard.some((other) => isKin(word, other))))
      sure.push(seenInTurn({ turn, index }));
  });
  return {
    ...none,
    sure,
    complete: false,
    told: sentence`The caller did this: ${does}.`,
    missing: sentence`The call doesn't show that the caller did this: ${does}.`,
  };
}
