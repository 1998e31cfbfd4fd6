import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { DialtreeClient } from '../../src/client/client.ts';
import type { Store } from '../../src/service/store/store.ts';
import { EventWatch } from './serviceFixture.ts';
import { leafNode, rootNode, statsOf } from './serviceScript.ts';
import type { ScriptedCrawl } from './serviceScript.ts';
import { insertLoadTest } from './storedRows.ts';

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

/** Writes a mission's run and a load test directly into the store; with a PIN, running ones that know it. */
export async function storeTestRuns(store: Store, workspaceId: string, secretPin?: string): Promise<void> {
  const over = secretPin === undefined;
  const times = {
    started_at: new Date('2026-02-01T10:00:00.123Z'),
    completed_at: over ? new Date('2026-02-01T10:01:00.456Z') : null,
  };
  await store.write(async (transaction) => {
    await transaction
      .insertInto('test_runs')
      .values({
        id: randomUUID(),
        workspace_id: workspaceId,
        run_type: 'mission',
        outcome: over ? 'PASS' : null,
        phone_number: lab,
        config_id: randomUUID(),
        catalogue_test_id: null,
        config_name: 'm',
        ...times,
        ...(!over && { plan: JSON.stringify({ type: 'script', steps: [], row: { pin: secretPin } }) }),
        result: JSON.stringify({
          steps: [
            { name: 'greeting', outcome: 'PASS', similarity: 0.9, words: [{ word: 'hello', startMs: 1, endMs: 2 }] },
          ],
          transcript: [{ speaker: 'them', text: 'Hello' }],
          mission: { verdict: 'pass', passEvidence: [{ quote: 'Hello' }] },
        }),
      })
      .execute();
    await insertLoadTest(transaction, {
      id: randomUUID(),
      workspace_id: workspaceId,
      concurrency: 2,
      ramp_seconds: 1.5,
      hold_seconds: 5,
      status: over ? 'completed' : 'running',
      shape: JSON.stringify({
        callsPerSecond: 20,
        keys: [{ afterSeconds: 1.5, digits: '1#' }],
        abortWhen: { failureShare: 0.2 },
      }),
      stats: over
        ? JSON.stringify({
            callsPlaced: 2,
            callsAnswered: 2,
            setupSuccess: 1,
            outcomes: { answered: 2 },
            callSeconds: 10.1,
          })
        : null,
      ...times,
    });
  });
}

/** Writes rows with any text, number, time and JSON that a store accepts; the same every time. */
export async function storeOddRows(store: Store, workspaceId: string): Promise<void> {
  const text = fc
    .string({ unit: 'binary', maxLength: 40 })
    .map((any) => any.replaceAll('\0', ''))
    .filter((any) => any.isWellFormed());
  const { json, values } = fc.letrec((tie) => ({
    json: fc.oneof(
      { depthSize: 'small' },
      text,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('json'), { maxLength: 3 }),
      tie('values'),
    ),
    values: fc.dictionary(text, tie('json'), { maxKeys: 4 }),
  }));
  const row = fc.record({
    event: text,
    detail: values,
    also: json,
    seconds: fc.double({ min: 0, max: 1e12, noNaN: true }),
    at: fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
  });
  await store.write(async (transaction) => {
    for (const [index, { event, detail, also, seconds, at }] of fc.sample(row, { seed: 7, numRuns: 100 }).entries()) {
      await transaction
        .insertInto('audit')
        .values({ id: randomUUID(), workspace_id: workspaceId, event, detail: JSON.stringify({ detail, also }), at })
        .execute();
      await transaction
        .insertInto('consents')
        .values({
          workspace_id: workspaceId,
          phone_number: `+1202555${String(1000 + index)}`,
          statement: event,
          recorded_at: at,
        })
        .execute();
      await transaction
        .insertInto('balances')
        .values({
          id: randomUUID(),
          workspace_id: workspaceId,
          pool: 's2s',
          source: 'pack',
          seconds_granted: seconds,
          seconds_used: seconds / 3,
          at,
        })
        .execute();
    }
  });
}
