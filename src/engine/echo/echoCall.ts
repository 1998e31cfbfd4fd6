import type { CallEnd, CallerAccount, CallLeg, RtpStats, SipAgent } from '../../telephony/call.ts';
import { sleep } from '../../base/clock.ts';
import type { Clock } from '../../base/clock.ts';
import { samplesPerMs } from '../call/callAudio.ts';
import { BURST_MS, echoBurst, findBurst } from './echoBurst.ts';

interface EchoCallOptions {
  readonly agent: SipAgent;
  /** SIP URI of an echo service, which returns all audio that it receives. */
  readonly target: string;
  readonly as?: CallerAccount;
  readonly clock: Clock;
  /** Aborting hangs up. */
  readonly signal: AbortSignal;
}

/** The results of one call to an echo number; times in milliseconds. */
export interface EchoFigures {
  /** Why the call wasn't answered, or why it ended before Dialtree hung up. */
  readonly end?: CallEnd | undefined;
  /** INVITE to answer; absent without an answer. */
  readonly setupMs?: number;
  /** From the answer to the end. */
  readonly callMs: number;
  readonly sent: number;
  readonly heard: number;
  /** The median time from sending a sound until it is heard again, including the buffers of both ends. */
  readonly delayMs?: number;
  /** Something other than silence was received. */
  readonly sound: boolean;
  readonly rtp: RtpStats;
}

const FRAME_MS = 20;
/** Shorter than for other calls, because the user waits up to half a minute for the result. */
const answerTimeoutMs = 12_000;
/** The called side's audio has begun by then. */
const settleMs = 300;
/** How long after a burst to look for it. The last value is the longest delay that can be measured. */
const lookAfterMs = [300, 700, 1400] as const;
/** Echo services often speak first, so the burst is repeated this often until it comes back. */
const burstsAtMost = 8;
const enough = 3;
/** Louder than the noise of a line. */
const audible = 200;

/** The maximum length of the call, in seconds. */
export const echoSecondsAtMost = Math.ceil(
  (answerTimeoutMs + settleMs + burstsAtMost * (BURST_MS + 2 * FRAME_MS + lookAfterMs[2]) + 2000) / 1000,
);

/** Places a call, sends a short sound until it has come back a few times, and hangs up. Never rejects. */
export async function callEcho({ agent, target, as, clock, signal }: EchoCallOptions): Promise<EchoFigures> {
  const dialledAt = clock.now();
  const leg = agent.call(target, { ...as, signal, answerTimeoutMs });
  const frames: { readonly at: number; readonly pcm: Int16Array }[] = [];
  let end: CallEnd | undefined,
    sound = false;
  const over = new Promise<void>((resolve) => {
    leg.listen((event) => {
      if (event.type === 'audio') {
        frames.push({ at: clock.now(), pcm: event.frame.pcm });
        sound ||= event.frame.pcm.some((sample) => Math.abs(sample) > audible);
      } else if (event.type === 'ended') {
        end = event.end;
        resolve();
      }
    });
  });
  const pause = (milliseconds: number): Promise<void> => Promise.race([over, sleep(clock, milliseconds)]);
  const answered = await answerOf(leg, over);
  const setupMs = clock.now() - dialledAt;
  const delays: number[] = [];
  let sent = 0;
  if (answered) await pause(settleMs);
  while (answered && !end && sent < burstsAtMost && delays.length < enough) {
    frames.length = 0;
    if ((await leg.play(echoBurst)) !== 'played') break;
    sent += 1;
    // It settles with the last of its frames.
    const sentAt = clock.now() - BURST_MS + FRAME_MS;
    let waited = 0;
    for (const after of lookAfterMs) {
      await pause(after - waited);
      waited = after;
      const delay = delayIn(frames, sentAt);
      if (delay !== undefined) {
        delays.push(delay);
        break;
      }
      if (end) break;
    }
  }
  const theirEnd = end;
  await leg.hangup();
  return {
    end: theirEnd,
    ...(answered && { setupMs: Math.round(setupMs) }),
    callMs: answered ? Math.round(clock.now() - dialledAt - setupMs) : 0,
    sent,
    heard: delays.length,
    sound,
    rtp: leg.stats(),
    ...(delays.length > 0 && {
      delayMs: Math.round(delays.toSorted((one, other) => one - other)[delays.length >> 1] ?? 0),
    }),
  };
}

function answerOf(leg: CallLeg, over: Promise<void>): Promise<boolean> {
  return new Promise((resolve) => {
    leg.listen((event) => {
      if (event.type === 'answered') resolve(true);
    });
    void over.then(() => resolve(false));
  });
}

/** Returns how long after `sentAt` the burst was heard in these contiguous frames. */
function delayIn(
  frames: readonly { readonly at: number; readonly pcm: Int16Array }[],
  sentAt: number,
): number | undefined {
  const pcm = new Int16Array(frames.reduce((sum, frame) => sum + frame.pcm.length, 0));
  let length = 0;
  for (const frame of frames) {
    pcm.set(frame.pcm, length);
    length += frame.pcm.length;
  }
  const at = findBurst(pcm);
  if (at === undefined) return undefined;
  let before = 0;
  for (const frame of frames) {
    if (at < before + frame.pcm.length) return Math.max(0, frame.at + (at - before) / samplesPerMs - sentAt);
    before += frame.pcm.length;
  }
  return undefined;
}
