import { dialTargetSchema } from '../../../contract/common.ts';
import type { Choice } from '../../basics/dialogs/dialogs.ts';
import type { L10n } from '../../basics/localise.ts';
import { typedTargetOf } from '../../basics/typedTarget.ts';

interface TypedValues<T> {
  readonly use: (target: string) => T;
  /** Asks for a target in a box that begins with this text. */
  readonly ask: (text: string) => T;
}

/** Returns the choices that contain the typed words. A typed number or SIP address is the first choice. */
export function targetChoices<T>(
  typed: string,
  others: readonly Choice<T>[],
  { use, ask }: TypedValues<T>,
  l10n: L10n,
): Choice<T>[] {
  const words = typed.toLowerCase().trim().split(/\s+/);
  const fitting = others.filter(({ label, description = '' }) =>
    words.every((word) => `${label} ${description}`.toLowerCase().includes(word)),
  );
  const { data: target } = dialTargetSchema.safeParse(typedTargetOf(typed));
  if (target !== undefined) return [{ label: `$(call-outgoing) ${target}`, value: use(target) }, ...fitting];
  const box = { label: `$(edit) ${l10n.t('Enter a number or SIP address…')}`, value: ask(typed.trim()) };
  return typed.trim() === '' ? [box, ...fitting] : [...fitting, box];
}
