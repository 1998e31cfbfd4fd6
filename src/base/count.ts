/** Returns a number with what it counts, in the singular or plural: "1 call", "2 calls". */
export const count = (number: number, what: string): string => `${String(number)} ${what}${number === 1 ? '' : 's'}`;
