import { bands } from '../fingerprint.ts';

/** A verb or a key that was recognised clearly: how one voice says the word. */
export interface Template {
  readonly word: string;
  readonly frames: Float32Array;
  /** The prompt that it was taken from. */
  readonly source: object;
}

/** Where a template sounds like a prompt, in frames. `cost`: mean distance of their frames. */
export interface Spot {
  readonly word: string;
  readonly from: number;
  readonly to: number;
  readonly cost: number;
}

/** Values of a frame: the bands' levels relative to their mean, in dB, and the weighted level. */
export const width: number = bands + 1;
const levelWeight = 0.5;
/** In dBFS. Everything below is silence. */
const levelFloor = -45;
/** Spots up to this distance count as rivals. */
const maxRivalCost = 12;
/** Two positions of the same word are further apart. */
export const nearFrames = 8;

/** Returns the frames' values: shapes, and levels relative to the mean. */
export function framesOf(shapes: Float32Array, levels: Float64Array): Float32Array {
  const frames = new Float32Array(levels.length * width);
  const mean = new Float64Array(width);
  for (let at = 0; at < levels.length; at += 1) {
    for (let band = 0; band < bands; band += 1) frames[at * width + band] = shapes[at * bands + band] ?? 0;
    frames[at * width + bands] = Math.max(levelFloor, levels[at] ?? levelFloor) * levelWeight;
    for (let value = 0; value < width; value += 1)
      mean[value] = (mean[value] ?? 0) + (frames[at * width + value] ?? 0) / levels.length;
  }
  for (let at = 0; at < frames.length; at += 1) frames[at] = (frames[at] ?? 0) - (mean[at % width] ?? 0);
  return frames;
}

/**
 * Returns where the template sounds most like the prompt. Each frame of the template is compared with one or two of the
 * prompt, or every second one, so that the word can be half or twice as long.
 */
export function spotsOf({ word, frames: template }: Template, frames: Float32Array): Spot[] {
  const [rows, columns] = [template.length / width, Math.min(frames.length / width, longestPromptFrames)];
  // No path through a worse cell can be near enough.
  const tooFar = maxRivalCost * rows;
  let [earlier, previous, now] = [new PathRow(columns), new PathRow(columns), new PathRow(columns)];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const straight = row === 0 ? 0 : previous.costAt(column - 1);
      const doubled = row === 0 ? Infinity : previous.costAt(column - 2);
      const skipping = row === 0 ? Infinity : earlier.costAt(column - 1);
      if (straight > tooFar && doubled > tooFar && skipping > tooFar) {
        now.put(column, Infinity, Infinity, 0);
        continue;
      }
      const distance = distanceOf(template, row * width, frames, column * width);
      const twice = doubled + ((now.distances[column - 1] ?? 0) - distance) / 2;
      const skipped = skipping + (previous.distances[column] ?? 0);
      if (row === 0) now.put(column, distance, distance, column);
      else if (straight <= twice && straight <= skipped)
        now.put(column, distance, straight + distance, previous.starts[column - 1] ?? 0);
      else if (twice <= skipped) now.put(column, distance, twice + distance, previous.starts[column - 2] ?? 0);
      else now.put(column, distance, skipped + distance, earlier.starts[column - 1] ?? 0);
    }
    [earlier, previous, now] = [previous, now, earlier];
  }
  const spots: Spot[] = [];
  for (let to = 0; to < columns; to += 1) {
    const cost = previous.costAt(to) / rows;
    const last = spots.at(-1);
    if (cost > maxRivalCost) continue;
    const spot = { word, from: previous.starts[to] ?? 0, to: to + 1, cost };
    if (!last || spot.to - last.to > nearFrames) spots.push(spot);
    else if (cost < last.cost) spots[spots.length - 1] = spot;
  }
  return spots;
}
/** A menu that is longer is searched up to here, because the search holds up everything else: 60 s. */
const longestPromptFrames = 3000;

/** What is known of one frame of a template at each frame of a prompt: the best path that ends there. */
class PathRow {
  readonly distances: Float64Array;
  readonly costs: Float64Array;
  /** Where the path begins. */
  readonly starts: Int32Array;

  constructor(columns: number) {
    this.distances = new Float64Array(columns);
    this.costs = new Float64Array(columns).fill(Infinity);
    this.starts = new Int32Array(columns);
  }

  costAt(column: number): number {
    return this.costs[column] ?? Infinity;
  }

  put(column: number, distance: number, cost: number, start: number): void {
    this.distances[column] = distance;
    this.costs[column] = cost;
    this.starts[column] = start;
  }
}

/** The Euclidean distance of two frames. */
function distanceOf(a: Float32Array, fromA: number, b: Float32Array, fromB: number): number {
  let sum = 0;
  for (let value = 0; value < width; value += 1) {
    const difference = (a[fromA + value] ?? 0) - (b[fromB + value] ?? 0);
    sum += difference * difference;
  }
  return Math.sqrt(sum);
}
