import * as z from 'zod';
import type { L10n } from '../localise.ts';
import type { Choice } from './dialogs.ts';
import { back, type Back, type StepDialogs, type DialogStep } from './stepDialogs.ts';

export interface FormParts {
  readonly dialogs: StepDialogs;
  readonly l10n: L10n;
  readonly title: string;
}

/** The answers so far. Each question changes them in place, because its button can open other questions. */
export interface Held<Draft> {
  draft: Draft;
}

/** A row of a form: one member of the draft, and the words of the question for it. */
export interface DraftField<Draft> {
  readonly member: keyof Draft & string;
  /**
   * Decides how the text is read (as a number, a list, a text or yes), what is valid, and whether the field can stay
   * empty. An empty field removes the member.
   */
  readonly schema: z.ZodType;
  readonly prompt: string;
  readonly isAsked?: boolean;
  /** Offered instead of a text box. The value '' removes the member. The current one is `text`, or the member's value. */
  readonly choices?: readonly Choice<string>[];
  readonly placeHolder?: string;
  readonly password?: boolean;
  /** The user types a share in percent. */
  readonly percent?: boolean;
  /** What the text box contains at first. Without it, that is the member's value. */
  readonly text?: string;
  /** The sentence for a value that doesn't match the schema. A number doesn't need one. */
  readonly advice?: string;
  /** Returns what else is wrong with the text. `now` also has what changed since the question was shown. */
  readonly check?: (typed: string, now: Draft) => string | undefined;
  /** Returns undefined if the text can't be read. */
  readonly read?: (typed: string) => unknown;
  readonly take?: (now: Draft, typed: string) => Draft;
}

type Answer = true | Back | undefined;

/** A row of a list of options: a field, or another way to ask, with its name and its value in words. */
export type Option<Draft> = {
  readonly label: string;
  /** Without it, that is the label of the current choice, or the text. */
  readonly shown?: string;
  readonly detail?: string;
} & (DraftField<Draft> | { readonly ask: (held: Held<Draft>) => unknown });

/** What a form doesn't ask. A button of each question opens it. */
interface MoreOptions<Draft> {
  readonly table: (draft: Draft) => readonly Option<Draft>[];
  readonly opened?: (draft: Draft) => Draft;
  /** Shows the options after the questions as well, with this choice at the top. */
  readonly last?: string | undefined;
}

/**
 * Asks for the fields of a table in order, back and forth; earlier answers are shown again. The table can depend on the
 * answers, but not its length. Returns undefined if the user cancels.
 */
export async function askFields<Draft extends object>(
  parts: FormParts,
  table: (draft: Draft) => readonly DraftField<Draft>[],
  start: Draft,
  more?: MoreOptions<Draft>,
): Promise<Draft | undefined> {
  const { l10n } = parts;
  const held: Held<Draft> = { draft: start };
  const button = more && {
    title: l10n.t('More options…'),
    async open() {
      held.draft = more.opened?.(held.draft) ?? held.draft;
      await askOptions(parts, held, more.table, l10n.t('Done'));
    },
  };
  const past: number[] = [];
  let at = 0;
  for (;;) {
    const fields = table(held.draft);
    const field = fields[at];
    const isLast = at === fields.length && more?.last !== undefined;
    if (!field && !isLast) return held.draft;
    if (field?.isAsked === false) {
      at += 1;
      continue;
    }
    const place = { step: past.length + 1, canGoBack: past.length > 0 };
    const answer = field
      ? await askField(parts, held, field, { ...place, ...(button && { more: button }) })
      : more?.last !== undefined && (await askOptions(parts, held, more.table, more.last, place));
    if (answer === undefined) return undefined;
    if (answer === back) at = past.pop() ?? 0;
    else {
      past.push(at);
      at += 1;
    }
  }
}

const aside: DialogStep = { canGoBack: true };

/** Shows the options with their values, and asks for those that the user chooses. Returns true at the choice `end`. */
export async function askOptions<Draft extends object>(
  parts: FormParts,
  held: Held<Draft>,
  table: (draft: Draft) => readonly Option<Draft>[],
  end: string,
  place = aside,
  placeHolder = parts.l10n.t('Which option do you want to change?'),
): Promise<Answer> {
  const { dialogs, l10n, title } = parts;
  for (;;) {
    const options = table(held.draft).map((option) => {
      const { label, detail, shown = 'ask' in option ? '' : shownText(held.draft, option, l10n) } = option;
      const description = shown === '' ? l10n.t('not set') : shown;
      return { label, description, ...(detail !== undefined && { detail }), value: option };
    });
    const chosen = await dialogs.pick<Option<Draft> | true>([{ label: end, value: true }, ...options], {
      title,
      placeHolder,
      chosen: true,
      ...place,
    });
    if (chosen === undefined || chosen === back || chosen === true) return chosen;
    await ('ask' in chosen ? chosen.ask(held) : askField(parts, held, chosen, aside));
  }
}

async function askField<Draft extends object>(
  { dialogs, l10n, title }: FormParts,
  held: Held<Draft>,
  field: DraftField<Draft>,
  place: DialogStep,
): Promise<Answer> {
  const { member, prompt, placeHolder, password = false } = field;
  const now: unknown = held.draft[member];
  const choices = choicesOf(field, l10n);
  const tidy = (typed: string): string => (password ? typed : typed.trim());
  const answer = choices
    ? await dialogs.pick(choices, { title, placeHolder: prompt, chosen: field.text ?? textOf(now), ...place })
    : await dialogs.ask({
        title,
        prompt,
        ...(placeHolder !== undefined && { placeHolder }),
        value: field.text ?? textOf(now, field.percent),
        password,
        ...place,
        check: (typed) => problemOf(tidy(typed), field, held.draft, l10n),
      });
  if (answer === undefined || answer === back) return answer;
  const text = tidy(answer);
  held.draft =
    field.take?.(held.draft, text) ??
    withMember(held.draft, member, text === '' ? undefined : (valueOf(text, field) as Draft[typeof member]));
  return true;
}

function choicesOf<Draft>({ choices, schema }: DraftField<Draft>, l10n: L10n): readonly Choice<string>[] | undefined {
  if (choices || !(requiredOf(schema) instanceof z.ZodBoolean)) return choices;
  return [
    { label: l10n.t('Yes'), value: 'yes' },
    { label: l10n.t('No'), value: '' },
  ];
}

function shownText<Draft>(now: Draft, field: DraftField<Draft>, l10n: L10n): string {
  const text = field.text ?? textOf(now[field.member]);
  return choicesOf(field, l10n)?.find(({ value }) => value === text)?.label ?? text;
}

/** Rounded, because 0.07 · 100 isn't 7. */
export const numberText = (value: number, percent = false): string =>
  String(percent ? Number((value * 100).toFixed(6)) : value);

function textOf(value: unknown, percent?: boolean): string {
  if (typeof value === 'number') return numberText(value, percent);
  if (value === true) return 'yes';
  return Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : '';
}

function valueOf<Draft>(typed: string, { schema, read, percent = false }: DraftField<Draft>): unknown {
  if (read) return read(typed);
  const type = requiredOf(schema);
  if (type instanceof z.ZodArray) return listed(typed);
  if (type instanceof z.ZodBoolean) return typed === 'yes';
  if (!(type instanceof z.ZodNumber)) return typed;
  const number = readTypedNumber(typed);
  return percent ? Number((number / 100).toFixed(8)) : number;
}

function problemOf<Draft>(typed: string, field: DraftField<Draft>, now: Draft, l10n: L10n): string | undefined {
  const { schema, check, advice, percent } = field;
  const isOptional = schema.safeParse(undefined).success;
  if (typed === '' && isOptional) return undefined;
  const problem = check?.(typed, now);
  const value = valueOf(typed, field);
  if (problem !== undefined || (value !== undefined && schema.safeParse(value).success)) return problem;
  const type = requiredOf(schema);
  if (!(type instanceof z.ZodNumber)) return advice;
  const [min, max] = [textOf(type.minValue, percent), textOf(type.maxValue, percent)];
  if (type.format === 'safeint')
    return isOptional
      ? l10n.t('Enter a whole number from {0} to {1}, or leave the field empty.', min, max)
      : l10n.t('Enter a whole number from {0} to {1}.', min, max);
  return isOptional
    ? l10n.t('Enter a number from {0} to {1}, or leave the field empty.', min, max)
    : l10n.t('Enter a number from {0} to {1}.', min, max);
}

const requiredOf = (schema: unknown): unknown =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? requiredOf(schema.unwrap()) : schema;

/** Accepts a decimal comma instead of the point. Returns NaN if the text isn't a number. */
export const readTypedNumber = (typed: string): number =>
  /^\d+([.,]\d+)?$/.test(typed) ? Number(typed.replace(',', '.')) : NaN;

/** The different words of a list, between spaces, commas and semicolons. */
const listed = (typed: string): string[] => [...new Set(typed.split(/[\s,;]+/).filter((part) => part !== ''))];

export function withMember<Draft extends object, Member extends keyof Draft>(
  draft: Draft,
  member: Member,
  value: Draft[Member] | undefined,
): Draft {
  const { [member]: _before, ...others } = draft;
  return (value === undefined ? others : { ...others, [member]: value }) as Draft;
}
