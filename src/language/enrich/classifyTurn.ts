import { isContent } from '../heard/words.ts';
import { offeredWordsIn, withoutOffers } from '../labels/announced.ts';
import { labelSentencesOf } from '../labels/wordForms.ts';
import { englishTopics, type Topic } from './topics.ts';

/** The meaning of one prompt for a reviewer, and the words that show it. */
export interface TurnClass {
  readonly category: string;
  readonly classification: 'observed';
  readonly rationale: string;
}

const longestQuote = 120;

/** Classifies a prompt by rules, from its words only. Returns undefined if it has none of the topics. Never throws. */
export function classifyTurn(transcript: string, topics: readonly Topic[] = englishTopics): TurnClass | undefined {
  const text = transcript
    .slice(0, 8000)
    .replace(/[’]/g, "'")
    .replaceAll(/\ba\.i\./gi, 'AI');
  const sentences = readSentences(text);
  for (const { category, words, offered } of topics) {
    const shown = sentences.find(({ said, stated }) => words.test(offered === true ? said : stated));
    if (shown) return { category, classification: 'observed', rationale: `Says "${shorten(shown.whole.trim())}".` };
  }
  return undefined;
}

/** Returns the sentences of a prompt, and each without what it offers. */
export function readSentences(prompt: string): { whole: string; said: string; stated: string }[] {
  const offers = offeredWordsIn(prompt);
  // Recognition also ends sentences at pauses: "For opening hours. Press 2." Only the offer has content words there.
  const isOffer = (part: string): boolean => !(withoutOffers(part, offers).match(/\p{L}+/gu) ?? []).some(isContent);
  return labelSentencesOf(prompt).map((whole) => ({
    whole,
    said: whole.toLowerCase(),
    stated: isOffer(whole) ? '' : withoutOffers(whole),
  }));
}

const shorten = (sentence: string): string =>
  sentence.length > longestQuote ? `${sentence.slice(0, longestQuote)}…` : sentence;
