import assert from 'node:assert/strict';
import type { MappingJob } from '../../../../src/contract/mapping.ts';
import { MappingActions } from '../../../../src/editor/calls/mappingActions.ts';
import type { PracticeIvr } from '../../../../src/editor/host/practiceNotes.ts';
import { FakeClient, job } from '../fakes.ts';

describe('a new mapping of a practice IVR', () => {
  const uri = 'sip:bank@127.0.0.1:5071';
  const before = 'sip:bank@127.0.0.1:5070';
  const ivr: PracticeIvr = { file: '/w/bank.ivr.json', name: 'Bank', uri, addresses: [uri, before] };
  let mapped: Record<string, MappingJob>, client: FakeClient, running: PracticeIvr[], isAgreed: boolean;

  beforeEach(() => {
    mapped = {};
    running = [ivr];
    isAgreed = true;
    client = new FakeClient({
      listMappings: (input) => {
        const found = mapped[(input as { phoneNumber: string }).phoneNumber];
        return { items: found ? [found] : [] };
      },
      createMapping: () => job(7),
      startMapping: () => job(1),
      planCalls: () => ({}) as never,
    });
  });
  const created = (target = uri, profileId?: string): Promise<string | undefined> =>
    new MappingActions({
      client: Object.assign(client, { isCancelling: () => false, onDidCancel: () => ({ dispose: () => undefined }) }),
      store: { accept: () => undefined, watch: () => assert.fail('it shows no progress here') } as never,
      practice: { running },
      consent: {
        agreed: async (_subject, work) => (isAgreed ? work() : undefined),
        planned: (_subject, work) => work(),
        planWords: () => Promise.resolve(undefined),
      },
      defaults: () => ({}) as never,
      isRemote: () => false,
      report: () => undefined,
      raiseLimit: () => undefined,
      openTree: () => undefined,
    }).createOrMapAgain({ target, name: 'Bank', ...(profileId !== undefined && { profileId }) });
  const names = (): string[] => client.calls.map(({ name }) => name).filter((name) => name !== 'planCalls');

  it('starts the mapping at its address, or at one that it had, from each of them', async () => {
    mapped = { [before]: job(2) };
    for (const target of [uri, before]) assert.equal(await created(target), job(2).id);
    mapped = { [uri]: job(3), [before]: job(2) };
    assert.equal(await created(before), job(3).id, 'the address that it has now is first');
    assert.equal(client.count('createMapping'), 0);
    isAgreed = false;
    assert.equal(await created(), undefined);
  });

  it('starts nothing while the mapping is running', async () => {
    mapped = { [before]: { ...job(2), status: 'running' } };
    assert.equal(await created(), job(2).id);
    assert.deepEqual(names(), ['listMappings', 'listMappings']);
  });

  it('is created if the IVR has none with this profile, and for every other target', async () => {
    const profileId = '7b6a3a56-5df8-4c5c-9f0e-1f2f8f1a2b3c';
    assert.equal(await created(uri, profileId), job(7).id);
    assert.deepEqual(
      client.calls.flatMap(({ name, input }) => (name === 'listMappings' ? input : [])),
      [uri, before].map((phoneNumber) => ({ phoneNumber, profileId, limit: 1 })),
    );
    mapped = { '+12125550123': job(2) };
    assert.equal(await created('+12125550123'), job(7).id);
    running = [];
    assert.equal(await created(), job(7).id);
    assert.deepEqual(names().slice(-4), ['createMapping', 'startMapping', 'createMapping', 'startMapping']);
  });
});
