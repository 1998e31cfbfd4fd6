/** A second of a sound that differs from other seeds, like speech in loudness and colour. */
export function distinctSound(seed: number, ms = 1000): Int16Array {
  const pcm = new Int16Array(ms * 8);
  let [state, phase] = [seed * 7919 + 1, 0];
  let [hz, level] = [400, 8000];
  for (const at of pcm.keys()) {
    if (at % 640 === 0) {
      state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
      hz = 250 + (state % 2800);
      level = 4000 + ((state >> 8) % 12_000);
    }
    phase += (2 * Math.PI * hz) / 8000;
    pcm[at] = level * Math.sin(phase);
  }
  return pcm;
}
