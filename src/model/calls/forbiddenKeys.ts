import type { MenuReading } from '../../contract/menu.ts';

export const forbiddenKeyIn = (keys: string, forbidden: string): string | undefined =>
  [...keys].find((key) => forbidden.includes(key));

export function withoutKeys(reading: MenuReading, forbidden: string): MenuReading {
  if (forbidden === '') return reading;
  const { options, input, repeatKey } = reading;
  const allowed = (key: string | null | undefined): boolean =>
    typeof key !== 'string' || forbiddenKeyIn(key, forbidden) === undefined;
  return {
    ...reading,
    options: options.filter(({ key }) => allowed(key)),
    repeatKey: allowed(repeatKey) ? repeatKey : null,
    input: input && (allowed(input.terminator) ? input : { ...input, terminator: null }),
  };
}
