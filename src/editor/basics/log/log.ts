import type { LogOutputChannel } from 'vscode';
import { scrub } from '../../../model/secrets/scrub.ts';
import type { LogTail } from './logTail.ts';
import type { Logger, LogLevel } from './logger.ts';

/**
 * The one log. `hide` takes the secrets out that are known by their value, and what looks like a number, an address to
 * call, or a key is masked too, whatever message it came in. `tail` keeps its newest lines.
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
  // The public part of a key stays, that of a broken one may be none.
  return scrub(text).replaceAll(/\bdt_(?!\w{8}_\[)\w+/g, 'dt_[redacted]');
}
