import type { DialogOptions, Choice, Question } from './dialogs.ts';

export interface StepPlace {
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
  ask(question: Question & StepPlace): Promise<string | Back | undefined>;
  pick<T>(
    choices: readonly Choice<T>[],
    asking: DialogOptions & StepPlace & { readonly chosen?: T | undefined },
  ): Promise<T | Back | undefined>;
}

/** One question of a form, which the form can skip. */
export interface FormStep<Draft> {
  readonly isAsked?: (draft: Draft) => boolean;
  readonly ask: (draft: Draft, place: StepPlace) => Promise<Draft | Back | undefined>;
}

/** Asks the steps in order, back and forth. Returns undefined if the user cancels. Earlier answers are shown again. */
export async function runForm<Draft>(
  steps: readonly FormStep<Draft>[],
  start: Draft,
  more?: (draft: Draft) => NonNullable<StepPlace['more']>,
): Promise<Draft | undefined> {
  let draft = start;
  for (let at = 0; at < steps.length;) {
    const asked = steps
      .map(({ isAsked }, index) => ({ index, isAsked: isAsked?.(draft) ?? true }))
      .filter((step) => step.isAsked)
      .map(({ index }) => index);
    const step = steps[at];
    if (!step || !asked.includes(at)) {
      at += 1;
      continue;
    }
    const position = asked.indexOf(at);
    const answer = await step.ask(draft, {
      step: position + 1,
      canGoBack: position > 0,
      ...(more && { more: more(draft) }),
    });
    if (answer === undefined) return undefined;
    if (answer === back) at = asked[position - 1] ?? at;
    else {
      draft = answer;
      at += 1;
    }
  }
  return draft;
}
