import { loadStageSchema, type LoadStage } from '../../contract/loadTests.ts';

/** `50:10:60`: calls, seconds of the ramp, and seconds of the hold. */
export const stageText = ({ concurrency, rampSeconds, holdSeconds }: LoadStage): string =>
  [concurrency, rampSeconds, holdSeconds].join(':');

/** Reads such a text. Returns undefined if it has another form; its numbers may still be out of bounds. */
export function readStage(text: string): ReturnType<typeof loadStageSchema.safeParse> | undefined {
  const [, calls, ramp, hold] = /^(\d+):(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  return calls === undefined
    ? undefined
    : loadStageSchema.safeParse({
        concurrency: Number(calls),
        rampSeconds: Number(ramp),
        holdSeconds: Number(hold),
      });
}
