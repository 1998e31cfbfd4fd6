import type { ReportSnapshot } from '../../src/contract/reportPanel.ts';
import type { StepResult, Turn } from '../../src/contract/testRuns.ts';
import { failedRun } from './reportRun.ts';

const turnMs = 1_800;

/** The transcript of a long call with this many turns; every other one is ours, speech or keys. */
export const longTranscript = (turns: number): Turn[] =>
  Array.from({ length: turns }, (_value, at): Turn => {
    const times = { startMs: at * turnMs, endMs: at * turnMs + 1_400 };
    if (at % 2 === 0)
      return {
        speaker: 'them',
        text: `For the service number ${String(at)}, press ${String(at % 10)}. To hear this again, press star. You are caller number ${String(at)} in the queue.`,
        ...times,
      };
    return {
      speaker: 'us',
      text:
        at % 4 === 1
          ? `[keys ${String(at % 10)}]`
          : `I would like to know more about the service number ${String(at)}, please.`,
      ...times,
    };
  });

export const longSteps = (steps: number): StepResult[] =>
  Array.from({ length: steps }, (_value, at): StepResult => {
    const words = `You have reached the service number ${String(at)}. Please say your name, or press ${String(at % 10)}.`;
    return {
      name: `Service ${String(at)}`,
      outcome: at % 17 === 3 ? 'FAIL' : 'PASS',
      expectedTranscript: words,
      transcript: at % 17 === 3 ? 'We are sorry, all of our lines are busy.' : words,
      similarity: at % 17 === 3 ? 0.2 : 1,
      startMs: at * turnMs,
      endMs: at * turnMs + 1_500,
      latencyMs: 300 + (at % 700),
    };
  });

/** The run of a test with this many turns and steps. */
export const longRun = (turns: number, steps: number): ReportSnapshot =>
  failedRun({
    transcript: longTranscript(turns),
    steps: longSteps(steps),
    callSeconds: (Math.max(turns, steps) * turnMs) / 1000,
    audioUrl: 'http://127.0.0.1:1/audio',
  });

/** In the page: makes an hour of a stereo WAV of 8 kHz and 16 bit. It would be too much to send. */
export const hourOfSound = `const hourOfSound = () => {
  const [rate, seconds] = [8000, 3600];
  const wav = new Uint8Array(44 + rate * seconds * 4);
  const view = new DataView(wav.buffer);
  const put = (at, text) => { for (let letter = 0; letter < text.length; letter += 1) wav[at + letter] = text.charCodeAt(letter); };
  put(0, 'RIFF'); put(8, 'WAVEfmt '); put(36, 'data');
  view.setUint32(4, wav.length - 8, true); view.setUint32(16, 16, true); view.setUint16(20, 1, true); view.setUint16(22, 2, true); view.setUint32(24, rate, true);
  view.setUint32(28, rate * 4, true); view.setUint16(32, 4, true); view.setUint16(34, 16, true); view.setUint32(40, wav.length - 44, true);
  const samples = new Int16Array(wav.buffer, 44);
  for (let at = 0; at < samples.length; at += 1) samples[at] = (at * 7919) % 12000 - 6000;
  return wav;
};`;
