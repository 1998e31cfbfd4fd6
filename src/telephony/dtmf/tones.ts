/** The sixteen digits in the order of their RFC 4733 event codes (section 3.2). */
export const DIGITS = '0123456789*#ABCD';

export const ROW_HZ = [697, 770, 852, 941] as const;
export const COLUMN_HZ = [1209, 1336, 1477, 1633] as const;
/** `KEYPAD[row][column]`, ITU-T Q.23. */
export const KEYPAD = ['123A', '456B', '789C', '*0#D'] as const;

const SAMPLE_RATE = 8000;
/** Each tone is at about −10 dBm0, the usual level of handsets; the sum stays far from clipping. */
const AMPLITUDE = 7000;
const RAMP_SAMPLES = 16;

/**
 * Returns the dual tone of `digit` as 8 kHz PCM of `ms` milliseconds, its edges ramped over 2 ms. Throws TypeError for
 * anything except 0-9 * # A-D.
 */
export function dtmfTone(digit: string, ms: number): Int16Array {
  const row = KEYPAD.findIndex((keys) => digit.length === 1 && keys.includes(digit));
  const keys = KEYPAD[row];
  if (keys === undefined) throw new TypeError(`“${digit}” isn't a DTMF digit`);
  const low = (2 * Math.PI * (ROW_HZ[row] as number)) / SAMPLE_RATE;
  const high = (2 * Math.PI * (COLUMN_HZ[keys.indexOf(digit)] as number)) / SAMPLE_RATE;
  const pcm = new Int16Array(Math.round((ms * SAMPLE_RATE) / 1000));
  for (let i = 0; i < pcm.length; i++) {
    const gain = Math.min(1, (i + 1) / RAMP_SAMPLES, (pcm.length - i) / RAMP_SAMPLES);
    pcm[i] = AMPLITUDE * gain * (Math.sin(low * i) + Math.sin(high * i));
  }
  return pcm;
}
