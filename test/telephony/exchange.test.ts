import assert from 'node:assert/strict';
import path from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { createDialer } from '../../src/engine/call/conversation.ts';
import { callingAs, type Dialer } from '../../src/engine/call/activeCall.ts';
import { scoreTree } from '../../src/model/tree/treeScore.ts';
import { loadIvr, type IvrSource } from '../../src/practice/ivrSource.ts';
import { startPractice, type PracticeServer } from '../../src/practice/server.ts';
import { findInstallation, speechAssets } from '../../src/service/basics/installation.ts';
import type { SpeechEngine } from '../../src/speech/ear.ts';
import { createSpeechEngine } from '../../src/speech/engine.ts';
import { startSipAgent } from '../../src/telephony/agent.ts';
import type { SipAgent } from '../../src/telephony/call.ts';
import { crawlTree, truthOf, type Crawled } from '../support/crawlTree.ts';
import { findExchange, type Exchange } from '../support/exchange.ts';
import { within } from '../support/patience.ts';

/** Signalling through a proxy that asks for a password, and audio through a relay, as with most providers. */
describe('a mapping through Kamailio and rtpengine @full', function () {
  let speech: SpeechEngine | undefined;
  let agent: SipAgent | undefined;
  let source: IvrSource;
  let practice: PracticeServer | undefined;
  let exchange: Exchange | undefined;

  before(async function () {
    const start = findExchange();
    if (start === undefined) return this.skip();
    const installation = findInstallation();
    speech = createSpeechEngine({ assetsDir: speechAssets(installation), workerUrl: installation.speechWorker });
    await speech.warm();
    agent = await startSipAgent({ host: '127.0.0.1' });
    source = await loadIvr(path.resolve(import.meta.dirname, '../../media/samples/bank.ivr.json'));
    practice = await startPractice([source], { port: 0, speech });
    exchange = await start(lab().answerer.split('@')[1] ?? '');
  });
  after(async () => {
    await Promise.all([exchange?.stop(), practice?.close()]);
    await agent?.close();
    await speech?.close();
  });

  function lab() {
    const answerer = practice?.targets[0]?.uri;
    assert.ok(speech && agent && answerer !== undefined);
    return { answerer, dialer: createDialer({ agent, speech }) };
  }

  async function map(dialer: Dialer, onEvent?: Parameters<typeof crawlTree>[1]): Promise<Crawled> {
    const user = /^sip:([^@]+)@/.exec(lab().answerer)?.[1] ?? '';
    const config = { mappingMode: 'hybrid', maxDepth: 8, maxCalls: 100, concurrency: 4 } as const;
    const { signal } = new AbortController();
    return crawlTree({ target: exchange?.address(user) ?? '', dialer, clock: systemClock, signal, config }, onEvent);
  }

  it('fails without the password, and says what to set', async () => {
    const { end } = await map(lab().dialer);
    assert.equal(end.status, 'failed');
    assert.match(end.reason ?? '', /asks for a login.*Set the user and password of this line\./);
  });

  it('finds every option and end', async () => {
    assert.ok(exchange);
    const { credentials } = exchange;
    const { tree, end } = await map(callingAs(lab().dialer, { credentials }));
    const { options, ends, falseMerges, mistakes } = scoreTree(truthOf(source.ivr), tree);
    assert.equal(end.status, 'completed', `${end.reason ?? ''}\n${exchange.output()}`);
    assert.deepEqual([options.f1, mistakes, falseMerges, ends.wrong], [1, [], [], []]);
    assert.ok((await exchange.relayed()) > 1000, 'rtpengine relays the audio');
  });

  it('hears encrypted audio, which the relay decrypts for the answerer', async () => {
    assert.ok(exchange && agent);
    const { credentials, address } = exchange;
    const user = /^sip:([^@]+)@/.exec(lab().answerer)?.[1] ?? '';
    const leg = agent.call(address(user), { credentials, srtp: 'require' });
    const heard = new Promise<void>((resolve, reject) => {
      leg.listen((event) => {
        if (event.type === 'audio' && event.frame.pcm.some((sample) => Math.abs(sample) > 2000)) resolve();
        else if (event.type === 'ended') reject(new Error(event.end.reason));
      });
    });
    await within(heard, 'the prompt is heard', () => exchange?.output() ?? '');
    assert.match(leg.stats().srtp ?? '', /^AES_CM_128_HMAC_SHA1/);
    await leg.hangup();
    assert.equal(leg.stats().refusedPackets ?? 0, 0);
  });

  it('ends with what was found if the exchange stops, and says that it no longer answers', async () => {
    assert.ok(exchange);
    const { credentials, stop } = exchange;
    let stopped: Promise<void> | undefined;
    const { tree, end } = await map(callingAs(lab().dialer, { credentials }), (event) => {
      if (event.type === 'node' && event.node.status === 'explored') stopped ??= stop();
    });
    await stopped;
    assert.equal(end.status, 'failed');
    assert.match(end.reason ?? '', /didn't respond/);
    assert.notEqual(tree.tree?.transcript ?? '', '');
  });
});
