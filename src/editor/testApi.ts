import type { Editor } from './commands/editor.ts';

/** What `activate` returns to the suites that run in the editor, and to no other caller. */
export interface DialtreeTestApi extends Editor {
  readonly activationMs: number;
}
