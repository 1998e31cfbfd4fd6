import { randomUUID } from 'node:crypto';

/** How many lines of the hidden log are kept for a failure. */
const keptLines = 60;

/**
 * Prints the suites' output, and hides the editor's log: the page delivers both in one stream. DIALTREE_TEST_VERBOSE=1
 * prints everything.
 */
export class SuiteOutput {
  /** Precedes each text of the suites. */
  readonly mark = `${randomUUID()} `;
  readonly #hidden: string[] = [];
  readonly #verbose = process.env['DIALTREE_TEST_VERBOSE'] === '1';

  add(text: string): void {
    // The editor can put its own prefix before a text.
    const start = text.indexOf(this.mark);
    if (start >= 0) {
      console.log(text.slice(start + this.mark.length));
    } else if (this.#verbose) {
      console.log(text);
    } else {
      this.#hide(text);
    }
  }

  /** Keeps lines with a message, not the stacks, most of which concern native modules that tests don't need. */
  #hide(text: string): void {
    const title = text.split('\n', 1)[0] ?? '';
    if (/^[^\s}]/.test(title)) {
      this.#hidden.push(title);
      this.#hidden.splice(0, this.#hidden.length - keptLines);
    }
  }

  /** For a failure of the host itself, which only its log explains. */
  showHidden(): void {
    if (this.#hidden.length > 0) {
      console.error(`The end of the editor's log:\n${this.#hidden.join('\n')}`);
    }
  }
}
