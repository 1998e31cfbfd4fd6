import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { ivrFileSchema, type IvrFile } from '../../../../src/contract/ivrFile.ts';
import { probeSchema, type Probe } from '../../../../src/contract/probe.ts';
import type { CallTestEnd, CallTestEvent } from '../../../../src/engine/call/callTestEvent.ts';
import { runProbe } from '../../../../src/engine/probe/probe.ts';
import { simulatedDialer } from '../../../support/simulatedDialer.ts';
import type { SimulatedDialerOptions } from '../../../support/simulatedDialer.ts';
import { VirtualClock } from '../../../support/virtualClock.ts';

export interface CallProbeOptions {
  readonly line?: Partial<SimulatedDialerOptions>;
  readonly maxSeconds?: number;
  readonly budgetSeconds?: number;
  readonly abortAfterMs?: number;
  readonly phoneNumber?: string;
  readonly now?: () => Date;
  /** Default: the rules of a live number apply. */
  readonly guarded?: boolean;
}

export type ProbedEnd = CallTestEnd & { readonly events: readonly CallTestEvent[]; readonly calls: number };

/** Some probes can be judged only at night. */
export const atNight = new Date(2026, 0, 15, 3);

/** Returns a probe of the catalogue. */
export const catalogued = (id: string): Probe =>
  probeSchema.parse(
    JSON.parse(readFileSync(new URL(`../../../../media/compliance/${id}.json`, import.meta.url), 'utf8')),
  );

/** Returns a probe with these steps and checks. */
export const probeOf = (steps: readonly object[], checks: readonly object[], more: object = {}): Probe =>
  probeSchema.parse({
    id: 'a-probe',
    sector: 'all',
    description: 'Calls, and observes.',
    rule: 'A rule.',
    mode: 'dial',
    dialogue: {
      language: 'en',
      steps,
      checks: checks.map((check, index) => ({ name: `Check ${String(index)}.`, ...check })),
      ...more,
    },
  });

/** Returns an IVR with these states; `main` is the start. */
export const ivrOf = (states: object): IvrFile => ivrFileSchema.parse({ name: 'IVR', start: 'main', states });

/** Runs a probe against a practice IVR in virtual time. */
export async function callProbe(
  probe: Probe,
  ivr: IvrFile,
  { line: lineOptions, abortAfterMs, ...options }: CallProbeOptions = {},
): Promise<ProbedEnd> {
  const clock = new VirtualClock();
  const dialer = simulatedDialer({ ivr, clock, theyCall: probe.mode === 'receive', ...lineOptions });
  const stop = new AbortController();
  if (abortAfterMs !== undefined) clock.setTimeout(() => stop.abort('Cancelled.'), abortAfterMs);
  const work = async (): Promise<CallTestEvent[]> => {
    const events: CallTestEvent[] = [];
    const run = runProbe({
      probe,
      target: 'sip:ivr@127.0.0.1',
      dialer,
      clock,
      signal: stop.signal,
      now: () => atNight,
      guarded: true,
      ...options,
    });
    for await (const event of run) events.push(event);
    return events;
  };
  const events = await clock.run(work());
  const last = events.at(-1);
  assert.equal(last?.type, 'ended');
  for (const call of dialer.calls) assert.ok(call.ended, 'every call is hung up');
  return { ...last.ended, events, calls: dialer.calls.length };
}
