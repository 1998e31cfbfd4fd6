import { randomUUID } from 'node:crypto';

/** How much of the hidden log is kept for a failure. */
const keptLines = 60;

/**
 * Prints what the suites write, and keeps back what the editor logs beside it: the page hands over both in one stream.
 * DIALTREE_TEST_VERBOSE=1 prints all.
 */
export class SuiteOutput {
  /** Begins each text of the suites. */
  readonly mark = `${randomUUID()} `;
  readonly #hidden: string[] = [];
  readonly #verbose = process.env['DIALTREE_TEST_VERBOSE'] === '1';

  add(text: string): void {
    // The editor may put a prefix of its own before a text.
    const start = text.indexOf(this.mark);
    if (start >= 0) {
      console.log(text.slice(start + this.mark.length));
    } else if (this.#verbose) {
      console.log(text);
    } else {
      this.#hide(text);
    }
  }

  /** Keeps what names a matter: not the stacks, most of which tell of native modules that tests do without. */
  #hide(text: string): void {
    const title = text.split('\n', 1)[0] ?? '';
    if (/^[^\s}]/.test(title)) {
      this.#hidden.push(title);
      this.#hidden.splice(0, this.#hidden.length - keptLines);
    }
  }

  /** For a failure of the host itself, which its log alone explains. */
  showHidden(): void {
    if (this.#hidden.length > 0) {
      console.error(`The end of the editor's log:\n${this.#hidden.join('\n')}`);
    }
  }
}
