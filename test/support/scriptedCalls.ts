import { EventStream } from '../../src/engine/eventStream.ts';
import type { TestPlan } from '../../src/service/store/storedPlan.ts';
import type { PerformPlan, PlanEnd, PlanEvent } from '../../src/service/testing/testPlan.ts';

/** One call of a test, which decides what is heard and how the call ends. */
export class ScriptedCall {
  readonly plan: TestPlan;
  readonly options: Parameters<PerformPlan>[1];
  readonly events = new EventStream<PlanEvent>();

  constructor(plan: TestPlan, options: Parameters<PerformPlan>[1]) {
    this.plan = plan;
    this.options = options;
  }

  get row(): Readonly<Record<string, string>> | undefined {
    return this.plan.type === 'script' ? this.plan.row : undefined;
  }

  heard(text: string): void {
    this.events.push({ type: 'turn', turn: { speaker: 'them', text, startMs: 100, endMs: 900 } });
  }

  end(ended: Partial<PlanEnd> = {}): void {
    this.events.push({
      type: 'ended',
      ended: { outcome: 'PASS', steps: [], transcript: [], callSeconds: 0, ...ended },
    });
    this.events.close();
  }
}

/**
 * Stands in for the calls of tests: each call that a service places comes out of `next()`. Ends as ERROR if it is
 * aborted, like the real one.
 */
export class ScriptedCalls {
  readonly #begun: ScriptedCall[] = [];
  readonly #waiting: ((call: ScriptedCall) => void)[] = [];

  readonly perform: PerformPlan = (plan, options) => {
    const call = new ScriptedCall(plan, options);
    const abort = (): void => {
      call.end({ outcome: 'ERROR', reason: String(options.signal.reason), callSeconds: 3 });
    };
    if (options.signal.aborted) {
      abort();
      return call.events;
    }
    options.signal.addEventListener('abort', abort, { once: true });
    void options.dialer
      .dial(options.target, options.signal)
      .catch(() => undefined)
      .then(() => {
        const taker = this.#waiting.shift();
        if (taker) taker(call);
        else this.#begun.push(call);
      });
    return call.events;
  };

  next(): Promise<ScriptedCall> {
    const call = this.#begun.shift();
    return call ? Promise.resolve(call) : new Promise((resolve) => this.#waiting.push(resolve));
  }
}
