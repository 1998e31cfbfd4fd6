/** The theme's colours for canvas drawings, where CSS variables don't work. */

export type ColourName = `--${string}`;

/** Resolves variables of the page's style sheet until the theme changes. */
export class ThemeColours {
  readonly #probe: HTMLElement;
  readonly #known = new Map<ColourName, string>();

  /** `onChange` is called after a change of the theme. */
  constructor(within: HTMLElement, onChange: () => void) {
    this.#probe = document.createElement('span');
    this.#probe.hidden = true;
    within.append(this.#probe);
    const change = (): void => {
      this.#known.clear();
      onChange();
    };
    // The theme of a saved page, which is the browser's.
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', change);
    const observer = new MutationObserver(change);
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style', 'class'] });
    observer.observe(document.body, { attributes: true, attributeFilter: ['class', 'data-vscode-theme-id'] });
  }

  of(name: ColourName): string {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    this.#probe.style.color = `var(${name})`;
    const colour = getComputedStyle(this.#probe).color;
    this.#known.set(name, colour);
    return colour;
  }
}
