import type { CallTestEvent } from '../call/callTestEvent.ts';
import { EventStream } from '../eventStream.ts';

/** Holds back turns and steps until it is known which parts are secret. */
export class HeldEvents extends EventStream<CallTestEvent> {
  #held: CallTestEvent[] | undefined;

  constructor(hold: boolean) {
    super();
    if (hold) this.#held = [];
  }

  override push(event: CallTestEvent): void {
    if (this.#held && (event.type === 'turn' || event.type === 'step')) this.#held.push(event);
    else super.push(event);
  }

  /** Emits the held events in order, mapped by `shown`. From now on, nothing is held back. */
  release(shown: (event: CallTestEvent) => CallTestEvent): void {
    const heldEvents = this.#held ?? [];
    this.#held = undefined;
    for (const event of heldEvents) super.push(shown(event));
  }
}
