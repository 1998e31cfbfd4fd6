import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { ivrFileSchema, type IvrFile } from '../../src/contract/ivrFile.ts';
import { testStepSchema } from '../../src/contract/testConfigs.ts';
import { createDialer } from '../../src/engine/call/conversation.ts';
import type { Dialer } from '../../src/engine/call/activeCall.ts';
import type { CallTestEnd } from '../../src/engine/call/callTestEvent.ts';
import { endOfTest } from '../../src/engine/call/endOfTest.ts';
import { Lateness } from '../../src/engine/hearing/lateness.ts';
import { runScript } from '../../src/engine/script/script.ts';
import { scoreTree } from '../../src/model/tree/treeScore.ts';
import { treeText } from '../../src/model/tree/treeLines.ts';
import { findInstallation, speechAssets } from '../../src/service/basics/installation.ts';
import type { SpeechEngine } from '../../src/speech/ear.ts';
import { createSpeechEngine } from '../../src/speech/engine.ts';
import { startSipAgent } from '../../src/telephony/agent.ts';
import type { SipAgent } from '../../src/telephony/call.ts';
import { keysBy, startAsterisk, type Asterisk } from '../support/asterisk.ts';
import { findAsterisk } from '../support/asteriskPackages.ts';
import { crawlTree, truthOf } from '../support/crawlTree.ts';
import { endOf } from '../support/legEvents.ts';
import { patienceMs, within } from '../support/patience.ts';
import { skipFor } from '../support/skipFor.ts';

const fixtures = path.join(import.meta.dirname, '../fixtures/asterisk');
const readPlan = (name: string): IvrFile =>
  ivrFileSchema.parse(JSON.parse(readFileSync(path.join(fixtures, `${name}.ivr.json`), 'utf8')));

/** Dial plans to map, and what a mapping of each achieves. */
const plans = [
  // Prompts of single words are misheard now and then.
  { name: 'office', leastF1: 0.85, wrongEnds: 2 },
  { name: 'big-office', leastF1: 0.85, wrongEnds: 4 },
  // One option too many, of two.
  { name: 'demo', leastF1: 0.8, wrongEnds: 0 },
];

/** The dial plans of the fixtures, played by an Asterisk with its own prompts: a system that Dialtree has no part in. */
describe('Asterisk @full', function () {
  let asterisk: Asterisk | undefined;
  let agent: SipAgent | undefined;
  let speech: SpeechEngine | undefined;

  before(async function () {
    const files = findAsterisk();
    if (files === undefined) return this.skip();
    asterisk = await startAsterisk(files, fixtures);
    agent = await startSipAgent({ host: '127.0.0.1' });
    const installation = findInstallation();
    speech = createSpeechEngine({ assetsDir: speechAssets(installation), workerUrl: installation.speechWorker });
    await speech.warm();
  });
  after(async () => {
    await agent?.close();
    await Promise.all([speech?.close(), asterisk?.stop()]);
  });

  function lab() {
    assert.ok(asterisk && agent && speech);
    return { asterisk, agent, speech };
  }

  for (const by of keysBy)
    it(`receives keys by ${by}`, async () => {
      const { asterisk: pbx, agent: caller } = lab();
      const leg = caller.call(pbx.extension('keys'), { from: pbx.caller(by), keysBy: by });
      const keys = '0123456789*';
      const received = new Promise<string>((resolve, reject) => {
        leg.listen((event) => {
          if (event.type === 'answered') leg.sendDigits(keys).catch(reject);
          else if (event.type === 'transfer') resolve(event.target);
          else if (event.type === 'ended') reject(new Error(event.end.reason));
        });
      });
      assert.equal(await within(received, 'a transfer to the keys', () => pbx.output()), `sip:${keys}@127.0.0.1`);
      await leg.hangup();
    });

  for (const [how, from, answer] of [
    ['on one port', 'rfc4733', /rtcp-mux/],
    ['on its own port', undefined, /^(?![^]*rtcp-mux)/],
  ] as const)
    it(`measures round trip and loss as Dialtree does, with RTCP ${how}`, async () => {
      const { asterisk: peer, agent: caller } = lab();
      const before = peer.output().length;
      const printed = (): string => peer.output().slice(before);
      const leg = caller.call(peer.extension('rtcp'), from && { from: peer.caller(from) });
      const {
        roundTripMs = Infinity,
        remoteLost,
        sent,
      } = await within(
        endOf(leg).then(() => leg.stats()),
        'the call ends',
        printed,
      );
      const [received] = leg
        .trace()
        .filter(({ text, direction }) => direction === 'received' && /^m=audio/m.test(text));
      assert.match(received?.text ?? '', answer);
      assert.ok(roundTripMs < 1000, `round trip ${String(roundTripMs)}\n${printed()}`);
      assert.equal(remoteLost, 0);
      // Asterisk prints its figures before it responds to another request.
      await caller.options(peer.extension('rtcp'));
      const figures = /NoOp\("[^"]*", "(?<all>ssrc=[^"]*)"/.exec(printed())?.groups?.['all'] ?? '';
      const figure = (name: string): number => Number(new RegExp(`\\b${name}=([\\d.]+)`).exec(figures)?.[1]);
      assert.ok(figure('rtt') > 0 && figure('rtt') < 1, figures);
      assert.ok(figure('rxcount') > 700 && figure('rxcount') <= sent, figures);
    });

  async function ended(extension: string, steps: readonly object[]): Promise<CallTestEnd> {
    const { asterisk: pbx, ...parts } = lab();
    return endOfTest(
      runScript({
        target: pbx.extension(extension),
        steps: testStepSchema.array().parse(steps),
        dialer: createDialer(parts),
        clock: systemClock,
        signal: new AbortController().signal,
      }),
    );
  }

  it('announces before it answers or refuses a call, but not by a ringing tone', async function () {
    const heardBeforeAnswer = 'The number you have dialed is not in service. Please check the number and try again.';
    const early = { name: 'Before', action: { type: 'dial' }, heardBeforeAnswer };
    const goodbye = { name: 'After', action: { type: 'expect' }, expectedTranscript: 'Goodbye.' };
    const [refused, answered, rings] = await Promise.all([
      ended('refused', [early]),
      ended('answered', [early, goodbye]),
      ended('rings', [early]),
    ]);
    for (const { outcome, reason } of [refused, answered])
      if (outcome === 'INCONCLUSIVE') skipFor(this, reason ?? outcome);
    assert.deepEqual([refused.outcome, answered.outcome], ['PASS', 'PASS'], `${refused.reason} ${answered.reason}`);
    assert.match(refused.hangUp?.sentence ?? '', /^The call was refused .* Before that, it said: “.*not in service/i);
    assert.match(answered.transcript.map(({ text }) => text).join(' | '), /not in service.* \| goodbye/i);
    assert.match(rings.reason ?? '', /Nothing was said before the answer\./);
  });

  it('passes a scripted test', async function () {
    const { asterisk: pbx } = lab();
    const office = readPlan('office');
    const words = (state: string): string => String(office.states[state]?.prompt);
    const { outcome, reason } = await ended('office', [
      { name: 'Office', action: { type: 'dial' }, expectedTranscript: '* For an operator, press 0.' },
      { name: 'Accounts', action: { type: 'press', keys: '3' }, expectedTranscript: words('accounts') },
      {
        name: 'Hours',
        action: { type: 'press', keys: '1' },
        expectedTranscript: words('hours'),
        expectedEnd: 'hangup',
      },
    ]);
    if (outcome === 'INCONCLUSIVE') skipFor(this, reason ?? outcome);
    assert.equal(outcome, 'PASS', `${reason ?? ''}\n${pbx.output()}`);
  });

  for (const { name, leastF1, wrongEnds } of plans)
    it(`gives the whole tree of ${name}`, async function () {
      // Its prompts play in real time, for several minutes.
      this.timeout(6 * patienceMs);
      const { asterisk: pbx, ...parts } = lab();
      const lateness = new Lateness();
      const { tree, end } = await crawlTree({
        target: pbx.extension(name),
        dialer: timed(createDialer(parts), lateness),
        clock: systemClock,
        signal: new AbortController().signal,
        config: { mappingMode: 'hybrid', maxDepth: 8, maxCalls: 100, concurrency: 2 },
      });
      const { options, ends, falseMerges, missedLinks, mistakes } = scoreTree(truthOf(readPlan(name)), tree);
      const calls = pbx.calls(name);
      const lines = [
        `F1 ${options.f1.toFixed(3)}: ${String(options.right)} of ${String(options.truth)} options; ${String(ends.right)} of ${String(ends.truth)} ends; ${String(tree.stats?.callsPlaced)} calls`,
        ...[...mistakes, ...ends.wrong, ...falseMerges, ...missedLinks].map((line) => `wrong: ${line}`),
        ...treeText(tree).split('\n'),
        `keys of the calls, with ! if no menu took it: ${calls.map((keys) => keys.map(({ key, taken }) => (taken ? key : `${key}!`)).join('')).join(' ')}`,
      ];
      for (const line of lines) console.log(`      ${line}`);
      if (lateness.excuse !== undefined) skipFor(this, String(lateness.excuse));
      assert.equal(end.status, 'completed', end.reason);
      assert.deepEqual(falseMerges, []);
      assert.ok(options.f1 >= leastF1, lines.join('\n'));
      assert.ok(ends.right >= ends.truth - wrongEnds, lines.join('\n'));
      assert.doesNotMatch(pbx.output(), /does not exist in any format/, 'each prompt of the dial plan is installed');
    });
});

/** The same dialer. Notes how long after its end each utterance became text. */
const timed = (dialer: Dialer, lateness: Lateness): Dialer => ({
  async dial(...args) {
    const call = await dialer.dial(...args);
    call.listen((event) => {
      if (event.type === 'utterance') lateness.behind(call.now() - event.utterance.endMs);
    });
    return call;
  },
});
