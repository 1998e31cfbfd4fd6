export interface Palette {
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly unsure: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly strong: (text: string) => string;
}

const paint =
  (code: number, end: number) =>
  (text: string): string =>
    `\u001b[${code}m${text}\u001b[${end}m`;
const plain = (text: string): string => text;
export const colours: Palette = {
  good: paint(32, 39),
  bad: paint(31, 39),
  unsure: paint(33, 39),
  faint: paint(2, 22),
  strong: paint(1, 22),
};
export const noColours: Palette = { good: plain, bad: plain, unsure: plain, faint: plain, strong: plain };

/**
 * Uses colours only if a person looks and wants them (https://no-color.org: NO_COLOR set and not empty; FORCE_COLOR as
 * Node reads it; TERM=dumb).
 */
export function paletteFor(
  stream: { readonly isTTY?: boolean },
  environment: Readonly<Record<string, string | undefined>>,
): Palette {
  const { NO_COLOR: without, FORCE_COLOR: force, TERM: terminal } = environment;
  if (without !== undefined && without !== '') return noColours;
  if (force !== undefined && force !== '' && force !== '0' && force !== 'false') return colours;
  return stream.isTTY === true && terminal !== 'dumb' && force === undefined ? colours : noColours;
}
