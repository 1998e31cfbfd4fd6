/** Skips what runs now, with the reason printed. */
export function skipFor(context: Mocha.Context, reason: string): never {
  console.warn(`    skipped: ${reason}`);
  return context.skip();
}
