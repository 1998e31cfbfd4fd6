import { sentence } from '../../../base/sentences.ts';
import { isInOrder } from '../../../base/inOrder.ts';
import { pattern, source } from '../../../base/rows.ts';
import { noticeWords } from '../../../model/checks/describeCheck.ts';
import type { HeardCall, Sentence } from '../heardCall.ts';
import { seenInSentence, type Seen, type Sightings } from '../sightings.ts';

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
        |calling|and|but|of
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

/** Finds where the called side says that it is a person, or a machine: unasked, or in answer to the caller's question. */
export function findSelf(as: 'machine' | 'human', { turns, sentences }: HeardCall): Sightings {
  const sure: Seen[] = [],
    denied: Seen[] = [],
    maybe: Seen[] = [];
  const answers = new Map<number, 'human' | 'machine' | 'either'>();
  turns.forEach((turn, index) => {
    const question = turn.speaker === 'us' ? asked(turn.text) : undefined;
    if (question && turns[index + 1]?.speaker === 'them') answers.set(index + 1, question);
  });
  let before: Sentence | undefined;
  for (const sentence of sentences) {
    const isFirst = before?.index !== sentence.index;
    before = sentence;
    const says = named(sentence.lower, isFirst ? answers.get(sentence.index) : undefined);
    // "I wish I could say that I am a human." "He says, I am a human."
    const isOpen = sentence.doubtful || sentence.conditional || /\b(?:says?|said|only)\b/.test(sentence.lower);
    if (says && !isOpen) (says === as ? sure : denied).push(seenInSentence(sentence));
    else if (says || isOfItself(sentence.stated) || (isFirst && answers.has(sentence.index)))
      maybe.push(seenInSentence(sentence));
  }
  const { human: ofPerson, automated: ofMachine } = noticeWords;
  return {
    sure,
    maybe,
    denied,
    complete: true,
    shown: as === 'human' ? ofPerson : ofMachine,
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
