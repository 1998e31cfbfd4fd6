/** Shows a list of things as elements; those of things that have not changed stay as they are, with focus and selection. */
export class KeyedList<T> {
  readonly #parent: Element;
  readonly #make: (thing: T) => HTMLElement;
  #shown: { key: string; element: HTMLElement }[] = [];

  constructor(parent: Element, make: (thing: T) => HTMLElement) {
    this.#parent = parent;
    this.#make = make;
  }

  show(things: readonly T[]): void {
    this.#shown.splice(things.length).forEach(({ element }) => { element.remove(); });
    this.#shown = things.map((thing, index) => {
      const key = JSON.stringify(thing);
      const known = this.#shown[index];
      if (known?.key === key) return known;
      const element = this.#make(thing);
      if (known) known.element.replaceWith(element);
      else this.#parent.append(element);
      return { key, element };
    });
  }
}
