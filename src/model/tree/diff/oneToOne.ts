/** A one-to-one match between items of the base and of the current tree. */
export class OneToOne<T> {
  readonly #toCurrent = new Map<T, T>();
  readonly #toBase = new Map<T, T>();

  add(base: T, current: T): void {
    this.#toCurrent.set(base, current);
    this.#toBase.set(current, base);
  }

  current(base: T): T | undefined {
    return this.#toCurrent.get(base);
  }
  base(current: T): T | undefined {
    return this.#toBase.get(current);
  }
  hasBase(base: T): boolean {
    return this.#toCurrent.has(base);
  }
  hasCurrent(current: T): boolean {
    return this.#toBase.has(current);
  }
  hasEither(base: T, current: T): boolean {
    return this.hasBase(base) || this.hasCurrent(current);
  }
  are(base: T, current: T): boolean {
    return this.#toCurrent.get(base) === current;
  }
  /** Pairs of base and current. */
  entries(): MapIterator<[T, T]> {
    return this.#toCurrent.entries();
  }
  /** The same match from the other tree's side. */
  reversed(): OneToOne<T> {
    const pairs = new OneToOne<T>();
    for (const [base, current] of this.#toCurrent) pairs.add(current, base);
    return pairs;
  }
}
