import type { Dialer } from '../../engine/call/talk.ts';
import type { OpenDialer } from './sharedDialer.ts';

/** Counts the active calls of a line, outbound and inbound. */
export class CallCount {
  #open = 0;

  get open(): number {
    return this.#open;
  }

  over(openDialer: () => Promise<OpenDialer>): () => Promise<OpenDialer> {
    return async () => {
      const opened = await openDialer();
      return {
        ...opened,
        dialer: this.#counted(opened.dialer),
        receive: async () => {
          const point = await opened.receive();
          return { ...point, dialer: this.#counted(point.dialer) };
        },
      };
    };
  }

  #counted(dialer: Dialer): Dialer {
    return {
      dial: async (...call) => {
        const talk = await dialer.dial(...call);
        if (talk.ended) return talk;
        this.#open += 1;
        const stop = talk.listen((event) => {
          if (event.type !== 'ended') return;
          stop();
          this.#open -= 1;
        });
        return talk;
      },
    };
  }
}
