import type { DialtreeClient } from '../../src/client/client.ts';
import { EventWatch } from './serviceFixture.ts';

/** Settles as soon as `condition` holds; checks now and after every event of the client's workspace. */
export async function eventually(client: DialtreeClient, condition: () => Promise<boolean>): Promise<void> {
  const watch = new EventWatch(client);
  await watch.until(condition);
  await watch.close();
}
