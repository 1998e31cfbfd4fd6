import { sentence } from '../../../base/sentences.ts';
import { pattern } from '../../../base/rows.ts';
import { clearMonthNames } from '../../../model/numbers/calendarNames.ts';
import { digitNames } from '../../../model/numbers/numberWords.ts';
import { matchAsked } from './asked.ts';
import type { HeardCall } from './heardCall.ts';
import { none, seenInTurn, type Seen, type MatchEvidence } from './evidence.ts';

const numberOrMonth = new RegExp(String.raw`\b(?:${[...digitNames, ...clearMonthNames].join('|')})\b`, 'i');

const whoIsThere = pattern`
  \b(?:
    am i (?:speaking|talking) (?:to|with)
    |is (?:this|that) (?:m(?:r|rs|s)\b|[a-z]+\b)|are you|may i speak (?:to|with)
    |is [a-z]+(?: [a-z]+)? there
  )\b
`;
const confirms =
  /^\W*(?:yes|yeah|yep|correct|right|speaking|that'?s me|it'?s me|this is (?:he|she|him|her|me)?|i am)\b/;
const denies = /^\W*(?:no|nope|i'm not|i am not|not)\b|\b(?:wrong number|(?:i'm|i am) (?:an?|the|his|her|their) \w+)\b/;

/** Finds where the caller says, or denies, to be the person that the callee asked for. */
export function matchIdentity(confirmed: boolean, { turns }: HeardCall): MatchEvidence {
  const sure: Seen[] = [];
  turns.forEach((turn, index) => {
    const before = turns[index - 1];
    if (turn.speaker !== 'us' || before?.speaker !== 'them' || !whoIsThere.test(before.text.toLowerCase())) return;
    const answer = turn.text.toLowerCase().replace(/[’]/g, "'");
    const no = denies.test(answer);
    if (confirmed ? confirms.test(answer) && !no : no) sure.push(seenInTurn({ turn, index }));
  });
  return {
    ...none,
    sure,
    complete: false,
    told: confirmed ? sentence`The caller is the person asked for.` : sentence`The caller is another person.`,
    missing: confirmed
      ? sentence`The call doesn't show that the caller confirms being the person asked for.`
      : sentence`The call doesn't show that the caller denies being the person asked for.`,
  };
}

/** Finds where the caller was asked for something, answered without a figure, and never gave one later. */
export function matchWithheld(topic: string, call: HeardCall): MatchEvidence {
  const asked = matchAsked(topic, call).sure;
  const answers = asked.flatMap(({ turn }) => {
    const answer = call.turns[turn + 1];
    return answer?.speaker === 'us' ? [{ answer, index: turn + 1 }] : [];
  });
  const empty = answers.filter(({ answer }) => !/\d|•|\[keys/.test(answer.text) && !numberOrMonth.test(answer.text));
  const all = answers.length > 0 && empty.length === answers.length;
  return {
    ...none,
    sure: all ? empty.map(({ answer, index }) => seenInTurn({ turn: answer, index })) : [],
    complete: false,
    told: sentence`The caller didn't give ${topic}.`,
    missing: sentence`The call doesn't show that the caller didn't give ${topic}.`,
  };
}
