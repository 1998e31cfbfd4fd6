/** One line of text that a person is asked for. */
export interface Question {
  readonly title: string;
  readonly prompt: string;
  readonly value?: string;
  /** Why `value` was refused; shown as an error until another is typed. */
  readonly refusal?: string | undefined;
  readonly placeHolder?: string;
  /** What is typed is not shown. */
  readonly password?: boolean;
  /** What is wrong with a text; undefined where nothing is. */
  readonly check?: (text: string) => string | undefined;
}

export interface Choice<T> {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  /** Choices of one group stand together under its name. */
  readonly group?: string;
  /** Not chosen at first, where several may be. */
  readonly unpicked?: boolean;
  readonly value: T;
}

export interface Asking {
  readonly title: string;
  readonly placeHolder: string;
}

/** A button, and what it does. */
export interface Action {
  readonly title: string;
  readonly run: () => unknown;
}

/**
 * What a command says to the person before the screen, and asks of them. Whoever is asked may think better of it: the
 * answer is undefined then.
 */
export interface Dialogs {
  ask(question: Question): Promise<string | undefined>;
  /**
   * Likewise, with a button of this name for what few are asked for: `more` where it was pressed in the place of Enter.
   */
  askOrMore(question: Question, button: string): Promise<{ readonly text: string; readonly more: boolean } | undefined>;
  pick<T>(choices: readonly Choice<T>[], asking: Asking): Promise<T | undefined>;
  /** All are chosen at first that do not say otherwise. */
  pickSome<T>(choices: readonly Choice<T>[], asking: Asking): Promise<T[] | undefined>;
  /** Settles when the message is gone, and what its button does is done. */
  tell(message: string, ...actions: Action[]): Promise<void>;
  /** Likewise, of what went wrong. */
  warn(message: string, ...actions: Action[]): Promise<void>;
  /** Asks before something that cannot be undone. True where the person agrees. */
  confirm(message: string, detail: string, agree: string): Promise<boolean>;
  /** Shows that something is under way; the person may cancel it, which aborts the signal. */
  wait<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  copy(text: string): Promise<void>;
  browse(url: string): Promise<void>;
}
