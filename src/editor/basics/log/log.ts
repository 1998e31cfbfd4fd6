import type { LogOutputChannel } from 'vscode';
import { scrub } from '../../../model/secrets/scrub.ts';
import type { LogTail } from './logTail.ts';
import type { Logger, LogLevel } from './logger.ts';

/**
 * Creates the log. `hide` removes secrets that are known by their value. Text that looks like a number, a SIP address
 * or a key is masked too, whichever message contains it. `tail` keeps the newest lines.
 */
export function createLogger(
  channel: Pick<LogOutputChannel, LogLevel>,
  tail?: Pick<LogTail, 'add'>,
  hide: (text: string) => string = (text) => text,
): Logger {
  const write =
    (level: LogLevel) =>
    (message: string): void => {
      const masked = mask(hide(message));
      tail?.add(level, masked);
      channel[level](masked);
    };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

export function mask(text: string): string {
  // The public part of a key stays. A broken key might not have one.
  return scrub(text).replaceAll(/\bdt_(?!\w{8}_\[)\w+/g, 'dt_[redacted]');
}
