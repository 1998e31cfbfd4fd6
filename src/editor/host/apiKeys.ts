import type { Basics } from '../basics/createBasics.ts';
import { StoredSecrets } from './storedSecrets.ts';

/** Keys of web services, by their addresses: one per origin, so that no service receives another one's key. */
export class ApiKeys extends StoredSecrets {
  /** @param kind of service: keys of different kinds are separate, even with the same origin */
  constructor(secrets: Basics['secrets'], kind: 'key' | 'modelKey' | 'agentKey') {
    super(secrets, (url) => `dialtree.${kind} ${new URL(url).origin}`);
  }
}
