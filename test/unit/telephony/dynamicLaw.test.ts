import assert from 'node:assert/strict';
import { encodeInto } from '../../../src/base/g711.ts';
import { parseRtp, RTP_HEADER_BYTES, writeRtpHeader } from '../../../src/telephony/rtp/packet.ts';
import { fieldOf, RawPeer, RawStage } from '../../support/rawPeer.ts';

const pcm = Int16Array.from({ length: 160 }, (_, i) => 8000 * Math.sin((2 * Math.PI * 400 * i) / 8000));

describe('a callee that answers with PCMA under a dynamic number', () => {
  for (const number of [121, 101])
    it(`hears and is heard with the number ${String(number)}`, async () => {
      const stage = new RawStage();
      const { link, far } = stage;
      const received = new Set<number>();
      link.listenAt('10.0.0.3', 7000, (datagram) => received.add(parseRtp(datagram)?.payloadType ?? -1));
      const { leg, invite } = await stage.call();
      let peak = 0;
      leg.listen((event) => {
        if (event.type === 'audio') peak = Math.max(peak, ...event.frame.pcm);
      });
      const body = RawPeer.sdp.replace(
        /m=audio[^]*/,
        `m=audio 7000 RTP/AVP ${String(number)}\r\na=rtpmap:${String(number)} PCMA/8000\r\n`,
      );
      far.respond(invite, 200, { body });
      await far.last('ACK');
      const port = Number(/m=audio (\d+)/.exec(invite)?.[1]);
      for (let sequence = 0; sequence < 20; sequence++) {
        const packet = new Uint8Array(RTP_HEADER_BYTES + 160);
        encodeInto('PCMA', pcm, packet, RTP_HEADER_BYTES);
        writeRtpHeader(packet, { payloadType: number, marker: false, sequence, timestamp: sequence * 160, ssrc: 7 });
        link.deliver(packet, { host: '10.0.0.3', port: 7000 }, { host: '10.0.0.1', port });
        await stage.pass(20);
      }
      assert.ok(peak > 7000 && peak < 9000, `PCMA read as such: ${String(peak)}`);
      assert.deepEqual([...received], [number]);
      assert.match(fieldOf(invite, 'Content-Type'), /sdp/);
      await stage.close();
    });
});
