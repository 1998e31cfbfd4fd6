import { isInOrder } from '../../base/inOrder.ts';
import { pattern } from '../../base/rows.ts';
import type { Turn } from '../../contract/testRuns.ts';
import { classifyAnnouncement, greeting } from '../menu/announcement.ts';
import { menuOf } from './menuOf.ts';
import { heardSentencesOf } from './words.ts';

export interface SaidSentence {
  readonly turn: Turn;
  readonly index: number;
  readonly text: string;
  readonly from: number;
  readonly lower: string;
}

export const saidBy = (transcript: readonly Turn[]): SaidSentence[] =>
  transcript.flatMap((turn, index) =>
    turn.speaker === 'them'
      ? heardSentencesOf(turn.text).map(({ text, from }) => ({
          turn,
          index,
          text,
          from,
          lower: text.toLowerCase().replace(/[’]/g, "'"),
        }))
      : [],
  );

const named = pattern`
  \bmy name is\b|\bthis is \w+(?: \w+)? speaking\b|\b\w+ speaking,? (?:how|what|who)\b
  |\byou(?:'re| are) (?:now )?(?:speaking|talking|through|connected) (?:with|to) [a-z]+\b
`;
/** A name and a workplace: a person who takes over, or a machine that was given a name. */
const introduced = /\bthis is \w+ (?:from|in|with|at) [^.?!]{1,40}\bhow (?:can|may) i\b/;
const machine = pattern`
  \b(?:
    automated|virtual|digital|assistant|recorded|voice ?mail|leave (?:a|your) (?:message|name)
    |after the (?:tone|beep)|press|menu|bot|machine
  )\b
`;
/** The same without an offer of help, after a wait: "Bookings, this is Lena." */
const introducedAfterWait = pattern`
  (?:^|[,.] |\b(?:hello|hi|afternoon|morning|evening) )(?:\w+ )?this is (?!
    an?\b|the\b|your?\b|our\b|not\b|to\b|about\b|being\b|important\b|just\b|still\b
  )[a-z]+(?:\W*$|[,.?!]| (?:from|at|in|with|of|speaking|how|can|what|may)\b)
`;
const askedAfterGreeting = pattern`
  \b(?:
    how (?:can|may|could) i|what (?:can|may) i|what would you like|what(?:'s| is) your|who am i
    |(?:can|may|could) i (?:have|take|get|ask)
  )\b
`;
const sentOn = /\b(?:press|dial|say|welcome to|thank you for calling|menu|sorry)\b/;
/** A person who takes over can say this too. */
const recordingNotice =
  /\b(?:calls?|conversations?|lines?)\b[^.?!]{0,60}\b(?:is|are|be|being)\b[^.?!]{0,30}\brecorded\b/g;
const transferring = pattern`
  \b(?:transferring|connecting|forwarding|redirecting|putting) (?:you|your call)\b
  |\b(?:
    i'll|i will|we'll|we will|let me|please (?:hold|wait|stay on the line) while (?:i|we)
  ) (?:now )?(?:transfer|connect|put|forward|get|find) (?:you|your call|an?)\b
  |\byou (?:are|will be|'re|'ll be) (?:now )?(?:being )?(?:transferred|connected|put through|forwarded)\b
  |\byour call (?:is|will be) (?:now )?(?:being )?(?:transferred|connected|forwarded|answered)\b
`;
const holding = pattern`
  \b(?:
    please (?:hold|wait|stay on the line|remain on the line)
    |(?:all|each|every one) (?:of )?our (?:\w+ ){0,2}(?:
      agents|representatives|operators|lines|advisors|advisers|staff|colleagues|team|assistants
      |dispatchers|clerks|specialists
    )
    |next (?:available|free)|in the queue
    |(?:estimated|expected|approximate) wait(?:ing)?|remain on the line|(?:one|just a) moment please
    |thank you for (?:holding|waiting)
  )\b
`;
const conditional =
  /\b(?:press|say|dial|if|would you like|do you want|unable|cannot|can't|could not|couldn't|not able|sorry)\b/;
const shut = pattern`
  \b(?:
    (?:is|are|we're|now|office|desk|line) (?:now |currently )?(?:closed|closing)|after the (?:tone|beep)
    |leave (?:a|your) (?:message|name|number)
    |no ?(?:one|body|agents?|representatives?) (?:is|are) (?:available|here)
    |(?:is|are) (?:not|currently un)(?: currently| being)? ?(?:available|answered|staffed|open)(?! yet)
    |call (?:us )?(?:back )?(?:again )?(?:later|during|tomorrow)
    |try (?:us )?(?:again|back) (?:later|tomorrow)
    |outside (?:of )?(?:our )?(?:office|business|opening|working) hours
    |(?:cannot|can ?not|can't|unable to) continue
  )\b
`;

export const isHolding = ({ lower }: Pick<SaidSentence, 'lower'>): boolean => holding.test(lower);
/** Says that the office is closed, or that the line leads no further. */
export const isShut = ({ lower }: Pick<SaidSentence, 'lower'>): boolean => shut.test(lower);
/** "We will be transferring you a bill." */
const handsOver =
  /\b(?:transferring|forwarding|transfer|forward|send|get|find) you (?:an?|the|some|your|this|that|[$€£\d])\b/;
export const announcesTransfer = ({ lower }: SaidSentence): boolean =>
  transferring.test(lower) &&
  !handsOver.test(lower) &&
  !pattern`
    \b(?:
      not|never|no longer|nobody|no one|without|tried|trying|try|attempt\w*|\w+n't
    ) (?:\w+ ){0,2}(?:transfer|connect|forward|redirect|put)
  `.test(lower) &&
  !conditional.test(lower.replace(/please (?:hold|wait|stay on the line) while/, ''));

/**
 * `person`: one spoke; `maybe`: perhaps one, or a machine that greets like one; `none`: the call ended without one;
 * `unknown`: can't be decided.
 */
type PersonHeard =
  | { readonly kind: 'person' | 'none'; readonly said: SaidSentence }
  | { readonly kind: 'maybe' | 'unknown'; readonly said?: SaidSentence };

interface Manner {
  readonly turn: Turn;
  readonly machine: boolean;
  readonly fresh: boolean;
  readonly greetsAndAsks: boolean;
  readonly conditional: boolean;
  readonly greets: boolean;
  readonly helps: boolean;
}

function describeManner(turn: Turn): Manner {
  const text = turn.text.toLowerCase().replace(/[’]/g, "'").replace(recordingNotice, '');
  return {
    turn,
    machine: machine.test(text),
    fresh: !sentOn.test(text) && !isHolding({ lower: text }),
    greetsAndAsks: isInOrder(text, greeting, askedAfterGreeting),
    conditional: conditional.test(text),
    greets: classifyAnnouncement(text) === 'human',
    helps: /\b(?:how (?:can|may) i|what can i|help)\b/.test(text),
  };
}

/** The recording of someone who is away, in the turn of the greeting or in the next one. */
const absent = pattern`
  \b(?:i am|i'm) (?:\w+ )?(?:
    not (?:available|here|in|there|at my desk)|away|out of|on (?:vacation|holiday|leave)
    |unable to (?:take|answer|come)
  )
  |\b(?:cannot|can't|can not|could not|couldn't) (?:\w+ )?(?:take|answer|come to)\b
`;

export function personHeard(transcript: readonly Turn[]): PersonHeard {
  const heard = greeterIn(transcript);
  if (heard.kind !== 'person') return heard;
  const after = transcript
    .slice(heard.said.index)
    .filter(({ speaker }) => speaker === 'them')
    .slice(0, 2);
  return after.some(({ text }) => absent.test(text.toLowerCase().replace(/[’]/g, "'")))
    ? { kind: 'maybe', said: heard.said }
    : heard;
}

function greeterIn(transcript: readonly Turn[]): PersonHeard {
  const said = saidBy(transcript);
  const waited = said.findIndex((one) => announcesTransfer(one) || isHolding(one));
  let maybe: SaidSentence | undefined;
  let manner: Manner | undefined;
  for (const [at, one] of said.entries()) {
    if (manner?.turn !== one.turn) manner = describeManner(one.turn);
    if (manner.machine) continue;
    const kind = greeterOf(one, manner, waited !== -1 && at > waited);
    if (kind === 'person') return { kind, said: one };
    if (kind === 'maybe') maybe ??= one;
  }
  return maybe ? { kind: 'maybe', said: maybe } : withoutGreeter(transcript, said.at(-1));
}

/** Returns who says a sentence. `afterWait`: after a transfer was announced, or the caller was put on hold. */
function greeterOf({ lower }: SaidSentence, manner: Manner, afterWait: boolean): 'person' | 'maybe' | undefined {
  if (afterWait && manner.fresh && (manner.greetsAndAsks || introducedAfterWait.test(lower))) return 'person';
  if (manner.conditional) return undefined;
  const isNamed = named.test(lower);
  if (isNamed && (afterWait || manner.greets || manner.helps)) return 'person';
  const greets = manner.greets || introduced.test(lower);
  if (greets && afterWait) return 'person';
  return greets || isNamed ? 'maybe' : undefined;
}

function withoutGreeter(transcript: readonly Turn[], last: SaidSentence | undefined): PersonHeard {
  const isNobody =
    last &&
    (saysGoodbye(last) || isShut(last) || transcript.every((turn) => turn.speaker === 'us' || isMachineTurn(turn)));
  return isNobody ? { kind: 'none', said: last } : { kind: 'unknown' };
}

const isMachineTurn = (turn: Turn): boolean => {
  const reading = menuOf(turn);
  return reading.options.length > 0 || reading.input !== null;
};

export const saysGoodbye = ({ lower }: SaidSentence): boolean =>
  classifyAnnouncement(lower) === 'goodbye' ||
  pattern`
    \b(?:
      good ?bye|bye[- ]bye|farewell|so long
      |have an? (?:\w+ )?(?:day|evening|afternoon|night|weekend|trip|flight|journey|stay)
    )\b
  `.test(lower);
