import type { Basics } from '../basics/createBasics.ts';
import { StoredSecrets } from './storedSecrets.ts';

/** What `${secret:NAME}` stands for, by name. A workspace hasn't those of others, whose files could give them to anyone. */
export class TestSecrets extends StoredSecrets {
  constructor(secrets: Basics['secrets'], workspaceId: () => string) {
    super(secrets, (name) => ['dialtree.secret', workspaceId(), name].join(' '));
  }
}
