import type { LogOutputChannel, SecretStorage } from 'vscode';
import { scrub } from '../../../model/secrets/scrub.ts';
import { hideValues } from '../../../model/secrets/hideValues.ts';
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

type Secrets = Pick<SecretStorage, 'get' | 'store' | 'delete'>;

/** Every secret that this window has read or stored since it started, including replaced ones. The log masks them. */
export class KnownSecrets {
  readonly #values = new Set<string>();
  #hide = hideValues([]);

  readonly hide = (text: string): string => this.#hide(text);

  /** Returns the same secret storage, and remembers every value that is read or written. */
  over(secrets: Secrets): Secrets {
    return {
      get: async (name) => this.#note(await secrets.get(name)),
      store: async (name, value) => {
        await secrets.store(name, this.#note(value));
      },
      delete: (name) => secrets.delete(name),
    };
  }

  #note<Value extends string | undefined>(value: Value): Value {
    if (value !== undefined && !this.#values.has(value)) {
      this.#values.add(value);
      this.#hide = hideValues(this.#values);
    }
    return value;
  }
}
