import { answerCalls } from '../../src/practice/server.ts';
import type { IvrSource } from '../../src/practice/ivrSource.ts';
import type { SpeechEngine } from '../../src/speech/ear.ts';
import { startSipAgent } from '../../src/telephony/agent.ts';
import type { IncomingCallLeg, SipAgent } from '../../src/telephony/call.ts';
import { playedBy } from './practicePlaces.ts';

interface VariedPracticeOptions {
  readonly speech: SpeechEngine;
  /** The IVR that answers this call. The calls count from 1, in the order of their INVITEs. */
  readonly ivrOf: (call: number) => IvrSource;
}

/**
 * A practice IVR on 127.0.0.1 that isn't the same on each call: the calls go to different sources, each served by the
 * practice's own code. Every prompt has been synthesised before it starts.
 */
export class VariedPractice {
  readonly #agent: SipAgent;
  readonly #withdraw: () => void;
  readonly #errors: unknown[];
  /** When each call came in, in milliseconds on the monotonic clock. */
  readonly arrivals: readonly number[];

  private constructor(agent: SipAgent, errors: unknown[], arrivals: readonly number[]) {
    this.#agent = agent;
    this.#errors = errors;
    this.arrivals = arrivals;
    this.#withdraw = playedBy(agent);
  }

  /** `sources`: all that `ivrOf` returns. */
  static async start(sources: readonly IvrSource[], { speech, ivrOf }: VariedPracticeOptions): Promise<VariedPractice> {
    const agent = await startSipAgent({ host: '127.0.0.1' });
    const errors: unknown[] = [];
    const answers = new Map<IvrSource, (leg: IncomingCallLeg) => void>();
    const arrivals: number[] = [];
    const spoken = sources.map((source) => {
      const own: SipAgent = {
        address: agent.address,
        call: (...call) => agent.call(...call),
        options: (...ping) => agent.options(...ping),
        close: () => agent.close(),
        onCall: (answer) => {
          answers.set(source, answer);
        },
      };
      const onError = (_ivr: string, error: unknown): void => {
        errors.push(error);
      };
      return answerCalls(own, [source], { speech, onError }).spoken;
    });
    agent.onCall((leg) => {
      arrivals.push(performance.now());
      const answer = answers.get(ivrOf(arrivals.length));
      if (answer) answer(leg);
      else leg.reject(500);
    });
    await Promise.all(spoken);
    return new VariedPractice(agent, errors, arrivals);
  }

  get uri(): string {
    return `sip:ivr@127.0.0.1:${String(this.#agent.address.port)}`;
  }

  /** Returns the errors of the practice IVRs. */
  async close(): Promise<readonly unknown[]> {
    this.#withdraw();
    await this.#agent.close();
    return this.#errors;
  }
}
