import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { DialtreeClient } from '../../src/client/client.ts';
import type { Store } from '../../src/service/store/store.ts';
import { EventWatch } from './serviceFixture.ts';
import { leafNode, rootNode, statsOf } from './serviceScript.ts';
import type { ScriptedCrawl } from './serviceScript.ts';

const lab = '+12025550101';

/** Creates a job whose single run finds three steps and records two. */
export async function mapOnce(crawl: ScriptedCrawl, client: DialtreeClient): Promise<void> {
  const { id } = await client.call('createMapping', { phoneNumber: lab, name: 'Bank “Ünder”', tags: ['a', 'b'] });
  const watch = new EventWatch(client);
  await watch.ready;
  await client.call('startMapping', { id });
  const run = await crawl.next();
  run.found(rootNode(), leafNode('1'), leafNode('2', { status: 'failed', reason: 'busy' }));
  for (const [index, nodeId] of ['root', 'leaf-1'].entries())
    run.events.push({
      type: 'audio',
      nodeId,
      pcm: Int16Array.from({ length: 900 }, (_, sample) => sample * 31 * (index + 1)),
    });
  run.end({ stats: statsOf({ callsPlaced: 2, callSeconds: 61.37, nodesDiscovered: 3 }) });
  await watch.until(async () => (await client.call('getMapping', { id })).status === 'idle');
  await watch.close();
}

/** Writes tests with any text and time that a store accepts; the same every time. */
export async function storeOddRows(store: Store, workspaceId: string): Promise<void> {
  const text = fc
    .string({ unit: 'binary', maxLength: 40 })
    .map((any) => any.replaceAll('\0', ''))
    .filter((any) => any !== '' && any.isWellFormed());
  const row = fc.record({
    name: text,
    content: fc.record({ mission: text, acceptance: text, description: text }),
    at: fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
  });
  const rows = fc.sample(row, { seed: 7, numRuns: 40 }).map(({ name, content, at }) => ({
    id: randomUUID(),
    workspace_id: workspaceId,
    kind: 'mission' as const,
    name,
    phone_number: lab,
    profile_id: randomUUID(),
    tags: '[]',
    content: JSON.stringify(content),
    created_at: at,
    updated_at: at,
  }));
  await store.write((transaction) => transaction.insertInto('tests').values(rows).execute());
}
