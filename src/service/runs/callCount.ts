import type { OpenLine } from './callLine.ts';

/** Counts the answered calls of a line that go on. */
export class CallCount {
  #open = 0;

  get open(): number { return this.#open; }

  over(openLine: () => Promise<OpenLine>): () => Promise<OpenLine> {
    return async () => {
      const opened = await openLine();
      return {
        close: () => opened.close(),
        line: {
          dial: async (target, signal) => {
            const talk = await opened.line.dial(target, signal);
            if (talk.ended) return talk;
            this.#open += 1;
            const stop = talk.listen((event) => {
              if (event.type !== 'ended') return;
              stop();
              this.#open -= 1;
            });
            return talk;
          },
        },
      };
    };
  }
}
