import assert from 'node:assert/strict';
import { DialError, type ActiveCall } from '../../../../src/engine/call/activeCall.ts';
import { createDialer } from '../../../../src/engine/call/conversation.ts';
import type { EarEvent, SpeechEngine } from '../../../../src/speech/ear.ts';
import type { IncomingCallLeg } from '../../../../src/telephony/call.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { quietSpeech } from '../../../support/quietSpeech.ts';
import { TelephonyLink } from '../../../support/telephonyLink.ts';

const text = 'The number you have dialled is not in service.';
const utterance = { startMs: 100, endMs: 900, text, rawText: text, words: [] };
const second = new Int16Array(8000).fill(4000);

/** What the first ear of a call hears after half a second. */
interface Hearing {
  readonly events: readonly EarEvent[];
  readonly flush?: Promise<void>;
}
const announced: Hearing = { events: [{ type: 'utterance', utterance }] };

describe('engine: early media', () => {
  let clock: ManualClock, link: TelephonyLink, ears: { open: boolean }[];

  beforeEach(() => {
    clock = new ManualClock();
    link = new TelephonyLink(clock);
    ears = [];
  });

  function speechThat({ events, flush }: Hearing): SpeechEngine {
    const quiet = quietSpeech();
    return {
      ...quiet,
      openEar: () => {
        const state = { open: true };
        const isFirst = ears.push(state) === 1;
        let samples = 0;
        let tell: (event: EarEvent) => void = () => undefined;
        return {
          ...quiet.openEar(),
          push: (pcm) => {
            samples += pcm.length;
            if (isFirst && samples === 4000) events.forEach(tell);
          },
          listen: (listener) => {
            tell = listener;
            return () => undefined;
          },
          flush: () => flush ?? Promise.resolve(),
          close: () => {
            state.open = false;
          },
        };
      },
    };
  }

  async function dial(
    callee: (leg: IncomingCallLeg) => Promise<void> | void,
    hearing = announced,
    stop = new AbortController(),
  ): Promise<ActiveCall | DialError> {
    const [ours, theirs] = [link.agent('10.0.0.1'), link.agent('10.0.0.2')];
    theirs.onCall((leg) => void callee(leg));
    const dialled = createDialer({ agent: ours, speech: speechThat(hearing), clock })
      .dial('sip:ivr@10.0.0.2', stop.signal)
      .catch((error: unknown) => error as DialError);
    await clock.finish(dialled, 60_000);
    const outcome = await dialled;
    if (!(outcome instanceof DialError)) {
      assert.ok(await clock.run(() => outcome.now() > 500, 5000));
      await clock.finish(outcome.hangUp());
    }
    await clock.finish(Promise.all([ours.close(), theirs.close()]), 70_000);
    assert.ok(clock.pending === 0 && ears.every(({ open }) => !open), 'no timer and no ear is left behind');
    return outcome;
  }

  const saysThen = (end: (leg: IncomingCallLeg) => void) => async (leg: IncomingCallLeg) => {
    leg.ring(183);
    await leg.play(second);
    await leg.play(new Int16Array(1600));
    end(leg);
  };
  const refuse = (leg: IncomingCallLeg): void => leg.reject(603);

  it('comes with the refusal of a call, as text and audio', async () => {
    const refused = await dial(saysThen(refuse));
    assert(refused instanceof DialError);
    const { end, early } = refused;
    assert.deepEqual([end.status, early?.text, early?.utterances, early?.isUnread], [603, text, [utterance], false]);
    assert.ok((early?.pcm.filter((sample) => sample > 3000).length ?? 0) > 7000);
  });

  it('comes with an answered call, whose own audio begins at the answer', async () => {
    const call = await dial(saysThen((leg) => leg.answer()));
    assert(!(call instanceof DialError));
    assert.equal((await call.early)?.text, text);
    assert.ok(call.audio(0, 400).every((sample) => Math.abs(sample) < 3000));
    assert.ok(call.setupSeconds > 1 && ears.length === 2, 'each has its own time');
  });

  it('needs words, and audio opens its ear', async () => {
    const ringback: EarEvent = { type: 'sound', sound: 'ringback', sinceMs: 0, atMs: 900 };
    const tone = await dial(saysThen(refuse), { events: [ringback] });
    assert(tone instanceof DialError);
    assert.equal(tone.early, undefined);
    ears = [];
    const silent = await dial((leg) => {
      leg.ring(180);
      refuse(leg);
    });
    assert(silent instanceof DialError);
    assert.deepEqual([silent.early, ears], [undefined, []]);
  });

  it('stays unread if its words never become text, but keeps no cancelled call waiting', async () => {
    const never = {
      events: [{ type: 'speechStart', atMs: 300 }] as const,
      flush: new Promise<void>(() => undefined),
    };
    const late = await dial(saysThen(refuse), never);
    assert(late instanceof DialError);
    assert.deepEqual([late.early?.text, late.early?.isUnread], ['', true]);
    ears = [];
    const stop = new AbortController();
    const began = clock.now();
    const cancelled = await dial(
      saysThen(() => stop.abort()),
      never,
      stop,
    );
    assert(cancelled instanceof DialError);
    assert.equal(cancelled.end.kind, 'cancelled');
    assert.ok(clock.now() - began < 10_000);
  });
});
