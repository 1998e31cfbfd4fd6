import type { LogOutputChannel } from 'vscode';
import type { Logger } from './logger.ts';

/** The one log. What looks like a number, an address to call, or a key is masked here, whatever message it came in. */
export function createLogger(channel: Pick<LogOutputChannel, 'debug' | 'info' | 'warn' | 'error'>): Logger {
  return {
    debug: (message) => { channel.debug(mask(message)); },
    info: (message) => { channel.info(mask(message)); },
    warn: (message) => { channel.warn(mask(message)); },
    error: (message) => { channel.error(mask(message)); },
  };
}

export function mask(text: string): string {
  return text
    .replaceAll(/\bdt_\w+/g, 'dt_•••')
    .replaceAll(/\b(sips?:)[^@\s"'<>]+@/gi, '$1•••@')
    .replaceAll(/\+\d[\d ().-]{5,}\d/g, '+•••');
}
