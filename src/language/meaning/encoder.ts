/** The forward pass of Universal Sentence Encoder lite (English): two layers of attention over pieces of words. */

/** Widths of the vectors of tokens, of everything after them, and between the halves of a step. */
const [narrow, wide, inner] = [256, 512, 1536];
const heads = 4;
const tokens = 8002;
/** Longer texts are cut, because the time grows with their length. */
const maxPieces = 96;
/** Entries of the vocabulary that aren't written in texts. */
const reserved = 6;
const unknownCost = 20;
/** Rows that are multiplied in one step: calls on this thread send a packet every 20 ms. */
const rowsAtOnce = 6;
/** How the build packs weights (`meaning.mjs`). */
const shared = 256;
const whole = 20_000;

type Vector = Float32Array<ArrayBuffer>;
type Rest = () => Promise<unknown>;
interface Dense {
  readonly weights: Vector;
  readonly bias: Vector;
}
type Parts = Awaited<ReturnType<typeof unpacked>>;

/** Reads the weights in the order in which the build wrote them. */
async function unpacked(packed: ArrayBuffer, rest: Rest) {
  let end = 0;
  const next = (bytes: number): ArrayBuffer => {
    end += bytes;
    if (end > packed.byteLength) throw new Error('The weights are incomplete.');
    return packed.slice(end - bytes, end);
  };
  const take = async (size: number): Promise<Vector> => {
    if (size < whole) return new Float32Array(next(4 * size));
    const scales = new Float32Array(next((4 * size) / shared));
    const values = new Float32Array(new Int8Array(next(size)));
    for (const [group, scale] of scales.entries())
      for (let at = group * shared; at < (group + 1) * shared; at += 1) values[at] = (values[at] ?? 0) * scale;
    await rest();
    return values;
  };
  const dense = async (from: number, to: number): Promise<Dense> => ({
    weights: await take(from * to),
    bias: await take(to),
  });
  const layer = async (width: number) => ({
    width,
    before: await dense(1, width),
    attend: await dense(width, 3 * width),
    leave: await dense(width, wide),
    between: await dense(1, wide),
    grow: await dense(wide, inner),
    shrink: await dense(inner, wide),
  });
  return {
    table: await take(tokens * narrow),
    timing: await take(narrow / 2),
    past: await dense(narrow, wide),
    layers: [await layer(narrow), await layer(wide)],
    last: await dense(wide, wide),
  };
}

export class SentenceEncoder {
  readonly #pieces: ReadonlyMap<string, { readonly token: number; readonly cost: number }>;
  readonly #longest: number;
  readonly #parts: Parts;

  private constructor(parts: Parts, vocabulary: readonly (readonly [string, number])[]) {
    this.#parts = parts;
    this.#pieces = new Map(
      vocabulary.map(([text, cost], token) => [text, { token, cost: -cost }] as const).slice(reserved),
    );
    this.#longest = Math.max(...[...this.#pieces.keys()].map((piece) => piece.length));
  }

  /** Unpacks what the build made. Calls `rest` between steps of a few milliseconds. */
  static async open(
    packed: ArrayBuffer,
    vocabulary: readonly (readonly [string, number])[],
    rest: Rest,
  ): Promise<SentenceEncoder> {
    return new SentenceEncoder(await unpacked(packed, rest), vocabulary);
  }

  /** Returns a vector of length 1. Calls `rest` between steps of a few milliseconds. */
  async encode(text: string, rest: Rest): Promise<Vector> {
    const { table, timing, past, layers, last } = this.#parts;
    const pieces = this.#split(text).slice(0, maxPieces);
    const first = new Float32Array(pieces.length * narrow);
    pieces.forEach((token, time) => {
      for (let i = 0; i < narrow; i += 1) {
        const angle = time * (timing[i % timing.length] ?? 0);
        first[time * narrow + i] =
          2 * (table[token * narrow + i] ?? 0) + (i < narrow / 2 ? Math.sin(angle) : Math.cos(angle));
      }
    });
    let state = first;
    for (const layer of layers) {
      const kept = layer.width === wide ? state : await timesInSteps(state, past, rest);
      state = plus(await attended(state, layer, rest), kept);
      const grown = await timesInSteps(normalised(state, layer.between), layer.grow, rest);
      state = plus(
        await timesInSteps(
          grown.map((value) => Math.max(0, value)),
          layer.shrink,
          rest,
        ),
        state,
      );
    }
    const mean = new Float32Array(wide);
    state.forEach((value, at) => (mean[at % wide] = (mean[at % wide] ?? 0) + value / pieces.length));
    return unit(times(mean, last).map(Math.tanh));
  }

  /** Divides a text into the most likely pieces. */
  #split(text: string): number[] {
    const letters = [...`▁${text.normalize('NFKC').replaceAll(' ', '▁')}`];
    const ways = [{ cost: 0, from: 0, token: 0 }];
    const offer = (to: number, cost: number, from: number, token: number): void => {
      if (cost < (ways[to]?.cost ?? Infinity)) ways[to] = { cost, from, token };
    };
    letters.forEach((_, from) => {
      const cost = ways[from]?.cost ?? 0;
      let piece = '';
      for (let to = from + 1; to <= Math.min(letters.length, from + this.#longest); to += 1) {
        piece += letters[to - 1] ?? '';
        const known = this.#pieces.get(piece);
        if (known) offer(to, cost + known.cost, from, known.token);
      }
      offer(from + 1, cost + unknownCost, from, 0);
    });
    const found: number[] = [];
    for (let at = letters.length; at > 0; at = ways[at]?.from ?? 0) found.unshift(ways[at]?.token ?? 0);
    // A run of unknown letters is one unknown piece.
    return found.filter((token, at) => token !== 0 || found[at - 1] !== 0);
  }
}

const plus = (one: Vector, other: Vector): Vector => one.map((value, at) => value + (other[at] ?? 0));

export function unit(vector: Vector): Vector {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

async function timesInSteps(rows: Vector, dense: Dense, rest: Rest): Promise<Vector> {
  const to = dense.bias.length;
  const from = dense.weights.length / to;
  const made = new Float32Array((rows.length / from) * to);
  for (let row = 0; row < rows.length / from; row += rowsAtOnce) {
    made.set(times(rows.subarray(row * from, (row + rowsAtOnce) * from), dense), row * to);
    await rest();
  }
  return made;
}

/** Multiplies each row by a matrix. Four rows of the matrix at a time, which takes a third of the time. */
function times(rows: Vector, { weights, bias }: Dense): Vector {
  const to = bias.length;
  const from = weights.length / to;
  const made = new Float32Array((rows.length / from) * to);
  for (let start = 0; start < made.length; start += to) made.set(bias, start);
  for (let i = 0; i < from; i += 4) {
    const w = i * to;
    for (let row = 0; row < rows.length / from; row += 1) {
      const x = row * from + i;
      const [a, b, c, d] = [rows[x] ?? 0, rows[x + 1] ?? 0, rows[x + 2] ?? 0, rows[x + 3] ?? 0];
      const start = row * to;
      for (let o = 0; o < to; o += 1)
        made[start + o] =
          (made[start + o] ?? 0) +
          a * (weights[w + o] ?? 0) +
          b * (weights[w + to + o] ?? 0) +
          c * (weights[w + 2 * to + o] ?? 0) +
          d * (weights[w + 3 * to + o] ?? 0);
    }
  }
  return made;
}

function normalised(rows: Vector, { weights: scale, bias }: Dense): Vector {
  const width = scale.length;
  const made = new Float32Array(rows.length);
  for (let start = 0; start < rows.length; start += width) {
    const row = rows.subarray(start, start + width);
    const mean = row.reduce((sum, value) => sum + value, 0) / width;
    const variance = row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / width;
    const by = 1 / Math.sqrt(variance + 1e-6);
    row.forEach((value, at) => (made[start + at] = (value - mean) * by * (scale[at] ?? 0) + (bias[at] ?? 0)));
  }
  return made;
}

/** Lets each piece take over from the others what concerns it. */
async function attended(
  state: Vector,
  { width, before, attend, leave }: Parts['layers'][number],
  rest: Rest,
): Promise<Vector> {
  const asked = await timesInSteps(normalised(state, before), attend, rest);
  const count = state.length / width;
  const size = width / heads;
  const at = (piece: number, part: number, head: number): Vector =>
    asked.subarray(piece * 3 * width + part * width + head * size).subarray(0, size);
  const taken = new Float32Array(state.length);
  for (let head = 0; head < heads; head += 1)
    for (let piece = 0; piece < count; piece += 1) {
      if (piece % rowsAtOnce === 0) await rest();
      const query = at(piece, 0, head);
      const weights = Array.from({ length: count }, (_, other) =>
        Math.exp(dot(query, at(other, 1, head)) / Math.sqrt(size)),
      );
      const sum = weights.reduce((total, weight) => total + weight, 0);
      weights.forEach((weight, other) => {
        const start = piece * width + head * size;
        at(other, 2, head).forEach((value, i) => (taken[start + i] = (taken[start + i] ?? 0) + (weight / sum) * value));
      });
    }
  return timesInSteps(taken, leave, rest);
}

export const dot = (one: Vector, other: Vector): number =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
