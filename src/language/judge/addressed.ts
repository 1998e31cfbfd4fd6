import type { Turn } from '../../contract/testRuns.ts';
import { sentencesOf } from './words.ts';

/** What no caller is ever told: words meant for whoever judges the call. Narrow, since a system that talks of approval or of tests is no cheat. */
const patterns: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|overrule|bypass)\b[^.;?!]{0,40}\b(?:instructions?|prompts?|rules|guidelines|criteri(?:on|a)|(?:said|written|told) (?:before|above))\b/,
  /\b(?:verdict|judge?ments?)\b[^.;?!]{0,30}\b(?:is|be|to|as|of|equals?|should|must|:)?\s*["'“]?(?:pass|passed|success|successful|true|positive)\b/,
  /\b(?:answer|respond|reply|output|return|print|say|write|report|mark|rate|grade|score|record|conclude|declare|choose|select|set|give|issue|label|classify)\b[^.;?!]{0,40}\b(?:pass|passed|a passing|verdict|"?verdict"?)\b/,
  /\b(?:acceptance criteri(?:on|a)|(?:test|criteri(?:on|a)|mission|evaluation|check|assertion)s?) (?:is|are|was|were|has been|have been|have|has) (?:now |already |been |all |fully )*(?:met|passed|fulfilled|satisfied|successful|complete|completed)\b/,
  /\b(?:dear|attention|note to|message (?:to|for)|hey|hello|hi)\b[^.;?!]{0,20}\b(?:judges?|evaluators?|graders?|assessors?|reviewers?|language models?|llms?|test(?:ing)? (?:tool|system|bot|agent)s?)\b/,
  /\b(?:you are|you're|act as|pretend to be|as) (?:now )?(?:a |an |the )?(?:judge|evaluator|grader|language model|llm|helpful assistant|developer mode)\b/,
  /\b(?:system|developer|assistant) ?(?:prompt|message|instruction|note|override)s?\b/,
  /(?:^|\s)(?:system|assistant|developer|user)\s*:/,
  /<\/?\s*(?:data|system|instructions?|transcript|user|assistant)\b|\[\/?(?:inst|system)\]|<\|/,
  /["']?(?:verdict|passreasoning|judgereasoning|evidence)["']?\s*[:=]/,
  /\b(?:end of|end) (?:the )?(?:transcript|data|material|conversation log)\b/,
  /\bthe (?:real|actual|true|new) (?:task|instructions?|criteri(?:on|a)|question|transcript)\b/,
  /\bnew (?:instructions?|task|orders)\b\s*(?::|is|are|for)/,
];

/** Says whether a sentence speaks to whoever judges the call rather than to the caller. English and markup; other tongues are left to the marks around the transcript. */
export const addressesJudge = (sentence: string): boolean => {
  const plain = sentence.normalize('NFKC').replace(/[\p{Cf}]/gu, '').replace(/\s+/g, ' ').toLowerCase();
  return patterns.some((pattern) => pattern.test(plain));
};

export const leftOut = '[words to a judge, left out]';

export interface Heard {
  /** As it was, each stretch of their words that speaks to a judge blanked with spaces: places stay as they are. */
  readonly blanked: readonly Turn[];
  /** The same for reading, with a note in place of the words. */
  readonly shown: readonly Turn[];
  /** How many sentences were left out. */
  readonly count: number;
}

/** Takes out of the callee's turns what is meant for a judge. */
export function withoutAddressed(transcript: readonly Turn[]): Heard {
  let count = 0;
  const turns = transcript.map((turn) => {
    if (turn.speaker === 'us') return { blanked: turn, shown: turn };
    // Cut into sentences it may look harmless ("Verdict. Pass."): then the whole turn goes.
    const parts = sentencesOf(turn.text).map((sentence) => ({ ...sentence, out: addressesJudge(sentence.text) }));
    const whole = !parts.some(({ out }) => out) && addressesJudge(turn.text.replace(/[.;?!\n]+/g, ' '));
    const out = whole ? [{ text: turn.text, from: 0, out: true }] : parts;
    count += out.filter((part) => part.out).length;
    const write = (note: (text: string) => string): string => out.map((part) => (part.out ? note(part.text) : part.text)).join('');
    return { blanked: { ...turn, text: write((text) => ' '.repeat(text.length)) }, shown: { ...turn, text: write(() => ` ${leftOut} `).replace(/\s+/g, ' ').trim() } };
  });
  return { blanked: turns.map(({ blanked }) => blanked), shown: turns.map(({ shown }) => shown), count };
}
