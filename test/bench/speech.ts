import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { SpeechEngine } from '../../src/speech/ear.ts';
import { humanPrompts, overTelephone, realSpeech } from '../speech/speechRig.ts';
import type { HumanPrompt } from '../speech/speechRig.ts';
import { keysFound, wordErrors } from '../support/wordErrorRate.ts';

const budget = { errorRate: 6, keyRecall: 95, latencyMs: 1000, realTime: 0.2 };

/** Plays a prompt in real time, 20 ms per packet, and returns the time from the end of its speech to its last text. */
async function latency(speech: SpeechEngine, pcm: Int16Array): Promise<number> {
  const ear = speech.openEar();
  const started = performance.now();
  let spokenUntilMs = 0;
  let textAt = 0;
  ear.listen((event) => {
    if (event.type !== 'utterance') return;
    spokenUntilMs = event.utterance.endMs;
    textAt = performance.now() - started;
  });
  const audio = new Int16Array(pcm.length + 12_000);
  audio.set(pcm);
  for (let at = 0; at < audio.length; at += 160) {
    const due = started + at / 8 + 20;
    if (due > performance.now()) await delay(due - performance.now());
    ear.push(audio.subarray(at, at + 160));
  }
  await ear.flush();
  ear.close();
  return textAt - spokenUntilMs;
}

const ratio = (name: string, value: number, against: number, unit: string): void => {
  console.log(
    `${name.padEnd(34)} ${value.toFixed(2).padStart(9)} ${unit.padEnd(8)} budget ${against} ${unit.padEnd(8)} ratio ${(value / against).toFixed(2)}`,
  );
};

/**
 * Prints word error rate, key recall, real-time factor and end-of-speech latency of the offline recogniser, each
 * relative to its budget.
 */
export async function measureSpeech(): Promise<void> {
  const speech = await realSpeech();
  try {
    await speech.warm();
    const prompts: HumanPrompt[] = await humanPrompts();
    const sum = { errors: 0, words: 0, found: 0, keys: 0, audioMs: 0 };
    const started = performance.now();
    for (const { said, pcm } of prompts) {
      const audio = overTelephone(pcm);
      const { text } = await speech.transcribe(audio, 8000);
      const words = wordErrors(said, text);
      const keys = keysFound(said, text);
      sum.errors += words.errors;
      sum.words += words.words;
      sum.found += keys.found;
      sum.keys += keys.keys;
      sum.audioMs += audio.length / 8;
    }
    const elapsed = performance.now() - started;
    const latencies: number[] = [];
    for (const { pcm } of prompts.filter(({ pcm: audio }) => audio.length < 8000 * 8).slice(0, 16))
      latencies.push(await latency(speech, overTelephone(pcm)));
    latencies.sort((a, b) => a - b);
    ratio('word error rate', (100 * sum.errors) / sum.words, budget.errorRate, '%');
    ratio('keys missed', 100 - (100 * sum.found) / sum.keys, 100 - budget.keyRecall, '%');
    ratio('recognition time / audio', elapsed / sum.audioMs, budget.realTime, 'x');
    ratio('end of speech to text, p50', latencies[Math.floor(latencies.length / 2)] ?? 0, budget.latencyMs, 'ms');
    ratio('end of speech to text, worst', latencies.at(-1) ?? 0, budget.latencyMs, 'ms');
  } finally {
    await speech.close();
  }
}
