import type { PlannedCalls } from '../../../contract/callPlan.ts';
import { limits } from '../../../contract/limits.ts';
import { isTypedError } from '../../basics/errors.ts';
import { Emitter } from '../../basics/emitter.ts';
import type { Disposable } from '../../basics/lifetime.ts';
import type { ServiceClient } from '../../host/serviceClient.ts';

type Reading = Pick<PlannedCalls, 'unjudged' | 'asChecks'>;

interface CriterionReadingsParts {
  readonly client: Pick<ServiceClient, 'call'>;
  /** Nothing starts the service for this. */
  readonly isReady: () => boolean;
}

/** Asks the service, once per acceptance criterion, which parts of it checks can say. */
export class CriterionReadings implements Disposable {
  readonly #parts: CriterionReadingsParts;
  readonly #changed = new Emitter<void>();
  /** Fires if the answer for a criterion that was asked for isn't empty. */
  readonly onDidChange = this.#changed.listen;
  #known = new Map<string, Reading>();

  constructor(parts: CriterionReadingsParts) {
    this.#parts = parts;
  }

  /** Returns what is known now. `mayAsk`: asks about a criterion that isn't known, for the next time. */
  of(acceptance: string, mayAsk: boolean): Reading {
    const known = this.#known.get(acceptance);
    const { min, max } = limits.missionText;
    const { length } = acceptance.trim();
    if (!known && mayAsk && length >= min && length <= max && this.#parts.isReady()) void this.#ask(acceptance);
    return known ?? {};
  }

  /** Forgets all answers, because the service may have another model. */
  forget(): void {
    this.#known = new Map();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #ask(acceptance: string): Promise<void> {
    const known = this.#known;
    known.set(acceptance, {});
    try {
      const plan = await this.#parts.client.call('planCalls', { mission: { ...anyMission, acceptance } });
      known.set(acceptance, plan);
      if ((plan.unjudged ?? plan.asChecks) && known === this.#known) this.#changed.fire();
    } catch (error) {
      known.delete(acceptance);
      if (!isTypedError(error)) throw error;
    }
  }
}

/** Only the criterion matters. Nothing calls this practice number. */
const anyMission = { name: 'M', phoneNumber: '+12025550100', mission: 'm' };
