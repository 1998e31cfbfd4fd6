import { sentence, type Sentences } from '../../base/sentences.ts';
import type { TestStep } from '../../contract/testConfigs.ts';
import type { CallLog } from '../hearing/callLog.ts';

/** Returns true if the response time is meaningful for this step. */
export const measuresLatency = ({ action, expectedTranscript, timing }: TestStep): boolean =>
  expectedTranscript !== undefined ||
  action.type === 'expect' ||
  action.type === 'collect' ||
  timing?.promptWithinSeconds !== undefined;

/** The part of the call's audio that a step heard, and the response time, in milliseconds. */
interface Listened {
  readonly fromMs: number;
  readonly toMs: number;
  readonly latencyMs: number | undefined;
}

/** Returns a sentence for each time limit that wasn't met. */
export function overruns({ timing = {} }: TestStep, log: CallLog, { fromMs, toMs, latencyMs }: Listened): Sentences[] {
  const { promptWithinSeconds: within, silenceAtMostSeconds: atMost } = timing;
  const late: Sentences[] = [];
  if (within !== undefined && !log.begunSince(fromMs)) late.push(sentence`Nothing was said within ${within} s.`);
  if (within !== undefined && latencyMs !== undefined && latencyMs > within * 1000)
    late.push(sentence`The answer began after ${(latencyMs / 1000).toFixed(1)} s, not within ${within} s.`);
  const silence = atMost === undefined ? 0 : log.longestSilence(fromMs, toMs) / 1000;
  if (atMost !== undefined && silence > atMost)
    late.push(sentence`There was a silence of ${silence.toFixed(1)} s. Up to ${atMost} s are allowed.`);
  return late;
}
