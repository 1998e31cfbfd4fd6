import type { PlannedCalls } from '../../../contract/callPlan.ts';
import { limits } from '../../../contract/limits.ts';
import { isTypedError } from '../../basics/errors.ts';
import { Emitter } from '../../basics/emitter.ts';
import type { Disposable } from '../../basics/lifetime.ts';
import type { ServiceClient } from '../../host/serviceClient.ts';

type Unjudged = NonNullable<PlannedCalls['unjudged']>;

interface UnjudgedCriteriaParts {
  readonly client: Pick<ServiceClient, 'call'>;
  /** Nothing starts the service for this. */
  readonly isReady: () => boolean;
}

/** Asks the service, once per acceptance criterion, which parts of it only a language model could judge. */
export class UnjudgedCriteria implements Disposable {
  readonly #parts: UnjudgedCriteriaParts;
  readonly #changed = new Emitter<void>();
  /** Fires if the answer for a criterion that was asked for isn't empty. */
  readonly onDidChange = this.#changed.listen;
  #known = new Map<string, Unjudged>();

  constructor(parts: UnjudgedCriteriaParts) {
    this.#parts = parts;
  }

  /** Returns what is known now. `mayAsk`: asks about a criterion that isn't known, for the next time. */
  of(acceptance: string, mayAsk: boolean): Unjudged {
    const known = this.#known.get(acceptance);
    const { min, max } = limits.missionText;
    const { length } = acceptance.trim();
    if (!known && mayAsk && length >= min && length <= max && this.#parts.isReady()) void this.#ask(acceptance);
    return known ?? [];
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
    known.set(acceptance, []);
    try {
      const { unjudged = [] } = await this.#parts.client.call('planCalls', { mission: { ...anyMission, acceptance } });
      known.set(acceptance, unjudged);
      if (unjudged.length > 0 && known === this.#known) this.#changed.fire();
    } catch (error) {
      known.delete(acceptance);
      if (!isTypedError(error)) throw error;
    }
  }
}

/** Only the criterion matters. Nothing calls this practice number. */
const anyMission = { name: 'M', phoneNumber: '+12025550100', mission: 'm' };
