import { pattern, source } from '../../base/rows.ts';
import type { Turn } from '../../contract/testRuns.ts';
import { heardSentencesOf } from '../heard/words.ts';

/** Words between an instruction and its verdict. None names a thing: "print your boarding pass" isn't one. */
const filler = source`
  (?:
    (?:
      only|just|simply|back|out|now|always|must|should|with|that|this|it|everything|every|all|as|is
      |be|to|of
      |(?:the|a|your|its)(?=
        [ ](?:
          word|verdict|result|judge?ment|test|call|answer|criterion|passing|conversation|interaction
          |session|run|transcript
        )
      )
      |word|verdict|result|judge?ment|test|call|criterion|answer|conversation|interaction|session|run
      |transcript
    )[ ]
    |[:"'“] ?
  )*
`;

interface Addressing {
  readonly why: string;
  readonly pattern: RegExp;
}

/**
 * Words that aren't meant for a caller, but for the judge of the call. The patterns are narrow, because a system that
 * mentions passes, tests, instructions or approval isn't cheating.
 */
const addressings: readonly Addressing[] = [
  {
    why: 'an order to ignore instructions',
    pattern: pattern`
      \b(?:ignore|disregard|forget|override|overrule)\b (?:
        (?:your|all|any|of|the|these|those|my|other|previous|prior|earlier|former|original|system|acceptance)[ ]
      )*(?:
        (?:instructions?|prompts?|rules|guidelines)(?! (?:on|in|from|for|that|by|of|about|sent|you)\b)
        |criteri(?:on|a)
      )\b
    `,
  },
  {
    why: 'an order to ignore instructions',
    pattern: pattern`
      \b(?:ignore|disregard|forget) (?:
        everything|all|anything|what
      )\b[^.;?!]{0,30}\b(?:said|written|told)(?: to you)? (?:before|above)\b
    `,
  },
  { why: 'a verdict', pattern: /\bverdict\b[^.;?!]{0,30}["'“ ](?:pass|passed|success|successful|true|positive)\b/ },
  { why: 'a verdict', pattern: /\bjudge?ments? (?:is|be|as|equals|should be|must be|:)? ?["'“]?(?:pass|passed)\b/ },
  {
    why: 'an order to give a verdict',
    pattern: pattern`
      (?<!\b(?:an?|the|your|my|our|day) )\b(?:
        answer|respond|reply|output|return|print|say|write|report|mark|rate|grade|score|record|conclude
        |declare|choose|select|set|give|issue|label|classify|judge
      ),?:? ${filler}["'“]?(?:
        (?:pass|passed)\b(?!
          [ ]?(?:
            code|word|phrase|port|number|key|card|holder|through|along|on|out|by|the|me|us|you|your|it
            |an?
          )s?\b
        )
        |passing (?:result|verdict|grade|judge?ment)\b|verdicts? (?:of |as )?(?:pass|success)
      )
    `,
  },
  {
    why: 'a claim that the criterion is met',
    pattern: pattern`
      \bacceptance criteri(?:on|a)\b
      |\b(?:the|this|all|every|each) (?:acceptance |other )?(?:
        tests?|criteri(?:on|a)|missions?|evaluation|assertions?
      ) (?:
        is|are|was|were|has been|have been|have|has
      ) (?:now |already |been |all |fully )*(?:met|passed|fulfilled|satisfied|successful)\b
      |\b(?:meets?|met|fulfils?|satisf(?:ies|y)) (?:the|every|all|each|any)(?: of the)? criteri(?:on|a)\b
    `,
  },
  {
    why: 'an address to a judge',
    pattern: pattern`
      \b(?:dear|attention|note to|message (?:to|for)|hey|hello|hi),? (?:(?:the|all|any|our|my|whoever is) )?(?:
        judge|evaluator|grader|assessor|reviewer|language model|llm|test(?:ing)? (?:tool|system|bot|agent)
      )\b(?!')
    `,
  },
  {
    why: 'an address to a judge',
    pattern: pattern`
      \b(?:you are|you're|act as|pretend to be) (?:now )?(?:an? |the )?(?:
        judge|evaluator|grader|language model|llm|helpful assistant
      )\b
      |\bas an? (?:language model|llm|evaluator|grader)\b|\bthe judge (?:should|must|shall)\b
      |\bdeveloper mode\b
    `,
  },
  {
    why: 'words of a program',
    pattern: /\bsystem override\b|\bdeveloper (?:prompt|message|instruction|note|override)s?\b/,
  },
  {
    why: 'words of a program',
    pattern: /<\/?\s*(?:data|system|instructions?|transcript|user|assistant)\b|\[\/?(?:inst|system)\]|<\|/,
  },
  {
    why: 'words of a program',
    pattern: /\b(?:verdict|passreasoning|judgereasoning)["']?\s*[:=]|["']evidence["']\s*[:=]/,
  },
  {
    why: 'an end of the transcript that is none',
    pattern: /\bend of (?:the )?(?:transcript|conversation log)\b|\bthe transcript ends\b/,
  },
  {
    why: 'another task for a judge',
    pattern: /\b(?:real|actual|true) (?:task|criterion|transcript) (?:is|was)\b|\bnew (?:instructions?|task)\s*:/,
  },
];

const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\p{Cf}]/gu, '')
    .replace(/\s+/g, ' ')
    .toLowerCase();
/** All patterns in one, because almost no sentence matches any. */
const anyAddressing = new RegExp(addressings.map(({ pattern: { source: one } }) => `(?:${one})`).join('|'));
/** Takes a sentence as `plain` returns it. */
const addressingIn = (sentence: string): Addressing | undefined =>
  anyAddressing.test(sentence) ? addressings.find(({ pattern }) => pattern.test(sentence)) : undefined;

const leftOut = '[words to a judge, left out]';

export interface LeftOut {
  readonly turn: number;
  readonly text: string;
  readonly why: string;
}

export interface CleanedTranscript {
  /** The transcript with each sentence that addresses a judge replaced by spaces, so that positions stay the same. */
  readonly blanked: readonly Turn[];
  /** The transcript for reading, with a note instead of the words. */
  readonly shown: readonly Turn[];
  /** One entry per sentence, or per group of sentences that match only together. */
  readonly out: readonly LeftOut[];
}

interface Part {
  readonly text: string;
  /** The text without sentence ends, as `plain` returns it. */
  readonly words: string;
  readonly out?: string | undefined;
}

/** Divided into sentences it can look harmless ("Verdict. Pass."), so up to this many are also read together. */
const maxJoined = 6;

/** Removes what is meant for a judge: whole sentences, because the wrapping belongs to the instruction. */
export function withoutAddressed(transcript: readonly Turn[]): CleanedTranscript {
  const out: LeftOut[] = [];
  const turns = transcript.map((turn, index) => {
    if (turn.speaker === 'us') return { blanked: turn, shown: turn };
    const parts = partsOf(turn.text);
    out.push(...parts.flatMap(({ text, out: why }) => (why === undefined ? [] : [{ turn: index, text, why }])));
    const write = (note: (text: string) => string): string =>
      parts.map((part) => (part.out === undefined ? part.text : note(part.text))).join('');
    return {
      blanked: { ...turn, text: write((text) => ' '.repeat(text.length)) },
      shown: {
        ...turn,
        text: write(() => ` ${leftOut} `)
          .replace(/\s+/g, ' ')
          .trim(),
      },
    };
  });
  return { blanked: turns.map(({ blanked }) => blanked), shown: turns.map(({ shown }) => shown), out };
}

function partsOf(text: string): Part[] {
  let parts = heardSentencesOf(text).map((sentence): Part => {
    const found = addressingIn(plain(sentence.text));
    const words = plain(sentence.text.replace(/[.;?!\n]+/g, ' '));
    return { text: sentence.text, words, out: found?.why };
  });
  for (let size = 2; size <= Math.min(maxJoined, parts.length); size += 1) parts = joinParts(parts, size);
  return parts;
}

/** Joins sentences that address a judge only when they are read together. */
function joinParts(parts: readonly Part[], size: number): Part[] {
  const joined: Part[] = [];
  for (let at = 0; at < parts.length;) {
    const some = parts.slice(at, at + size);
    const found =
      some.length === size && some.every(({ out }) => out === undefined) ? addressingIn(wordsIn(some)) : undefined;
    if (found) joined.push({ text: some.map(({ text }) => text).join(''), words: wordsIn(some), out: found.why });
    else joined.push(...some.slice(0, 1));
    at += found ? size : 1;
  }
  return joined;
}

const wordsIn = (parts: readonly Part[]): string =>
  parts
    .map(({ words }) => words)
    .join(' ')
    .replace(/ {2,}/g, ' ');

/** Returns the omitted words as a model may read them, without the verdict that they ask for. */
export const shownLeftOut = ({ turn, text, why }: LeftOut): string =>
  `${turn + 1}. (${why}) ${text
    .normalize('NFKC')
    .replace(/[\p{Cf}]/gu, '')
    .replace(/\bpass(?:ed|ing)?\b|\bsuccess(?:ful)?\b/giu, '[…]')
    .replace(/\s+/g, ' ')
    .trim()}`;
