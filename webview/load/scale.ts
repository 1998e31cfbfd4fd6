/** The positions of values on a chart, and their round ticks. */

/** Maps 0…`max` to `from`…`to`; if all values are 0, they are at `from`. */
export const scaleOf =
  (max: number, from: number, to: number) =>
  (value: number): number =>
    from + (max > 0 ? value / max : 0) * (to - from);

/**
 * Returns 0 and multiples of 1, 2 or 5 times a power of ten, the last one at or above `max`; about `steps` of them, and
 * integers if the values are.
 */
export function roundTicks(max: number, steps: number, whole: boolean): number[] {
  if (!(max > 0)) return [0, 1];
  const rough = max / steps;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(
    whole ? 1 : 0,
    ([1, 2, 5].find((factor) => factor * power >= rough * (1 - 1e-9)) ?? 10) * power,
  );
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  return Array.from({ length: Math.ceil(max / step - 1e-9) + 1 }, (_value, index) =>
    Number((index * step).toFixed(digits)),
  );
}

const secondSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600];

/** Returns round times from 0 to `max`; no more than `steps` after the first. */
export function secondTicks(max: number, steps: number): number[] {
  const step = secondSteps.find((seconds) => max / seconds <= steps) ?? 3600 * Math.ceil(max / 3600 / steps);
  return Array.from({ length: Math.floor(max / step) + 1 }, (_value, index) => index * step);
}

/**
 * Moves positions apart to at least `gap`, in order and as little as possible, within `min`…`max` if there is space.
 */
export function spread(places: readonly number[], gap: number, min: number, max: number): number[] {
  const order = places.map((_place, index) => index).sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0));
  const moved = [...places];
  let lowest = min;
  for (const index of order) {
    moved[index] = Math.max(places[index] ?? 0, lowest);
    lowest = moved[index] + gap;
  }
  let highest = max;
  for (const index of order.reverse()) {
    moved[index] = Math.min(moved[index] ?? 0, highest);
    highest = moved[index] - gap;
  }
  return moved;
}
