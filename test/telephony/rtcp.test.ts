import assert from 'node:assert/strict';
import path from 'node:path';
import { startSipAgent } from '../../src/telephony/agent.ts';
import type { RtpStats, SipAgent } from '../../src/telephony/call.ts';
import { startAsterisk, type Asterisk } from '../support/asterisk.ts';
import { findAsterisk } from '../support/asteriskPackages.ts';
import { within } from '../support/patience.ts';

/** Asterisk measures the same calls, and prints its figures. */
describe('RTCP with Asterisk @full', function () {
  let asterisk: Asterisk | undefined;
  let agent: SipAgent | undefined;

  before(async function () {
    const files = findAsterisk();
    if (files === undefined) return this.skip();
    asterisk = await startAsterisk(files, path.join(import.meta.dirname, '../fixtures/asterisk'));
    agent = await startSipAgent({ host: '127.0.0.1' });
  });
  after(async () => {
    await agent?.close();
    await asterisk?.stop();
  });

  for (const [how, from, answer] of [
    ['on one port', 'rfc4733', /rtcp-mux/],
    ['on its own port', undefined, /^(?![^]*rtcp-mux)/],
  ] as const)
    it(`measures the round trip and the loss in both directions ${how}`, async () => {
      assert.ok(asterisk && agent);
      const peer = asterisk;
      const before = peer.output().length;
      const printed = (): string => peer.output().slice(before);
      const leg = agent.call(peer.extension('rtcp'), from && { from: peer.caller(from) });
      const ended = new Promise<RtpStats>((resolve) => {
        leg.listen((event) => {
          if (event.type === 'ended') resolve(leg.stats());
        });
      });
      const { roundTripMs = Infinity, remoteLost, sent } = await within(ended, 'the call ends', printed);
      const [received] = leg
        .trace()
        .filter(({ text, direction }) => direction === 'received' && /^m=audio/m.test(text));
      assert.match(received?.text ?? '', answer);
      assert.ok(roundTripMs < 1000, `round trip ${String(roundTripMs)}\n${printed()}`);
      assert.equal(remoteLost, 0);
      const figures = /NoOp\("[^"]*", "(?<all>ssrc=[^"]*)"/.exec(printed())?.groups?.['all'] ?? '';
      const figure = (name: string): number => Number(new RegExp(`\\b${name}=([\\d.]+)`).exec(figures)?.[1]);
      assert.ok(figure('rtt') > 0 && figure('rtt') < 1, figures);
      assert.ok(figure('rxcount') > 700 && figure('rxcount') <= sent, figures);
    });
});
