import type { CalltreeNode } from '../../contract/calltreeFile.ts';

/** The usual order of a keypad: 1 to 9, star, zero, pound. */
const keypad = '123456789*0#';

/** Orders the branches of a menu: keys as on a keypad, then phrases alphabetically. */
export function compareWays(
  a: Pick<CalltreeNode, 'digit' | 'spokenResponse' | 'label'>,
  b: Pick<CalltreeNode, 'digit' | 'spokenResponse' | 'label'>,
): number {
  if (a.digit !== undefined && b.digit !== undefined) return keypad.indexOf(a.digit) - keypad.indexOf(b.digit);
  if (a.digit !== undefined || b.digit !== undefined) return a.digit === undefined ? 1 : -1;
  const [one, other] = [a, b].map(({ spokenResponse, label }) => (spokenResponse ?? label ?? '').toLowerCase()) as [
    string,
    string,
  ];
  return one < other ? -1 : one > other ? 1 : 0;
}
