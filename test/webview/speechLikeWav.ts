/** A mono WAV of 8 kHz and 16 bit whose level rises and falls like speech. */
export function makeWav(seconds: number): Uint8Array<ArrayBuffer> {
  const rate = 8000;
  const samples = Math.round(seconds * rate);
  const bytes = new Uint8Array(44 + samples * 2);
  const view = new DataView(bytes.buffer);
  const write = (at: number, text: string): void => {
    for (let letter = 0; letter < text.length; letter += 1) bytes[at + letter] = text.charCodeAt(letter);
  };
  write(0, 'RIFF');
  view.setUint32(4, 36 + samples * 2, true);
  write(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  write(36, 'data');
  view.setUint32(40, samples * 2, true);
  for (let at = 0; at < samples; at += 1) {
    const time = at / rate;
    const syllables = Math.max(0, Math.sin(time * 11) * Math.sin(time * 1.7 + 1)) ** 0.7;
    view.setInt16(44 + at * 2, Math.round(Math.sin(time * 2 * Math.PI * 180) * syllables * 14_000), true);
  }
  return bytes;
}
