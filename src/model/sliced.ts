/** Work that can pause at each yield, so that other work doesn't have to wait for its end. */
export type Sliced<Result> = Generator<undefined, Result, undefined>;

/** Runs it without a pause. */
export function atOnce<Result>(work: Sliced<Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}
