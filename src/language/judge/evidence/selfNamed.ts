import { sentence } from '../../../base/sentences.ts';
import { isInOrder } from '../../../base/inOrder.ts';
import { pattern, source } from '../../../base/rows.ts';
import type { HeardCall, Sentence } from './heardCall.ts';
import { seenInSentence, seenInTurn, type Seen, type MatchEvidence } from './evidence.ts';

const person = '(?:real |live |human |actual )*(?:person|human(?: being)?|people|somebody real)';
const machine = source`
  (?:
    automated|virtual|digital|machine|robot|bot|computer|ai\b|a\.i|a i\b|artificial|voice assistant
    |recorded|recording
  )
`;
const subject =
  "(?:i am|i'm|this is|you(?:'re| are) (?:now )?(?:talking|speaking|connected) (?:to|with)|my name is [a-z]+,?)";
const between = source`
  (?:
    (?!
      \b(?:
        that|than|will|can|to|would|could|sorry|like|with|if|when|about|connect|no|not|never|any|near
        |calling|and|but
      )\b
    )[^.?!]
  ){0,40}?
`;
const saysMachine = pattern`
  \b${subject}\b${between}\b(?<!not (?:an? )?)${machine}
  |\b(?:
    i am|i'm|you(?:'re| are) (?:talking|speaking) (?:to|with)|this is
  ) (?:\w+ )?(?:not|no) (?:an? )?${person}
`;
const saysHuman = pattern`
  \b(?:
    i am|i'm|you(?:'re| are) (?:now )?(?:talking|speaking|connected) (?:to|with)|this is
  ) (?:indeed |really |actually |of course )?(?:an? )?${person}\b
  |\b(?:i am|i'm) (?:not|no) (?:an? )?${machine}
`;
const asksHuman = new RegExp(`\\b(?:are you|am i|is this|you are|you're)\\b[^.?!]{0,60}\\b${person}\\b`);
const asksMachine = new RegExp(`\\b(?:are you|am i|is this)\\b[^.?!]{0,60}\\b${machine}`);

/** Returns what a caller's question asks about: a person, a machine, or either. */
function asked(text: string): 'human' | 'machine' | 'either' | undefined {
  const lower = text.toLowerCase().replace(/[’]/g, "'");
  const human = asksHuman.test(lower),
    robot = asksMachine.test(lower);
  return human && robot ? 'either' : human ? 'human' : robot ? 'machine' : undefined;
}

export const matchWhoAsked = ({ turns }: HeardCall): MatchEvidence => ({
  sure: turns.flatMap((turn, index) =>
    turn.speaker === 'us' && asked(turn.text) ? [seenInTurn({ turn, index })] : [],
  ),
  maybe: [],
  denied: [],
  complete: false,
  told: sentence`The caller asks whether it is a person.`,
  missing: sentence`The caller didn't ask whether it is a person.`,
});

/** Returns what a sentence says about the speaker. `answers`: the question that it answers. */
function named(lower: string, answers: 'human' | 'machine' | 'either' | undefined): 'human' | 'machine' | undefined {
  if (saysMachine.test(lower)) return 'machine';
  if (saysHuman.test(lower)) return 'human';
  if (answers === undefined || answers === 'either') return undefined;
  const other = answers === 'human' ? ('machine' as const) : ('human' as const);
  if (/^\W*(?:yes|yeah|yep|sure|of course|certainly|i am\b(?! not)|indeed|you are\b(?! not))/.test(lower))
    return answers;
  return /^\W*(?:no|nope|i am not|i'm not|not\b)/.test(lower) ? other : undefined;
}

/** Mentions itself with one of these words in a way that no rule reads: "I am as human as you are." */
const speaker = pattern`
  \b(?:
    i|i'm|me|my|we|we're|myself|us|this|you(?:'re| are) (?:\w+ )?(?:talking|speaking|connected)
  )\b
`;
const nature = pattern`
  \b(?:
    humans?|persons?|people|real|robots?|machines?|bots?|computers?|software|alive|living|flesh|somebody
    |someone
  )\b
`;
const natureAlone = pattern`
  \b(?:real|live|human) (?:human|person|being|voice)\b|\bflesh and blood\b
  |\b(?:no|not an?) (?:machine|robot|computer|bot)s?\b
`;

const isOfItself = (stated: string): boolean =>
  natureAlone.test(stated) || stated.split(/[.?!]/).some((part) => isInOrder(part, speaker, nature));

const ofPerson = sentence`It says that it is a person.`;
const ofMachine = sentence`It says that it is a machine.`;

/**
 * Finds where the callee says that it is a person, or a machine: unasked, or in answer to the caller's question.
 * `always`: each time it is asked.
 */
export function matchSelf(as: 'machine' | 'human', always: boolean, { turns, sentences }: HeardCall): MatchEvidence {
  const sure: Seen[] = [],
    denied: Seen[] = [],
    maybe: Seen[] = [];
  const answers = new Map<number, 'human' | 'machine' | 'either'>();
  turns.forEach((turn, index) => {
    const question = turn.speaker === 'us' ? asked(turn.text) : undefined;
    if (question && turns[index + 1]?.speaker === 'them') answers.set(index + 1, question);
  });
  const answered = new Set<number>();
  let before: Sentence | undefined;
  for (const sentence of sentences) {
    const isFirst = before?.index !== sentence.index;
    before = sentence;
    const says = named(sentence.lower, isFirst ? answers.get(sentence.index) : undefined);
    if (!says) {
      if (isOfItself(sentence.stated)) maybe.push(seenInSentence(sentence));
      continue;
    }
    answered.add(sentence.index);
    (says === as ? sure : denied).push(seenInSentence(sentence));
  }
  for (const [index] of answers) {
    const sentence = sentences.find((one) => one.index === index);
    if (!answered.has(index) && sentence) maybe.push(seenInSentence(sentence));
  }
  // "Every time" needs each answer, and one answer breaks it.
  const broken = always && (answers.size === 0 || denied.length > 0 || maybe.length > 0);
  return {
    sure: broken ? [] : sure,
    maybe: always && denied.length > 0 ? [] : maybe,
    denied,
    complete: as === 'human',
    told: as === 'human' ? ofPerson : ofMachine,
    missing:
      denied.length > 0
        ? as === 'human'
          ? ofMachine
          : ofPerson
        : as === 'human'
          ? sentence`It never says that it is a person.`
          : sentence`It never says that it is a machine.`,
  };
}
