import type { SecretStorage } from 'vscode';
import { hideValues } from '../../../model/secrets/hideValues.ts';

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
