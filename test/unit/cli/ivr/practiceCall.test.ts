import assert from 'node:assert/strict';
import { startSipAgent } from '../../../../src/telephony/agent.ts';
import { playedBy } from '../../../support/practicePlaces.ts';
import { dialtree, repositoryFile } from '../dialtree.ts';

const campaign = repositoryFile('test/fixtures/compliance/tcpa-id.fail.ivr.json');

describe('dialtree practice --call', function () {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  it('calls an address of this machine and plays the file to the callee', async () => {
    const agent = await startSipAgent({ host: '127.0.0.1' });
    cleanups.push(() => agent.close(), playedBy(agent));
    let loud = 0;
    agent.onCall((leg) => {
      leg.listen((event) => {
        if (event.type === 'audio' && event.frame.pcm.some((sample) => Math.abs(sample) > 1000)) loud += 1;
      });
      leg.answer();
    });
    const { code, stdout } = await dialtree([
      'practice',
      campaign,
      '--call',
      `sip:callee@127.0.0.1:${String(agent.address.port)}`,
    ]);
    assert.deepEqual([code, stdout], [0, 'The call ended: hung up.\n']);
    assert.ok(loud > 100, `${String(loud)} frames of speech came`);
  });

  it('reports how an unanswered call ended, and accepts one file only', async () => {
    const agent = await startSipAgent({ host: '127.0.0.1' });
    cleanups.push(() => agent.close());
    let calls = 0;
    agent.onCall((leg) => {
      calls += 1;
      leg.reject(404);
    });
    const address = `sip:nobody@127.0.0.1:${String(agent.address.port)}`;
    const unasked = await dialtree(['practice', campaign, '--call', address]);
    assert.deepEqual([unasked.code, unasked.stdout], [1, '']);
    assert.ok(unasked.stderr.includes(`add --consent ${address}.`), unasked.stderr);
    const forbidden = await dialtree([
      'practice',
      campaign,
      '--call',
      address.replace('nobody', '91911'),
      '--consent',
      address,
    ]);
    assert.match(forbidden.stderr, /91911 is an emergency or crisis line/);
    const refused = await dialtree(['practice', campaign, '--call', address, '--consent', address]);
    assert.equal(refused.code, 1);
    assert.match(refused.stdout, /^The call ended: \S/);
    assert.equal(calls, 1, 'with consent alone');
    const two = await dialtree(['practice', campaign, campaign, '--call', 'sip:a@127.0.0.1']);
    assert.notEqual(two.code, 0);
    assert.match(two.stderr, /--call takes exactly one file/);
  });
});
