/** Skips the current test or suite, and prints the reason. */
export function skipFor(context: Mocha.Context, reason: string): never {
  console.warn(`    skipped: ${reason}`);
  return context.skip();
}
