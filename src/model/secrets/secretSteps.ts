import { columnsIn } from '../tests/columnUse.ts';

interface SecretStep {
  readonly secret?: boolean | undefined;
  readonly action: object;
}

/** Returns what an action presses or says, with its placeholders. */
export const actionTextsOf = (action: object): string[] =>
  Object.entries(action).flatMap(([name, value]): string[] =>
    (name === 'keys' || name === 'text') && typeof value === 'string' ? [value] : [],
  );

export const secretTexts = (steps: readonly SecretStep[]): string[] =>
  steps.flatMap(({ secret, action }) => (secret === true ? actionTextsOf(action) : []));

export const secretColumns = (steps: readonly SecretStep[]): ReadonlySet<string> =>
  new Set(secretTexts(steps).flatMap(columnsIn));
