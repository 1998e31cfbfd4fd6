import type { CallTestEvent } from '../call/callTestEvent.ts';
import { EventStream } from '../eventStream.ts';

/** Holds back turns and steps until it is known which parts are secret. */
export class HeldEvents extends EventStream<CallTestEvent> {
  #events: CallTestEvent[] | undefined;

  constructor(hold: boolean) {
    super();
    if (hold) this.hold();
  }

  override get isHeld(): boolean {
    return this.#events !== undefined;
  }

  /** From now on, turns and steps are held back. */
  hold(): void {
    this.#events ??= [];
  }

  override push(event: CallTestEvent): void {
    if (this.#events && (event.type === 'turn' || event.type === 'step')) this.#events.push(event);
    else super.push(event);
  }

  /** Emits the held events in order, mapped by `shown`. From now on, nothing is held back. */
  release(shown: (event: CallTestEvent) => CallTestEvent): void {
    const heldEvents = this.#events ?? [];
    this.#events = undefined;
    for (const event of heldEvents) super.push(shown(event));
  }
}
