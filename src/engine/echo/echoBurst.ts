const SAMPLE_RATE = 8000;
export const BURST_MS = 200;
const FROM_HZ = 400,
  TO_HZ = 1700;
const LEVEL = 9000;
const FADE_MS = 10;
/**
 * Chance, speech and music correlate with the burst at less than half of this. The burst itself stays above it, even
 * through codecs of mobile networks.
 */
const LIKE_ENOUGH = 0.5;
/** Anything weaker is the echo of a telephone line, not of an echo service, which returns all that it receives. */
const WEAKEST_DB = -25;

/** A rising tone: nothing else on a line resembles it, and its start is exact to the sample. 8 kHz, 16 bit. */
export const echoBurst: Int16Array = Int16Array.from({ length: (BURST_MS * SAMPLE_RATE) / 1000 }, (_, index) => {
  const seconds = index / SAMPLE_RATE,
    left = BURST_MS - seconds * 1000;
  const phase = 2 * Math.PI * (FROM_HZ * seconds + ((TO_HZ - FROM_HZ) * seconds ** 2) / ((2 * BURST_MS) / 1000));
  return LEVEL * Math.sin(phase) * Math.min(1, (seconds * 1000) / FADE_MS, left / FADE_MS);
});

/** Takes every second sample, which is enough for these frequencies and a quarter of the work. */
const halved = (pcm: Int16Array): Float64Array =>
  Float64Array.from(
    { length: pcm.length >> 1 },
    (_, index) => ((pcm[2 * index] as number) + (pcm[2 * index + 1] as number)) / 2,
  );

const coarseBurst = halved(echoBurst);
const fineBurst = Float64Array.from(echoBurst);

/** Returns the sample of `pcm` at which the burst begins, or undefined if there is none. */
export function findBurst(pcm: Int16Array): number | undefined {
  const coarse = bestMatch(halved(pcm), coarseBurst);
  if (!coarse) return undefined;
  const from = Math.max(0, 2 * coarse.at - 4);
  const fine = bestMatch(Float64Array.from(pcm.subarray(from, 2 * coarse.at + 4 + echoBurst.length)), fineBurst);
  return fine && fine.likeness >= LIKE_ENOUGH && fine.gainDb >= WEAKEST_DB ? from + fine.at : undefined;
}

/** Returns where the normalised correlation of `pattern` is highest, and the level there relative to it. */
function bestMatch(
  sound: Float64Array,
  pattern: Float64Array,
): { readonly at: number; readonly likeness: number; readonly gainDb: number } | undefined {
  const patternPower = powerOf(pattern, 0, pattern.length);
  let power = powerOf(sound, 0, pattern.length);
  let at = -1,
    highest = 0,
    powerThere = 0;
  for (let lag = 0; lag + pattern.length <= sound.length; lag += 1) {
    if (lag > 0) power += (sound[lag + pattern.length - 1] as number) ** 2 - (sound[lag - 1] as number) ** 2;
    if (power < 1) continue;
    let sum = 0;
    for (let i = 0; i < pattern.length; i += 1) sum += (pattern[i] as number) * (sound[lag + i] as number);
    // Some lines invert the signal.
    const likeness = Math.abs(sum) / Math.sqrt(power * patternPower);
    if (likeness <= highest) continue;
    at = lag;
    highest = likeness;
    powerThere = power;
  }
  return at < 0
    ? undefined
    : { at, likeness: highest, gainDb: 10 * Math.log10((highest ** 2 * powerThere) / patternPower) };
}

function powerOf(sound: Float64Array, from: number, length: number): number {
  let power = 0;
  for (let i = from; i < Math.min(from + length, sound.length); i += 1) power += (sound[i] as number) ** 2;
  return power;
}
