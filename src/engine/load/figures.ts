import { percentiles } from '../../model/stats/percentiles.ts';
import type { Percentiles } from '../../model/stats/percentiles.ts';

export const roundTo = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;

/** Rounds percentiles to this many decimals; more would suggest precision that isn't there. */
export function roundedPercentiles(values: readonly number[], digits: number): Percentiles | undefined {
  const of = percentiles(values);
  return of && { p50: roundTo(of.p50, digits), p95: roundTo(of.p95, digits), p99: roundTo(of.p99, digits) };
}
