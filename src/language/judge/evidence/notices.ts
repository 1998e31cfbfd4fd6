import { sentence, type Sentences } from '../../../base/sentences.ts';
import { pattern } from '../../../base/rows.ts';
import { digitNames } from '../../../model/numbers/numberWords.ts';
import type { Notice } from '../grammar/events.ts';
import { isHolding, isShut } from '../callEnds.ts';
import { classifyAnnouncement } from '../../menu/announcement.ts';
import type { HeardCall, Sentence } from './heardCall.ts';
import { none, seenInSentence, type MatchEvidence } from './evidence.ts';

interface NoticeWords {
  /** How a criterion names it. */
  readonly named: RegExp;
  /** Returns where in a sentence it is said, or -1. */
  readonly sure: (sentence: Sentence) => number;
  /** Without any of these words it wasn't said. */
  readonly near: RegExp;
  readonly told: Sentences;
  readonly missing: Sentences;
}

const indexOf =
  (pattern: RegExp) =>
  ({ lower }: Sentence): number =>
    pattern.exec(lower)?.index ?? -1;
const recorded = pattern`
  \b(?:
    (?:calls?|conversations?)(?! (?:to|with|from|of) (?:\w+ )?(?:other|another))
    |(?<!\b(?:on (?:the|this|our|a)|other|another) )lines?|we|they|it
  )\b(?!
    [^.?!]{0,60}\b(?:has|have|had|was|were) (?:\w+ )?(?:record|monitor|tape)
  )(?!
    [ ](?:\w+ )?(?:recorded|monitored|taped) (?:an?|your|the|this)\b
  )[^.?!]{0,60}(?<!
    \b(?:not|never|longer)\b[^.?!]{0,20}
  )\b(?:record(?:ed|ing)?|monitored|taped)\b(?! your name)
`;
/** An entry of several digits, not the key of an option. */
const longEntry = new RegExp(String.raw`\d{3}|•|\b(?:${digitNames.join('|')})\b`, 'i');

const wrongWords = /\b(?:invalid|valid|match|wrong|incorrect|recogni|again|sorry)/;
const isWrong = ({ lower }: Sentence): number =>
  classifyAnnouncement(lower) === 'invalid' || /\b(?:does not|doesn't|do not|don't|did not|didn't) match\b/.test(lower)
    ? 0
    : -1;

const notices: Readonly<Record<Notice, NoticeWords>> = {
  recording: {
    told: sentence`It says that the call is recorded.`,
    missing: sentence`It doesn't say that the call is recorded.`,
    named: pattern`
      \b(?:
        (?:call|line|conversation|it|they|being|are|is|be) (?:
          is |are |may be |might be |will be |being |be |or[ ]
        )*(?:recorded|monitored|taped)
        |(?:call[- ])?recording(?: of the call)?(?: \w+)? (?:
          notice|announcement|disclosure|statement|message|disclaimer|consent
        )
        |(?:
          notice|announcement|disclosure|statement|disclaimer
        ) (?:of|about|on|that|concerning) (?:\w+ ){0,4}record(?:ing|ed)
        |(?:it records|we record|records the call|is a recording of the call)
      )\b
    `,
    // A request for consent doesn't say that the call is recorded.
    sure: ({ stated, question, conditional }) =>
      question ||
      conditional ||
      /\b(?:not|never|no|none|neither|nor|nobody|without|stop(?:ped)?|\w+n't|cannot|refuse|opt out|object)\b/.test(
        stated,
      )
        ? -1
        : (recorded.exec(stated)?.index ?? -1),
    near: /\b(?:record|monitor|tape[ds]?|taping)/,
  },
  emergency: {
    told: sentence`It says what to do in an emergency.`,
    missing: sentence`It doesn't say what to do in an emergency.`,
    named: pattern`
      \b(?:emergenc(?:y|ies)|911|112|999|000|ambulance)\b(?=
        .*\b(?:
          notice|announcement|wording|message|warning|statement|disclaimer|instruction|hint|reminder|advice
          |dial|hang up|call|ring
        )\b
      )
      |\b(?:
        notice|announcement|wording|message|warning|statement|disclaimer|instruction|hint|reminder|advice
        |dial|hang up|call|ring
      )\b.*\b(?:emergenc(?:y|ies)|911|112|999|000|ambulance)\b
    `,
    sure: indexOf(
      pattern`
        \b(?:
          emergency|emergencies|life[- ]threatening|urgent help
        )\b[^.?!]{0,60}\b(?:dial|call|hang up|ring|go to)\b
        |\b(?:dial|call|ring) (?:
          911|112|999|000|nine one one|nine nine nine|one one two|triple (?:zero|nine)|an ambulance
        )\b
      `,
    ),
    near: /\b(?:emergenc|ambulance|911|112|999|nine one one|nine nine nine|one one two|life.threat)/,
  },
  closed: {
    told: sentence`It says that no one is there.`,
    missing: sentence`It doesn't say that no one is there.`,
    named: pattern`
      \b(?:
        closed|out of hours
        |(?:outside|after)(?: of)? (?:(?:office|business|opening|working) )?hours
        |nobody is (?:there|available)|not (?:staffed|open)
      )\b
    `,
    sure: (sentence) => (isShut(sentence) && !sentence.conditional ? 0 : -1),
    near: /\b(?:clos|shut|not (?:available|answered|staffed|open)|unavailable|hours|weekend)/,
  },
  busy: {
    told: sentence`It says that all agents are busy.`,
    missing: sentence`It doesn't say that all agents are busy.`,
    named: pattern`
      \b(?:
        no (?:\w+ )?(?:
          agents?|advis[eo]rs?|operators?|representatives?|one|body|staff|colleague|employees?|lines?|nurse
          |clerk
        ) (?:is |are )?(?:free|available)
        |(?:all|every) (?:\w+ ){0,3}(?:busy|engaged|occupied)
        |(?:agents?|lines?|advis[eo]rs?|everybody|everyone|operators?) (?:is |are )?(?:busy|engaged)
        |(?:put |placed )?on hold|in (?:a|the) queue|has to wait
      )\b
    `,
    sure: (sentence) =>
      isHolding(sentence) || /\b(?:busy|(?:serving|helping|assisting) other|engaged)\b/.test(sentence.lower) ? 0 : -1,
    near: /\b(?:busy|hold|wait|queue|other (?:customers|callers))/,
  },
  wrongNumber: {
    told: sentence`It says that the number is wrong.`,
    missing: sentence`It doesn't say that the number is wrong.`,
    named: pattern`
      \b(?:
        invalid|wrong|incorrect|false|mistyped|unknown|unrecogni[sz]ed
      ) (?:\w+ ){0,3}(?:number|code|pin|digits|date|id|password)s?\b
      |\b(?:number|code|pin|digits|birth|date|id|password)s? (?:is|are|was|were) (?:wrong|invalid|incorrect)\b
      |\b(?:does|do) not match\b
    `,
    sure: isWrong,
    near: wrongWords,
  },
  wrongEntry: {
    told: sentence`It says that the entry is wrong.`,
    missing: sentence`It doesn't say that the entry is wrong.`,
    named: pattern`
      \b(?:
        invalid|wrong|incorrect|false|mistyped|unknown|unrecogni[sz]ed
      ) (?:\w+ ){0,3}(?:entry|entries|key|option|input|selection|choice)s?\b
      |\b(?:
        entry|key|option|input|selection|choice|it|that
      )s? (?:is|are|was|were) (?:wrong|invalid|incorrect)\b
    `,
    sure: isWrong,
    near: wrongWords,
  },
};

export const noticeNamed = (
  text: string,
  among: readonly Notice[] = ['recording', 'emergency', 'closed', 'busy', 'wrongNumber', 'wrongEntry'],
): Notice | undefined => among.find((name) => notices[name].named.test(text));

export function matchNotice(name: Notice, { sentences, turns }: HeardCall): MatchEvidence {
  const { sure, near, told, missing } = notices[name];
  const afterNumber = ({ index }: Sentence): boolean =>
    name !== 'wrongNumber' ||
    longEntry.test(turns.slice(0, index).findLast(({ speaker }) => speaker === 'us')?.text ?? '');
  const places = sentences
    .map((sentence) => ({ sentence, at: sure(sentence) }))
    .map((place) => (place.at === -1 || afterNumber(place.sentence) ? place : { ...place, at: -1 }));
  return {
    ...none,
    complete: true,
    told,
    missing,
    sure: places.filter(({ at }) => at !== -1).map(({ sentence, at }) => seenInSentence(sentence, at)),
    maybe: places
      .filter(({ sentence, at }) => at === -1 && near.test(sentence.lower))
      .map(({ sentence }) => seenInSentence(sentence)),
  };
}
