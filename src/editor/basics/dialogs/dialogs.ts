export interface Question {
  readonly title: string;
  readonly prompt: string;
  readonly value?: string;
  /** Why `value` was refused. Shown as an error until the user types another. */
  readonly refusal?: string | undefined;
  readonly placeHolder?: string;
  readonly password?: boolean;
  /** Returns what is wrong with the text, or undefined if it is valid. */
  readonly check?: (text: string) => string | undefined;
}

export interface Choice<T> {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  /** Choices with the same group appear together under its name. */
  readonly group?: string;
  /** Not selected initially, if several can be chosen. */
  readonly unpicked?: boolean;
  readonly value: T;
}

export interface DialogOptions {
  readonly title: string;
  readonly placeHolder: string;
  /** Stays open while the user looks elsewhere, so that earlier answers aren't lost. */
  readonly ignoreFocusOut?: boolean;
}

export interface SearchOptions extends DialogOptions {
  readonly value?: string | undefined;
  /** The search begins this many milliseconds after the last change of the text. */
  readonly pauseMs?: number;
}

export interface DialogAction {
  readonly title: string;
  readonly run: () => unknown;
}

/** Dialogs of a command with the user. If the user cancels a question, the result is undefined. */
export interface Dialogs {
  ask(question: Question): Promise<string | undefined>;
  pick<T>(choices: readonly Choice<T>[], asking: DialogOptions): Promise<T | undefined>;
  /**
   * Offers exactly the choices that belong to the typed text, in their order. The signal aborts when the text changes
   * or the user leaves.
   */
  search<T>(
    choicesFor: (typed: string, signal: AbortSignal) => Promise<readonly Choice<T>[]>,
    asking: SearchOptions,
  ): Promise<T | undefined>;
  /** All choices are selected initially, unless they say otherwise. */
  pickSome<T>(choices: readonly Choice<T>[], asking: DialogOptions): Promise<T[] | undefined>;
  /** Resolves when the message is gone and the action of its button has finished. */
  tell(message: string, ...actions: DialogAction[]): Promise<void>;
  warn(message: string, ...actions: DialogAction[]): Promise<void>;
  /**
   * Asks before an action that can't be undone. Returns true if the user confirms. Enter confirms, or presses `decline`
   * if there is such a button; a question about calls or data that leave this machine needs one.
   */
  confirm(message: string, detail: string, agree: string, decline?: string): Promise<boolean>;
  /** Shows that work is in progress. The user can cancel it, which aborts the signal. */
  wait<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  copy(text: string): Promise<void>;
  browse(url: string): Promise<void>;
}
