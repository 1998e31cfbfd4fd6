import { partsInOrder } from '../../base/partsInOrder.ts';
import { labelSeparator, type MenuReading } from '../../contract/menu.ts';
import { actTable, type Act } from './actTable.ts';
import { spelled, whyRefused, type OptionRefusal } from './liveChoice.ts';

/** What a mapping may press on a live number in addition to what is plainly harmless. */
export interface PressRules {
  /** Labels as prompts say them. `*` stands for any text; case, accents and punctuation don't matter. */
  readonly allowedLabels?: readonly string[] | undefined;
  /** Also options that aren't known to do anything irreversible. */
  readonly pressUnsure?: boolean | undefined;
}

/**
 * Returns why the option with this label isn't pressed, or the phrase not said, on a live number, for people. Undefined
 * if it may be.
 * @param announced What the prompt says elsewhere about the option's effect.
 */
export function whyNotPressed(
  label: string,
  rules: PressRules,
  announced: ReadonlySet<Act> = new Set(),
): string | undefined {
  const byName = (named: string): boolean => isAllowedByName(named, rules);
  const refusal: OptionRefusal | undefined =
    announced.size > 0 && !byName(label)
      ? { because: 'acts', acts: announced }
      : whyRefused(label, { byName, unsure: () => rules.pressUnsure === true });
  return refusal && whySkipped(refusal);
}

/** Returns why a mapping left an option out, for people. */
export function whySkipped(refusal: OptionRefusal): string {
  switch (refusal.because) {
    case 'acts':
      return `This option may ${maySay(refusal.acts)}, so Dialtree didn't press it on a live number. ${how}.`;
    case 'unread':
      return "Dialtree didn't understand what this option does, so it didn't press it on a live number. To press such options, set pressUnsure of the mapping.";
    case 'unsure':
      return `On a live number, Dialtree presses only options that are plainly harmless, and this one may not be. ${how}, or set pressUnsure.`;
  }
}

/** Returns why no key is pressed on a live number if labels may belong to other keys: any key may do any of them. */
export function whyLabelsDoubted({ options, unsure = [] }: MenuReading, rules: PressRules): string | undefined {
  if (!unsure.includes('labels')) return undefined;
  if (options.every(({ label }) => isAllowedByName(label, rules))) return undefined;
  const isRefused = options.some(({ label }) => whyNotPressed(label, rules) !== undefined);
  return isRefused || rules.pressUnsure !== true
    ? "The prompt doesn't make clear which label belongs to which key, so Dialtree didn't press this key on a live number. To press it, add the labels of all its options to allowedLabels of the mapping."
    : undefined;
}

const how = 'To press it, add its label to allowedLabels of the mapping';

/** Returns true if the mapping names this option explicitly, whatever it may do. */
export function isAllowedByName(label: string, { allowedLabels = [] }: PressRules): boolean {
  // One that consists only of punctuation names nothing.
  const named = allowedLabels
    .map((pattern) => pattern.split('*').map(spelled))
    .filter((parts) => parts.length > 1 || parts[0] !== '');
  return label
    .split(labelSeparator)
    .map(spelled)
    .every((words) => named.some((parts) => partsInOrder(parts, words)));
}

/** The words after "may": "pay or move money, or cancel or end something". */
export const maySay = (acts: ReadonlySet<Act>): string =>
  actTable
    .filter(({ act }) => acts.has(act))
    .map(({ may }) => may)
    .join(', or ');
