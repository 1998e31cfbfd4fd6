import type { DialogOptions, Choice, Question } from './dialogs.ts';

export interface DialogStep {
  /** Absent if the question isn't part of the sequence. Answers decide how many steps follow, so no total is shown. */
  readonly step?: number;
  readonly canGoBack: boolean;
  /** A button for what the form doesn't ask. Afterwards, the question is shown again as the user left it. */
  readonly more?: { readonly title: string; readonly open: () => Promise<void> };
}

/** The user wants to go back one step. */
export const back = Symbol('back');
export type Back = typeof back;

/** The questions of a multi-step form. The result is undefined if the user cancels. */
export interface StepDialogs {
  ask(question: Question & DialogStep): Promise<string | Back | undefined>;
  pick<T>(
    choices: readonly Choice<T>[],
    asking: DialogOptions & DialogStep & { readonly chosen?: T | undefined },
  ): Promise<T | Back | undefined>;
}
