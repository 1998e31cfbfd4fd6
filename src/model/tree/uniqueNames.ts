/**
 * Gives each thing the name that is wanted for it, or, where another has that already, the same with a number behind
 * it.
 */
export class UniqueNames {
  readonly #taken: Set<string>;
  /** The number that was tried last for a name. */
  readonly #counts = new Map<string, number>();

  /** @param reserved names that nothing is given */
  constructor(...reserved: readonly string[]) {
    this.#taken = new Set(reserved);
  }

  /** @param numbered what the number stands behind, where that is another text */
  take(wanted: string, numbered = wanted): string {
    let name = wanted;
    let count = this.#counts.get(numbered) ?? 1;
    while (this.#taken.has(name)) name = `${numbered} (${String((count += 1))})`;
    this.#counts.set(numbered, count);
    this.#taken.add(name);
    return name;
  }
}
