import type { Clock } from '../../base/clock.ts';
import type { CallLeg } from '../../telephony/call.ts';
import { AudioOnset, FRAME_MS } from './audioOnset.ts';

/** Notes when a call rings, is answered and plays its first audio. Times are as in `LoadCallRecord`. */
export class CallTimes {
  readonly placedAt: number;
  ringAt: number | undefined;
  answeredAt: number | undefined;
  promptAt: number | undefined;
  readonly #clock: Clock;
  readonly #onset = new AudioOnset();
  #firstFrameAt: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.placedAt = clock.now();
  }

  note(event: Parameters<Parameters<CallLeg['listen']>[0]>[0]): void {
    switch (event.type) {
      case 'audio': {
        if (this.answeredAt === undefined || this.#onset.done) return;
        this.#firstFrameAt ??= this.#clock.now();
        const onset = this.#onset.push(event.frame);
        if (onset !== undefined) this.promptAt = this.#firstFrameAt + onset * FRAME_MS;
        break;
      }
      case 'ringing':
        this.ringAt ??= this.#clock.now();
        break;
      case 'answered':
        this.answeredAt = this.#clock.now();
        break;
      default:
    }
  }
}
