/** As many as a screen shows; the others follow frame by frame. */
const atOnce = 40;
/** Half a frame: the other half is for scrolling. */
const frameShareMs = 8;

/**
 * Shows a list of items as elements. Elements of unchanged items stay, with focus and selection. The end of a long list
 * is added after the first paint.
 */
export class KeyedList<T> {
  readonly #parent: Element;
  readonly #make: (thing: T) => HTMLElement;
  #things: readonly T[] = [];
  #shown: { readonly key: string; readonly element: HTMLElement }[] = [];
  #frame: number | undefined;

  constructor(parent: Element, make: (thing: T) => HTMLElement) {
    this.#parent = parent;
    this.#make = make;
  }

  show(things: readonly T[]): void {
    this.#things = things;
    this.#shown.splice(things.length).forEach(({ element }) => element.remove());
    this.#shown = this.#shown.map((known, index) => {
      const thing = things[index] as T;
      const key = JSON.stringify(thing);
      if (known.key === key) return known;
      const element = this.#make(thing);
      known.element.replaceWith(element);
      return { key, element };
    });
    this.#fill(atOnce);
    this.#goOn();
  }

  /** Returns the element at this index, and creates it if necessary. */
  at(index: number): HTMLElement | undefined {
    if (index < this.#things.length) this.#fill(index + 1);
    return this.#shown[index]?.element;
  }

  #goOn(): void {
    if (this.#shown.length === this.#things.length) return;
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      const until = performance.now() + frameShareMs;
      do this.#fill(this.#shown.length + 1);
      while (this.#shown.length < this.#things.length && performance.now() < until);
      this.#goOn();
    });
  }

  #fill(count: number): void {
    for (const thing of this.#things.slice(this.#shown.length, count)) {
      const element = this.#make(thing);
      this.#parent.append(element);
      this.#shown.push({ key: JSON.stringify(thing), element });
    }
  }
}
