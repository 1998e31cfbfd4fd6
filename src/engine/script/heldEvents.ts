import type { CallTestEvent } from '../call/callTestEvent.ts';
import { EventStream } from '../eventStream.ts';

/** Keeps turns and steps back until it is known what in them is secret. */
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

  /** Tells in order what was held, as `shown` makes it; from now on nothing is held. */
  release(shown: (event: CallTestEvent) => CallTestEvent): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const event of held) super.push(shown(event));
  }
}
