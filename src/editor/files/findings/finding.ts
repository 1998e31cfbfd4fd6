import type { Edit, Node } from 'jsonc-parser';
import { didYouMean } from '../../../model/files/didYouMean.ts';
import type { L10n } from '../../basics/localise.ts';

export type Severity = 'error' | 'warning' | 'information' | 'hint';

/** What the Problems view shows as the rule's name, and tests and fixes ask for. */
export type FindingCode =
  | 'missing-state'
  | 'ways-on'
  | 'empty-menu'
  | 'unreachable-state'
  | 'no-end'
  | 'silent-state'
  | 'silent-key'
  | 'no-time'
  | 'impossible-entry'
  | 'missing-route'
  | 'missing-file'
  | 'outside-file'
  | 'wrong-rows'
  | 'unknown-column'
  | 'unused-column'
  | 'duplicate-id'
  | 'threshold'
  | 'no-expectation'
  | 'impossible-timing'
  | 'after-hang-up'
  | 'second-dial'
  | 'too-long'
  | 'missing-step'
  | 'duplicate-step';

/** What a person may choose to put a finding right. */
export type Remedy =
  | { readonly kind: 'edit'; readonly title: string; readonly edits: readonly Edit[]; readonly isPreferred?: boolean }
  /** A file beside this one, by its path from here; without content from the template of its kind. */
  | { readonly kind: 'create'; readonly title: string; readonly path: string; readonly content?: string }
  | { readonly kind: 'addLine'; readonly title: string };

/** Something about a file that its schema does not tell. */
export interface Finding {
  readonly code: FindingCode;
  readonly severity: Severity;
  /** UTF-16 units. */
  readonly offset: number;
  readonly length: number;
  readonly message: string;
  /** Nothing uses it: shown faded. */
  readonly isUnneeded?: boolean;
  readonly related?: readonly { readonly uri: string; readonly message: string }[];
  /** Worked out when somebody asks. */
  readonly remedies?: () => readonly Remedy[];
}

export const at = ({ offset, length }: Pick<Node, 'offset' | 'length'>): Pick<Finding, 'offset' | 'length'> => ({
  offset,
  length,
});

/**
 * So many different names are held against all that are known: more are no slips of the pen, and would keep the editor
 * waiting.
 */
const maxSought = 50;

/** Finds the known name that was probably meant by another. */
export function meantAmong(known: readonly string[]): (name: string) => string | undefined {
  const sought = new Map<string, string | undefined>();
  return (name) => {
    if (!sought.has(name)) sought.set(name, sought.size < maxSought ? didYouMean(name, known) : undefined);
    return sought.get(name);
  };
}

/** The value that was probably meant, in the place of another. */
export const change = (node: Node, to: string, l10n: L10n): Remedy => ({
  kind: 'edit',
  title: l10n.t('Change to "{0}"', to),
  edits: [{ ...at(node), content: JSON.stringify(to) }],
  isPreferred: true,
});
