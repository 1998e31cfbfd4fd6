import { lineSchema, type Line, type LineKind } from '../../contract/lines.ts';
import type { DraftField } from '../basics/dialogs/askFields.ts';

/** What the form knows of the line so far. */
export type LineDraft = Partial<Omit<Extract<Line, { readonly kind: 'trunk' }>, 'kind' | 'host'>> & {
  readonly name?: string;
  readonly kind?: LineKind;
  /** The host, or the SIP address. */
  readonly address?: string;
  readonly password?: string;
};

/** The members of all kinds of lines. */
export const lineShape = lineSchema.options[1].shape;

/** An option of a line; the contract has its schema. */
export type LineOption = Omit<DraftField<LineDraft>, 'schema'> & {
  readonly label: string;
  readonly member: keyof LineDraft & keyof typeof lineShape;
};
