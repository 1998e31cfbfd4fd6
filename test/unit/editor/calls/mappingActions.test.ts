import assert from 'node:assert/strict';
import type { MappingJob } from '../../../../src/contract/mapping.ts';
import { MappingActions } from '../../../../src/editor/calls/mappingActions.ts';
import { FakeClient, job } from '../fakes.ts';

describe('a new mapping of a practice IVR', () => {
  const uri = 'sip:bank@127.0.0.1:5071';
  const before = 'sip:bank@127.0.0.1:5070';
  const running = [{ file: '/w/bank.ivr.json', name: 'Bank', uri, addresses: [uri, before] }];

  /** Maps a target when these mappings exist, by number. Returns the mapping's id, and the operations. */
  async function map(target: string, mapped: Record<string, MappingJob>, profileId?: string) {
    const client = new FakeClient({
      listMappings: (input) => {
        const { phoneNumber = '', profileId: profile } = input as { phoneNumber?: string; profileId?: string };
        return { items: profile === undefined && mapped[phoneNumber] ? [mapped[phoneNumber]] : [] };
      },
      createMapping: () => job(7),
      startMapping: () => job(1),
      planCalls: () => ({}) as never,
    });
    const actions = new MappingActions({
      client: Object.assign(client, { isCancelling: () => false, onDidCancel: () => ({ dispose: () => undefined }) }),
      store: { accept: () => undefined } as never,
      practice: { running },
      consent: {
        agreed: (_subject, work) => work(),
        planned: (_subject, work) => work(),
        planWords: () => Promise.resolve(undefined),
      },
      defaults: () => ({}) as never,
      isRemote: () => false,
      report: () => undefined,
      raiseLimit: () => undefined,
      openTree: () => undefined,
    });
    const id = await actions.createOrMapAgain({ target, ...(profileId !== undefined && { profileId }) });
    return [id, ...client.calls.map(({ name }) => name).filter((name) => /^(create|start)/.test(name))];
  }

  it('starts the one that exists at any of its addresses, unless it is running', async () => {
    for (const target of [uri, before])
      assert.deepEqual(await map(target, { [before]: job(2) }), [job(2).id, 'startMapping']);
    assert.deepEqual(await map(before, { [uri]: job(3), [before]: job(2) }), [job(3).id, 'startMapping']);
    assert.deepEqual(await map(uri, { [before]: { ...job(2), status: 'running' } }), [job(2).id]);
  });

  it('creates one if the IVR has none with this profile, and for every other target', async () => {
    const created = [job(7).id, 'createMapping', 'startMapping'];
    assert.deepEqual(await map(uri, {}), created);
    assert.deepEqual(await map(uri, { [uri]: job(2) }, '7b6a3a56-5df8-4c5c-9f0e-1f2f8f1a2b3c'), created);
    assert.deepEqual(await map('+12125550123', { '+12125550123': job(2) }), created);
  });
});
