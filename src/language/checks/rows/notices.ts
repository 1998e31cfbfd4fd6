import { sentence, type Sentences } from '../../../base/sentences.ts';
import { pattern } from '../../../base/rows.ts';
import type { SpokenNotice } from '../../../contract/checks.ts';
import { noticeWords } from '../../../model/checks/describeCheck.ts';
import { isShut } from '../../heard/callEnds.ts';
import { classifyAnnouncement } from '../../menu/announcement.ts';
import type { Sentence } from '../heardCall.ts';
import { sentencesIn, type Find } from '../part.ts';
import { seenInSentence, type Sightings } from '../sightings.ts';
import { findSelf } from './selfNamed.ts';

interface NoticeWords {
  /** Returns where in a sentence it is said, or -1. */
  readonly sure: (sentence: Sentence) => number;
  /** Says the opposite. */
  readonly denied?: RegExp;
  /** Without any of these words it wasn't said. */
  readonly near: RegExp;
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
    |you(?= (?:are|may be|might be|will be)(?: being)? (?:recorded|monitored|taped)\b)
  )\b(?!
    [^.?!]{0,60}\b(?:has|have|had|was|were) (?:\w+ )?(?:record|monitor|tape)
  )(?!
    [ ](?:\w+ )?(?:(?:recorded|monitored|taped) (?:an?|your|the|this)|recording an?)\b
  )[^.?!]{0,60}(?<!
    \b(?:not|never|longer)\b[^.?!]{0,20}
  )\b(?:record(?:ed|ing)?|monitored|taped)\b(?! your name)
`;
const notRecorded = pattern`
  \bno (?:calls?|conversations?|lines?) (?:\w+ ){1,3}(?:recorded|monitored|taped)\b
  |\b(?:calls?|conversations?|lines?) (?:\w+ )?(?:\w+n't|not|never|no longer) (?:\w+ ){0,2}(?:recorded|monitored|taped)\b
  |\bwe (?:\w+ )?(?:\w+n't|not|never|no longer) (?:record|monitor|tape) (?:\w+ )?(?:calls?|conversations?)\b
`;
/** Neither asked nor dependent on a condition. */
const isStated = ({ question, conditional, doubtful }: Sentence): boolean => !question && !conditional && !doubtful;
/** An account can be closed, and an office on another day. */
const ofRecords = pattern`
  \b(?:account|case|ticket|claim|request|order|file|card|position|application|complaint|road)s? (?:is|are|was|has|have)\b
  |\bclosed (?:on|every|between|from)\b
`;
const busy = pattern`
  \b(?:
    (?:agents|representatives|operators|advisors|advisers|staff|colleagues|team|assistants|specialists|lines?|all|everyone|we)
    (?:\s(?:is|are))?(?:'re)?(?:\s(?!not|never)\w+){0,2}\s(?:busy|engaged|(?:serving|helping|assisting|speaking (?:to|with)) other)
    |next (?:available|free)|in the queue|(?:remain|stay) on the line|wait(?:ing)? time
  )\b
`;
const wrongWords = /\b(?:invalid|valid|match|wrong|incorrect|recogni|again|sorry)/;
const notWrong = /\b(?:not|isn't|wasn't) (?:an? )?(?:invalid|wrong|incorrect)\b|\bother (?:callers|customers|people)\b/;
const isWrong = ({ lower }: Sentence): number =>
  (classifyAnnouncement(lower) === 'invalid' && !notWrong.test(lower)) ||
  /\b(?:does not|doesn't|do not|don't|did not|didn't) match\b/.test(lower)
    ? 0
    : -1;

const notices: Readonly<Record<Exclude<SpokenNotice, 'automated' | 'human'>, NoticeWords>> = {
  recording: {
    missing: sentence`It doesn't say that the call is recorded.`,
    // A request for consent doesn't say that the call is recorded.
    sure: ({ stated, question, conditional, doubtful }) =>
      question ||
      conditional ||
      doubtful ||
      /\b(?:not|never|no|none|neither|nor|nobody|without|stop(?:ped)?|\w+n't|cannot|refuse|opt out|object)\b/.test(
        stated,
      )
        ? -1
        : (recorded.exec(stated)?.index ?? -1),
    denied: notRecorded,
    near: /\b(?:record|monitor|tape[ds]?|taping)/,
  },
  emergency: {
    missing: sentence`It doesn't say what to do in an emergency.`,
    sure: indexOf(
      pattern`
        \b(?:
          (?<=\b(?:if|in|for)\b[^.?!]{0,40})(?:emergency|emergencies)(?! \w+ing\b)|life[- ]threatening|urgent help
        )\b[^.?!]{0,60}(?<!\b(?:not|never|\w+n't) )\b(?:dial|call|hang up|ring|go to)\b
        |(?<!\b(?:not|never|\w+n't|you) )\b(?:dial|call|ring) (?:
          911|112|999|000|nine one one|nine nine nine|one one two|triple (?:zero|nine)|an ambulance
        )\b
      `,
    ),
    near: /\b(?:emergenc|ambulance|911|112|999|nine one one|nine nine nine|one one two|life.threat)/,
  },
  closed: {
    missing: sentence`It doesn't say that no one is there.`,
    sure: (one) => (isShut({ lower: one.stated }) && isStated(one) && !ofRecords.test(one.stated) ? 0 : -1),
    near: /\b(?:clos|shut|not (?:available|answered|staffed|open)|unavailable|hours|weekend)/,
  },
  busy: {
    missing: sentence`It doesn't say that all agents are busy.`,
    sure: (one) => (isStated(one) && busy.test(one.stated) ? 0 : -1),
    near: /\b(?:busy|hold|wait|queue|other (?:customers|callers))/,
  },
  wrongEntry: {
    missing: sentence`It doesn't say that the entry is wrong.`,
    sure: (one) => (isStated(one) ? isWrong(one) : -1),
    near: wrongWords,
  },
};

export const findDisclosed: Find<'discloses'> = ({ notice }, call, part): Sightings => {
  if (notice === 'automated' || notice === 'human') return findSelf(notice === 'human' ? 'human' : 'machine', call);
  const { sure, denied, near, missing } = notices[notice];
  const places = sentencesIn(call, part).map((one) => ({ one, at: sure(one) }));
  const others = places.filter(({ at }) => at === -1).map(({ one }) => one);
  const isDenied = ({ lower, question, conditional }: Sentence): boolean =>
    !question && !conditional && denied?.test(lower) === true;
  return {
    complete: true,
    shown: noticeWords[notice],
    missing,
    sure: places.filter(({ at }) => at !== -1).map(({ one, at }) => seenInSentence(one, at)),
    denied: others.filter(isDenied).map((one) => seenInSentence(one)),
    maybe: others.filter((one) => !isDenied(one) && near.test(one.lower)).map((one) => seenInSentence(one)),
  };
};
