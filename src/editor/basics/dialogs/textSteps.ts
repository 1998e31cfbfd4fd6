import type { L10n } from '../localise.ts';
import type { Choice, Question } from './dialogs.ts';
import { back, type FormStep, type StepDialogs } from './stepDialogs.ts';

export interface FormBoxes {
  readonly dialogs: StepDialogs;
  readonly l10n: L10n;
  readonly title: string;
}

interface Asked<Value> extends Pick<Question, 'prompt' | 'placeHolder' | 'value' | 'password'> {
  readonly check: (typed: string) => string | undefined;
  /** Without it, the text itself is the value. */
  readonly take?: (typed: string) => Value | undefined;
  readonly optional?: boolean;
}

/** Returns a step that asks for one of several choices. */
export const choiceStep =
  <Draft extends object, Value extends string>(
    { dialogs, title }: FormBoxes,
    placeHolder: string,
    asked: (draft: Draft) => { readonly choices: readonly Choice<Value>[]; readonly chosen: Value | undefined },
    take: (draft: Draft, value: Value) => Draft,
  ): FormStep<Draft>['ask'] =>
  async (draft, place) => {
    const { choices, chosen } = asked(draft);
    const picked = await dialogs.pick(choices, { title, placeHolder, chosen, ...place });
    return picked === undefined || picked === back ? picked : take(draft, picked);
  };

/** Returns a step that asks for one text. Empty text removes the property if it is optional. */
export const textStep =
  <Draft extends object, Member extends keyof Draft>(
    { dialogs, title }: FormBoxes,
    member: Member,
    asked: (draft: Draft) => Asked<NonNullable<Draft[Member]>>,
  ): FormStep<Draft>['ask'] =>
  async (draft, place) => {
    const { check, take, optional = false, ...question } = asked(draft);
    const { password = false } = question;
    const typed = await dialogs.ask({
      title,
      ...question,
      ...place,
      check: (given) => (given.trim() === '' && optional ? undefined : check(password ? given : given.trim())),
    });
    if (typed === undefined || typed === back) return typed;
    const answer = password ? typed : typed.trim();
    return withMember(draft, member, answer === '' ? undefined : take ? take(answer) : (answer as Draft[Member]));
  };

type NumberOf<Draft> = {
  [Member in keyof Draft]-?: NonNullable<Draft[Member]> extends number ? Member : never;
}[keyof Draft];

export const numberStep = <Draft extends object>(
  boxes: FormBoxes,
  member: NumberOf<Draft>,
  prompt: string,
  placeHolder: string,
  { min, max }: { readonly min: number; readonly max: number },
  whole = true,
): FormStep<Draft> => ({
  ask: textStep(boxes, member, (draft: Draft) => ({
    prompt,
    placeHolder,
    value: draft[member] === undefined ? '' : String(draft[member]),
    optional: true,
    take: (typed) => Number(typed) as NonNullable<Draft[NumberOf<Draft>]>,
    check: (typed) =>
      /^\d+(\.\d+)?$/.test(typed) &&
      Number(typed) >= min &&
      Number(typed) <= max &&
      (!whole || Number.isInteger(Number(typed)))
        ? undefined
        : whole
          ? boxes.l10n.t('Enter a whole number from {0} to {1}, or leave the field empty.', min, max)
          : boxes.l10n.t('Enter a number from {0} to {1}, such as 0.5, or leave the field empty.', min, max),
  })),
});

export function withMember<Draft extends object, Member extends keyof Draft>(
  draft: Draft,
  member: Member,
  value: Draft[Member] | undefined,
): Draft {
  const others = Object.fromEntries(Object.entries(draft).filter(([name]) => name !== member)) as Draft;
  return value === undefined ? others : { ...others, [member]: value };
}
