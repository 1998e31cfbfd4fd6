/** A language's prompts: sentences of known words, and pronunciations that the model's dictionary lacks. */
export interface LanguageSample {
  /** The folder of the acoustic model. */
  readonly model: string;
  /** One word and its phones per line. */
  readonly pronunciations: string;
  /** One sentence per line, in lower case and without punctuation. */
  readonly sentences: string;
}

interface PromptGrammar {
  /** Sphinx's finite state grammar, as text. */
  readonly grammar: string;
  readonly dictionary: string;
}

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
const [start, backoff] = [0, 1];
/** The probability that a sentence ends where none ended in the sample. */
const unseenEnd = 0.5;

/**
 * Returns the sentences as a bigram grammar: each word is a state, with its followers as frequent as in the sample.
 * Unseen pairs use a shared state that any word can follow (Witten and Bell 1991, method C).
 */
export function promptGrammar({ sentences, pronunciations }: LanguageSample, modelDictionary: string): PromptGrammar {
  const counts = new Map<string, number>();
  const followers = new Map<string, Map<string, number>>();
  for (const sentence of lines(sentences)) {
    const words = sentence.split(' ');
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    ['', ...words].forEach((word, index) => {
      const next = followers.get(word) ?? new Map<string, number>();
      const follower = words[index] ?? '';
      followers.set(word, next.set(follower, (next.get(follower) ?? 0) + 1));
    });
  }
  const states = new Map([...counts.keys()].map((word, index) => [word, index + 2]));
  const end = states.size + 2;
  const total = sum(counts.values());
  const grammar = [
    'FSG_BEGIN <prompts.sentence>',
    `NUM_STATES ${String(end + 1)}`,
    `START_STATE ${String(start)}`,
    `FINAL_STATE ${String(end)}`,
  ];
  const transition = (from: number, to: number, probability: number, word = ''): void => {
    grammar.push(`TRANSITION ${String(from)} ${String(to)} ${probability.toExponential(6)} ${word}`.trimEnd());
  };
  for (const [word, next] of followers) {
    const from = word === '' ? start : (states.get(word) ?? start);
    const seen = sum(next.values());
    const share = seen / (seen + next.size);
    for (const [follower, count] of next) {
      const to = states.get(follower);
      if (to !== undefined) transition(from, to, (share * count) / seen, follower);
    }
    transition(from, backoff, 1 - share);
    if (from !== start) transition(from, end, Math.min(1, (share * ((next.get('') ?? 0) + unseenEnd)) / seen));
  }
  for (const [word, count] of counts) transition(backoff, states.get(word) ?? backoff, count / total, word);
  const known = lines(modelDictionary).filter((line) =>
    counts.has((line.split(/\s/, 1)[0] ?? '').replace(/\(\d+\)$/, '')),
  );
  return {
    grammar: [...grammar, 'FSG_END', ''].join('\n'),
    dictionary: [...known, ...lines(pronunciations), ''].join('\n'),
  };
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, one) => total + one, 0);
