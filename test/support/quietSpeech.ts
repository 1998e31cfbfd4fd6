import type { SpeechEngine } from '../../src/speech/ear.ts';

/** Speaks a short tone for any text, and hears nothing: for calls without speech recognition. */
export function quietSpeech(): SpeechEngine {
  const tone = Int16Array.from({ length: 1600 }, (_, index) => Math.round(8000 * Math.sin(index / 3)));
  return {
    voices: [],
    openEar: () => {
      let samples = 0;
      return {
        push: (pcm) => {
          samples += pcm.length;
        },
        get heardMs() {
          return samples / 8;
        },
        expect: () => undefined,
        listen: () => () => undefined,
        cut: () => undefined,
        flush: () => Promise.resolve(),
        close: () => undefined,
      };
    },
    speak: () => Promise.resolve(tone),
    transcribe: () => Promise.resolve({ text: '', words: [], utterances: [] }),
    languagesOf: () => Promise.resolve([]),
    warm: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
