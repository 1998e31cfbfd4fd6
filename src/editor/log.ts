import type { LogOutputChannel } from 'vscode';
import { scrub } from '../model/scrub.ts';
import type { LogTail } from './issue/logTail.ts';
import type { Logger, LogLevel } from './logger.ts';

/** The one log. What looks like a number, an address to call, or a key is masked here, whatever message it came in. `tail` keeps its newest lines. */
export function createLogger(channel: Pick<LogOutputChannel, LogLevel>, tail?: Pick<LogTail, 'add'>): Logger {
  const write = (level: LogLevel) => (message: string): void => {
    const masked = mask(message);
    tail?.add(level, masked);
    channel[level](masked);
  };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

export function mask(text: string): string {
  // The public part of a key stays, that of a broken one may be none.
  return scrub(text).replaceAll(/\bdt_(?!\w{8}_\[)\w+/g, 'dt_[redacted]');
}
