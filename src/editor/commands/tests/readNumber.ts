/** Accepts a decimal comma instead of the point. Returns NaN if the text isn't a number. */
export const readNumber = (text: string): number => (text.trim() === '' ? NaN : Number(text.trim().replace(',', '.')));
