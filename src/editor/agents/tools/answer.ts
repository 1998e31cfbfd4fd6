/** A tool's response to a model: the same content, from the longest text to the shortest. */
export type Answer = readonly [fullest: () => string, ...briefer: (() => string)[]];

export interface TokenLimit {
  /** The maximum number of tokens in the response. */
  readonly budget: number;
  readonly count: (text: string) => PromiseLike<number>;
}

/** The default if the editor sets no budget: a few pages. */
const usualBudget = 8_000;
/** English has about four characters per token. The estimate is rather too high than too low. */
const estimate = (text: string): Promise<number> => Promise.resolve(Math.ceil(text.length / 3.5));

/**
 * Returns the longest text that fits into the model's budget. If even the shortest is too long, returns its first lines
 * and the number of omitted ones.
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
