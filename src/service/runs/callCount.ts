import type { Line } from '../../engine/call/talk.ts';
import type { OpenLine } from './callLine.ts';

/** Counts the answered calls of a line that go on, ours and theirs. */
export class CallCount {
  #open = 0;

  get open(): number {
    return this.#open;
  }

  over(openLine: () => Promise<OpenLine>): () => Promise<OpenLine> {
    return async () => {
      const opened = await openLine();
      return {
        line: this.#counted(opened.line),
        receive: async () => {
          const point = await opened.receive();
          return { ...point, line: this.#counted(point.line) };
        },
        close: () => opened.close(),
      };
    };
  }

  #counted(line: Line): Line {
    return {
      dial: async (...call) => {
        const talk = await line.dial(...call);
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
