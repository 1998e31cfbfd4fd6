import assert from 'node:assert/strict';
import { deadAirReason, whyNoAudio } from '../../../../src/engine/hearing/deadAir.ts';
import { ScriptedCallAudio } from '../../../support/heardTalk.ts';

const received = (packets: number, ...otherCodecs: readonly string[]): ScriptedCallAudio['talk'] =>
  Object.assign(new ScriptedCallAudio(), { packets, otherCodecs }).talk;

describe('engine: the reason for dead air', () => {
  it('names the silence itself if audio came', () => {
    assert.equal(whyNoAudio(received(1, 'Opus')), undefined);
    assert.equal(String(deadAirReason(received(1), 12)), 'Dead air: nothing was heard for 12 s.');
  });

  it("names the codecs that Dialtree can't play", () => {
    const sentence = /^The called side sends audio as G\.729, Opus, although both sides agreed on G\.711/;
    assert.match(String(whyNoAudio(received(0, 'G.729', 'Opus'))), sentence);
    assert.match(String(deadAirReason(received(0, 'G.729', 'Opus'), 12)), sentence);
    assert.match(String(whyNoAudio(received(0, 'G.729'))), /sends audio as G\.729, although/);
  });

  it('says from where packets came', () => {
    const call = Object.assign(new ScriptedCallAudio(), { elsewhere: '[2001:db8::1]:5000' }).talk;
    assert.match(String(whyNoAudio(call)), /RTP packets came from \[2001:db8::1\]:5000, an address that/);
  });

  it('names the encryption if packets came that fit no key', () => {
    const call = Object.assign(new ScriptedCallAudio(), { refusedPackets: 50 }).talk;
    assert.match(String(whyNoAudio(call)), /50 RTP packets arrived that don't fit the keys.*SRTP/);
  });

  it('asks to check the firewall if no packet came', () => {
    assert.match(String(whyNoAudio(received(0))), /^No audio arrived: .*no RTP packets.*firewall/);
    assert.match(String(deadAirReason(received(0), 12)), /^No audio arrived/);
  });
});
