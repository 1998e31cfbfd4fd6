import type { Edit, Node } from 'jsonc-parser';
import { didYouMean } from '../../../model/files/didYouMean.ts';
import type { CommandId } from '../../basics/commandId.ts';
import type { L10n } from '../../basics/localise.ts';
import type { TextSpan } from '../reading/span.ts';

export type Severity = 'error' | 'warning' | 'information' | 'hint';

/** The rule's name in the Problems view, which tests and fixes use. */
export type FindingCode =
  | 'invalid'
  | 'missing-state'
  | 'ways-on'
  | 'empty-menu'
  | 'unreachable-state'
  | 'no-end'
  | 'silent-key'
  | 'no-time'
  | 'unjudged'
  | 'derivable'
  | 'impossible-entry'
  | 'missing-route'
  | 'missing-file'
  | 'missing-secret'
  | 'outside-file'
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

export type Remedy =
  | { readonly kind: 'edit'; readonly title: string; readonly edits: readonly Edit[]; readonly isPreferred?: boolean }
  /** A file to create, by its path relative to this one. Without content, the template of its kind is used. */
  | { readonly kind: 'create'; readonly title: string; readonly path: string; readonly content?: string }
  | { readonly kind: 'run'; readonly title: string; readonly command: CommandId; readonly argument?: object };

export interface FileFinding extends TextSpan {
  readonly code: FindingCode;
  readonly severity: Severity;
  readonly message: string;
  /** Nothing is wrong: only the remedies are shown. */
  readonly isOffer?: boolean;
  /** Unused, so it is shown faded. */
  readonly isUnneeded?: boolean;
  readonly related?: readonly { readonly uri: string; readonly message: string }[];
  readonly remedies?: () => readonly Remedy[];
}

/** Returns a finding about a node, or about another range of the text. */
export const finding = (
  severity: Severity,
  code: FindingCode,
  { offset, length }: TextSpan,
  message: string,
  more: Pick<FileFinding, 'isOffer' | 'isUnneeded' | 'related' | 'remedies'> = {},
): FileFinding => ({ severity, code, offset, length, message, ...more });

/**
 * Up to this many different names are compared with all known ones. More aren't typing errors, and would block the
 * editor.
 */
const maxSought = 50;

/** Returns a function that finds the known name which a wrong one probably means. */
export function meantAmong(known: readonly string[]): (name: string) => string | undefined {
  const sought = new Map<string, string | undefined>();
  return (name) => {
    if (!sought.has(name)) sought.set(name, sought.size < maxSought ? didYouMean(name, known) : undefined);
    return sought.get(name);
  };
}

/** Returns the preferred remedy, which replaces a node or another range of the text. */
export const replacing = (title: string, { offset, length }: TextSpan, content: string): Remedy => ({
  kind: 'edit',
  title,
  edits: [{ offset, length, content }],
  isPreferred: true,
});

export const change = (node: Node, to: string, l10n: L10n): Remedy =>
  replacing(l10n.t('Change to "{0}"', to), node, JSON.stringify(to));
