/** What a tool tells a model: the same from the fullest text to the briefest. */
export type Answer = readonly [fullest: () => string, ...briefer: (() => string)[]];

export interface TokenLimit {
  /** Tokens that the answer may have. */
  readonly budget: number;
  readonly count: (text: string) => PromiseLike<number>;
}

/** Where the editor names none: a few pages. */
const usualBudget = 8_000;
/** English has about four characters a token; rather too many than too few. */
const estimate = (text: string): Promise<number> => Promise.resolve(Math.ceil(text.length / 3.5));

/**
 * The fullest text that the model has room for; where even the briefest is too long, its first lines, and how many are
 * left out.
 */
export async function fitAnswer(
  answer: Answer,
  { budget, count }: TokenLimit = { budget: usualBudget, count: estimate },
): Promise<string> {
  let text = '';
  for (const level of answer) {
    text = level();
    if ((await count(text)) <= budget) return text;
  }
  const lines = text.split('\n');
  const cutAt = (kept: number): string =>
    [...lines.slice(0, kept), `… ${String(lines.length - kept)} more lines are left out: ask for less at once.`].join(
      '\n',
    );
  let [fits, tooMany] = [0, lines.length];
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if ((await count(cutAt(middle))) <= budget) fits = middle;
    else tooMany = middle;
  }
  return cutAt(fits);
}
