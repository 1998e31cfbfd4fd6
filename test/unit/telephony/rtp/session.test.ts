import assert from 'node:assert/strict';
import { Pacer } from '../../../../src/telephony/rtp/pacer.ts';
import { RtpSession } from '../../../../src/telephony/rtp/session.ts';
import type { MediaAgreement } from '../../../../src/telephony/rtp/session.ts';
import { ManualClock } from '../../../support/manualClock.ts';

const [host, port, beside] = ['10.0.0.1', 4000, '10.0.0.2'];
const agreement: MediaAgreement = {
  host,
  port,
  alsoFrom: beside,
  law: 'PCMU',
  sendEventType: undefined,
  receiveEventTypes: [],
  maySend: true,
  mayReceive: true,
};
const packet = Buffer.from([0x80, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, ...new Array<number>(160).fill(0)]);

describe('the media of a call', () => {
  /** Returns how many packets from these addresses are accepted. */
  function heardBy(agreed: MediaAgreement, ...from: readonly (readonly [host: string, port: number])[]): number {
    const clock = new ManualClock();
    const session = new RtpSession({
      open: () => Promise.reject(new Error('none')),
      pacer: new Pacer(clock, (play) => play()),
      clock,
      listener: () => undefined,
      onHeard: () => undefined,
      onFault: (error) => {
        throw error;
      },
    });
    session.agree(agreed);
    const counted = from.filter(([at, source]) => {
      clock.advance(1);
      session.receive(packet, at, source);
      return session.heardAt === clock.now();
    });
    session.close();
    return counted.length;
  }
  const heardFrom = (...from: readonly (readonly [string, number])[]): number => heardBy(agreement, ...from);

  it('come from the agreed address or the signalling address, and from nowhere else', () =>
    assert.deepEqual(
      [heardFrom([host, port]), heardFrom([host, 4002]), heardFrom([beside, 4002]), heardFrom(['10.0.0.9', port])],
      [1, 1, 1, 0],
    ));

  it('stay with the first sender, until the agreed one sends', () => {
    assert.equal(heardFrom([host, 4002], [host, 4004], [beside, 4002], [host, 4002]), 2);
    assert.equal(heardFrom([host, 4002], [host, port], [host, 4002], [host, port]), 3);
  });

  it("come from no port 0, and not while receiving isn't allowed", () => {
    assert.equal(heardFrom([host, 0], [host, port]), 1);
    assert.equal(heardBy({ ...agreement, mayReceive: false }, [host, port]), 0);
  });
});
