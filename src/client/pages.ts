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

/**
 * Yields every row, starting with the page at `cursor`. The next page is requested when the rows before it are used up.
 * A page can be empty without being the last.
 */
export async function* rowsOf(
  readPage: (cursor: string | undefined) => Promise<ResponsePage>,
  cursor: string | undefined,
): AsyncGenerator<unknown, void, undefined> {
  for (let next = cursor; ;) {
    const page = await readPage(next);
    yield* page.items;
    if (page.nextCursor === undefined) return;
    next = page.nextCursor;
  }
}
