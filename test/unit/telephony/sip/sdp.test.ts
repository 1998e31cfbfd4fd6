import assert from 'node:assert/strict';
import { codecsIn, readSdp, writeAnswer, writeOffer } from '../../../../src/telephony/sip/sdp.ts';

const local = { host: '192.0.2.1', port: 4000, sessionId: 7, version: 0 };
const sdp = (media: string, session = 'c=IN IP4 192.0.2.9\r\n'): string =>
  `v=0\r\no=- 1 1 IN IP4 192.0.2.9\r\ns=-\r\n${session}t=0 0\r\n${media}`;

describe('SDP', () => {
  it('offers both laws and events', () => {
    assert.equal(
      writeOffer(local),
      [
        'v=0',
        'o=- 7 0 IN IP4 192.0.2.1',
        's=-',
        'c=IN IP4 192.0.2.1',
        't=0 0',
        'm=audio 4000 RTP/AVP 0 8 101',
        'a=rtpmap:0 PCMU/8000',
        'a=rtpmap:8 PCMA/8000',
        'a=rtpmap:101 telephone-event/8000',
        'a=fmtp:101 0-15',
        'a=rtcp:4000',
        'a=ptime:20',
        'a=sendrecv',
        'a=rtcp-mux',
        '',
      ].join('\r\n'),
    );
    assert.match(writeOffer({ ...local, host: '::1' }), /o=- 7 0 IN IP6 ::1\r\n[^]*c=IN IP6 ::1/);
  });

  it('answers with the offerer’s first law and its event type, and rejects other streams', () => {
    const offer = readSdp(
      sdp(
        'm=video 5000 RTP/AVP 31\r\nm=audio 6000 RTP/AVP 18 8 0 97\r\na=rtpmap:97 telephone-event/8000\r\na=sendonly\r\n',
      ),
    );
    assert.ok(offer);
    assert.deepEqual(
      [offer.host, offer.port, offer.laws, offer.eventType, offer.direction],
      ['192.0.2.9', 6000, ['PCMA', 'PCMU'], 97, 'sendonly'],
    );
    const answer = writeAnswer(local, offer);
    assert.match(answer, /m=video 0 RTP\/AVP 31\r\n/);
    assert.match(answer, /m=audio 4000 RTP\/AVP 8 97\r\n/);
    assert.match(answer, /a=recvonly/);
  });

  it('reads and answers G.711 under a dynamic number, and no other codec under a static one', () => {
    const audio = (types: string, ...maps: string[]): string =>
      sdp(`m=audio 6000 RTP/AVP ${types}\r\n${maps.map((map) => `a=rtpmap:${map}\r\n`).join('')}`);
    const offer = readSdp(audio('121 96 101', '121 pcma/8000/1', '96 PCMU/8000', '101 telephone-event/8000'));
    assert.ok(offer);
    assert.deepEqual(
      [[...offer.lawTypes], offer.laws],
      [
        [
          [121, 'PCMA'],
          [96, 'PCMU'],
        ],
        ['PCMA', 'PCMU'],
      ],
    );
    assert.match(writeAnswer(local, offer), /m=audio 4000 RTP\/AVP 121 101\r\na=rtpmap:121 PCMA\/8000\r\n/);
    for (const text of [
      audio('121', '121 PCMA/16000'),
      audio('121', '121 PCMA/8000/2'),
      audio('121'),
      audio('8', '8 G722/8000'),
    ])
      assert.equal(readSdp(text), undefined, text);
  });

  it('reads where RTCP goes, and answers rtcp-mux with itself', () => {
    const offer = (...lines: string[]): ReturnType<typeof readSdp> =>
      readSdp(sdp(`m=audio 6000 RTP/AVP 0\r\n${lines.map((line) => `${line}\r\n`).join('')}`));
    assert.deepEqual(
      [offer('a=rtcp-mux'), offer(), offer('a=rtcp:7001')].map((one) => one?.rtcpPort),
      [undefined, 6001, 7001],
    );
    const answerTo = (...lines: string[]): string => writeAnswer(local, offer(...lines) ?? assert.fail());
    assert.match(answerTo('a=rtcp-mux'), /a=rtcp-mux/);
    assert.doesNotMatch(answerTo(), /rtcp-mux/);
    assert.match(answerTo(), /a=rtcp:4000/);
  });

  it('uses media-level addresses and supports both ways to hold', () => {
    assert.equal(readSdp(sdp('m=audio 6000 RTP/AVP 0\r\nc=IN IP4 198.51.100.1\r\n'))?.host, '198.51.100.1');
    const held = readSdp(sdp('m=audio 6000 RTP/AVP 0\r\n', 'c=IN IP4 0.0.0.0\r\n'));
    assert.deepEqual([held?.direction, held?.host], ['inactive', undefined]);
    assert.equal(
      readSdp(sdp('m=audio 6000 RTP/AVP 0\r\n', 'c=IN IP4 192.0.2.9\r\na=inactive\r\n'))?.direction,
      'inactive',
    );
  });

  it('handles codecs and addresses made of digits correctly, and rejects payload types over seven bits', () => {
    const odd = readSdp(
      sdp(
        'm=audio 6000 RTP/AVP 0 96 300\r\na=rtpmap:96 8000/8000\r\na=rtpmap:300 telephone-event/8000\r\n',
        'c=IN IP4 7\r\n',
      ),
    );
    assert.deepEqual([odd?.host, odd?.port, odd?.laws, odd?.eventType], [undefined, 6000, ['PCMU'], undefined]);
    assert.deepEqual(codecsIn(sdp('m=audio 6000 RTP/AVP 96\r\na=rtpmap:96 8000/8000\r\n')), ['8000']);
  });

  it('neither accepts nor sends the zone of an address', () => {
    assert.equal(readSdp(sdp('m=audio 6000 RTP/AVP 0\r\n', 'c=IN IP6 fe80::1%lo\r\n'))?.host, undefined);
    assert.match(writeOffer({ ...local, host: 'fe80::1%lo' }), /c=IN IP6 fe80::1\r/);
  });

  for (const [what, text] of Object.entries({
    'no G.711': sdp('m=audio 6000 RTP/AVP 18\r\n'),
    'a refused stream': sdp('m=audio 0 RTP/AVP 0\r\n'),
    'a port beyond all': sdp('m=audio 65536 RTP/AVP 0\r\n'),
    'a port that is none': sdp('m=audio x RTP/AVP 0\r\n'),
    'a negative port': sdp('m=audio -1 RTP/AVP 0\r\n'),
    'encrypted media': sdp('m=audio 6000 RTP/SAVP 0\r\n'),
    'no address': sdp('m=audio 6000 RTP/AVP 0\r\n', ''),
    'a static number given away': sdp('m=audio 6000 RTP/AVP 0\r\na=rtpmap:0 L16/44100\r\n'),
    garbage: 'm=\r\nm=audio\r\n\0',
    nothing: '',
    'too much': sdp(`m=audio 6000 RTP/AVP 0\r\n${'a=x\r\n'.repeat(10_000)}`),
  }))
    it(`rejects ${what}`, () => assert.equal(readSdp(text), undefined));
});
