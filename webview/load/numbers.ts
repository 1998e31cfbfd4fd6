import { clock, decimalText } from '../page/formats.ts';

/** Formats figures for people: as many digits as the size deserves, the unit after a space. */

/** Seconds without a unit: 0.004, 0.21, 2.51, 12.4, 125. */
export function secondsFigure(seconds: number): string {
  return decimalText(seconds, seconds < 0.1 ? 3 : seconds < 10 ? 2 : seconds < 100 ? 1 : 0);
}

/** Milliseconds without a unit: 0.42, 7.1, 128. */
export function millisecondsFigure(ms: number): string {
  return decimalText(ms, ms < 1 ? 2 : ms < 100 ? 1 : 0);
}

/** Percent without a sign. Only the whole is 100, and only nothing is 0. */
export function percentFigure(share: number): string {
  const percent = share * 100;
  if (percent <= 0) return '0';
  if (percent >= 100) return '100';
  if (percent < 0.01) return `< ${decimalText(0.01, 2)}`;
  if (percent < 1) return decimalText(percent, 2);
  return decimalText(Math.min(99.9, percent), 1);
}

export const loadSecondsText = (seconds: number): string => `${secondsFigure(seconds)} s`;
export const percentText = (share: number): string => `${percentFigure(share)} %`;

/** A time in the test: `12 s` if the whole test is short, otherwise `2:05`. */
export const momentText = (second: number, longest: number): string =>
  longest <= 120 ? `${String(Math.round(second))} s` : clock(Math.round(second));
