import type { WallClock } from '../wallClock.ts';
import type { LogLevel } from './logger.ts';

/** The number of lines, and characters per line. */
const maxLines = 200;
const longest = 2_000;

/** The newest lines of the log, masked as in the log. */
export class LogTail {
  readonly #clock: Pick<WallClock, 'now'>;
  readonly #lines: string[] = [];

  constructor(clock: Pick<WallClock, 'now'>) {
    this.#clock = clock;
  }

  /** Oldest first, each with its UTC time and level. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  add(level: LogLevel, message: string): void {
    this.#lines.push(`${new Date(this.#clock.now()).toISOString()} ${level.padEnd(5)} ${message.slice(0, longest)}`);
    if (this.#lines.length > maxLines) this.#lines.shift();
  }
}
