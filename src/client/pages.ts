import type { OperationName, OperationOutput } from '../contract/operations.ts';

/** The operations that return pages. */
export type ListName = {
  [Name in OperationName]: 'nextCursor' extends keyof OperationOutput<Name> ? Name : never;
}[OperationName];
/** A row of such a list. */
export type ListItem<Name extends ListName> =
  OperationOutput<Name> extends { items: readonly (infer Item)[] } ? Item : never;

export interface ResponsePage {
  readonly items: readonly unknown[];
  readonly nextCursor?: string | undefined;
}
