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
  const text = transcript.slice(0, 8000).replace(/[’]/g, "'");
  const lower = text.toLowerCase();
  for (const { category, words } of topics) {
    const match = words.exec(lower);
    if (match) return { category, classification: 'observed', rationale: `Says "${sentenceAt(text, match.index)}".` };
  }
  return undefined;
}

function sentenceAt(text: string, index: number): string {
  const start = Math.max(0, ...['.', '?', '!'].map((mark) => text.lastIndexOf(mark, index - 1) + 1));
  const end = text.slice(index).search(/[.?!]/);
  const sentence = text.slice(start, end === -1 ? text.length : index + end).trim();
  return sentence.length > longestQuote ? `${sentence.slice(0, longestQuote)}…` : sentence;
}
