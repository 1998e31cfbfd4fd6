/** Gives each item its wanted name or, if that is taken, the same with a number. */
export class UniqueNames {
  readonly #usedNames: Set<string>;
  readonly #counts = new Map<string, number>();

  /** @param reserved names that are never given */
  constructor(...reserved: readonly string[]) {
    this.#usedNames = new Set(reserved);
  }

  /** @param numbered the text before the number, if it differs */
  take(wanted: string, numbered = wanted): string {
    let name = wanted;
    let count = this.#counts.get(numbered) ?? 1;
    while (this.#usedNames.has(name)) name = `${numbered} (${String((count += 1))})`;
    this.#counts.set(numbered, count);
    this.#usedNames.add(name);
    return name;
  }
}
