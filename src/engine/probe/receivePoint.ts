import { randomBytes } from 'node:crypto';
import { serverLimits } from '../../contract/limits.ts';
import type { SpeechEngine } from '../../speech/ear.ts';
import { startSipAgent } from '../../telephony/agent.ts';
import type { IncomingCallLeg, SipAgent, SipAgentOptions } from '../../telephony/call.ts';
import { systemClock } from '../../base/clock.ts';
import type { Clock } from '../../base/clock.ts';
import { parseUri } from '../../telephony/sip/uri.ts';
import { joinCall } from '../call/conversation.ts';
import { DialError } from '../call/activeCall.ts';
import type { Dialer, CallerOptions, ActiveCall } from '../call/activeCall.ts';

/** An address for one inbound call, and a dialer for it: dialling means waiting for that call and answering it. */
export interface ReceivePoint<Call = ActiveCall> {
  /** A SIP URI whose user part can't be guessed. */
  readonly address: string;
  readonly dialer: Dialer<Call>;
  /** Hangs up, and closes the port. */
  close(): Promise<void>;
}

export interface ReceiveOptions extends Pick<SipAgentOptions, 'onFault'> {
  readonly speech: SpeechEngine;
  readonly clock?: Clock;
  readonly waitSeconds?: number;
  /** A person lets it ring once before they answer. */
  readonly ringMs?: number;
}

/** Listens on a separate port, on this machine only. */
export async function openReceivePoint(options: ReceiveOptions): Promise<ReceivePoint> {
  const { clock, onFault } = options;
  return createReceivePoint(await startSipAgent({ host: '127.0.0.1', clock, onFault }), options);
}

/** Takes one call on an agent that has no other use. `close` closes the agent. */
export function createReceivePoint(agent: SipAgent, options: ReceiveOptions): ReceivePoint {
  const user = `probe-${randomBytes(16).toString('hex')}`;
  const address = `sip:${user}@${agent.address.host}:${String(agent.address.port)}`;
  return {
    address,
    dialer: { dial: (_target, signal, caller) => new Awaiting(agent, user, address, options).call(signal, caller) },
    close: () => agent.close(),
  };
}

const defaultRingMs = 4000;

/** The wait for one call. Other calls are refused, and a caller who hangs up while it rings can try again. */
class Awaiting {
  readonly #agent: SipAgent;
  readonly #user: string;
  readonly #address: string;
  readonly #options: ReceiveOptions;
  readonly #clock: Clock;
  #leg: IncomingCallLeg | undefined;
  #over = false;
  /** Calls for another address, and calls that ended before they were answered. */
  #astray = 0;
  #missed = 0;

  constructor(agent: SipAgent, user: string, address: string, options: ReceiveOptions) {
    this.#agent = agent;
    this.#user = user;
    this.#address = address;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** Rejects with a DialError if no call arrives, or if it is aborted. */
  call(signal: AbortSignal, caller: CallerOptions = {}): Promise<ActiveCall> {
    const { waitSeconds = serverLimits.receive.waitSeconds } = this.#options;
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void): void => {
        this.#over = true;
        this.#clock.clearTimeout(timer);
        signal.removeEventListener('abort', cancel);
        settle();
      };
      const giveUp = (error: DialError): void => {
        finish(() => {
          this.#leg?.reject(480);
          reject(error);
        });
      };
      const cancel = (): void => {
        giveUp(new DialError({ by: 'local', kind: 'cancelled', reason: 'cancelled' }));
      };
      const timer = this.#clock.setTimeout(
        () =>
          giveUp(
            new DialError({ by: 'remote', kind: 'noAnswer', reason: 'no call arrived' }, this.#nobody(waitSeconds)),
          ),
        waitSeconds * 1000,
      );
      signal.addEventListener('abort', cancel, { once: true });
      this.#agent.onCall((leg) =>
        this.#take(leg, () => finish(() => resolve(joinCall(leg, this.#options.speech, this.#clock, caller)))),
      );
      if (signal.aborted) cancel();
    });
  }

  #take(leg: IncomingCallLeg, onAnswered: () => void): void {
    if (userOf(leg.requestUri) !== this.#user) {
      this.#astray += 1;
      leg.reject(404);
      return;
    }
    if (this.#leg || this.#over) {
      leg.reject(486);
      return;
    }
    this.#leg = leg;
    leg.ring();
    const answer = (): void => {
      try {
        leg.answer();
      } catch (error) {
        leg.fail(error);
      }
    };
    const ringing = this.#clock.setTimeout(answer, this.#options.ringMs ?? defaultRingMs);
    const stop = leg.listen((event) => {
      if (event.type === 'answered') {
        stop();
        onAnswered();
      } else if (event.type === 'ended') {
        this.#clock.clearTimeout(ringing);
        if (this.#over) return;
        this.#leg = undefined;
        this.#missed += 1;
      }
    });
  }

  #nobody(waitSeconds: number): string {
    const within =
      waitSeconds >= 120 ? `within ${String(Math.round(waitSeconds / 60))} minutes` : `within ${String(waitSeconds)} s`;
    if (this.#missed > 0)
      return `A call came, but the caller hung up before it was answered and didn't call again ${within}. Let the campaign ring for at least 10 seconds, then run the probe again.`;
    const astray =
      this.#astray > 0
        ? ' Calls for another address arrived at its port: use the part before the @ exactly as shown.'
        : '';
    return `No call came to ${this.#address} ${within}.${astray} Run the probe again, point the campaign at the address that the run shows, and make sure that the campaign offers G.711.`;
  }
}

/** Without its parameters. */
const userOf = (uri: string): string | undefined => parseUri(uri)?.user?.split(';')[0];
