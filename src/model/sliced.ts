/**
 * Work that may be paused wherever it yields, so that whoever serves others meanwhile need not let them wait for its
 * end.
 */
export type Sliced<Result> = Generator<undefined, Result, undefined>;

/** Does it without a pause. */
export function atOnce<Result>(work: Sliced<Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}
