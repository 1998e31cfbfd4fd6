import assert from 'node:assert/strict';
import { costRatio } from '../../../support/cost.ts';
import {
  cseqOf,
  MAX_MESSAGE_BYTES,
  parseMessage,
  serialiseMessage,
  tagOf,
  topVia,
} from '../../../../src/telephony/sip/message.ts';
import { parseNameAddress, parseUri } from '../../../../src/telephony/sip/uri.ts';
import { responsePeer, stampVia } from '../../../../src/telephony/sip/via.ts';
import { listed } from '../../../support/listed.ts';

const bytes = (text: string): Buffer => Buffer.from(text.replaceAll('\n', '\r\n'), 'utf8');

const PLAIN = `INVITE sip:ivr@192.0.2.1 SIP/2.0
Via: SIP/2.0/UDP 192.0.2.9:5062;branch=z9hG4bKabc;rport
Max-Forwards: 70
From: "A, \\"B\\" <C>" <sip:a@192.0.2.9>;tag=1
To: sip:ivr@192.0.2.1
Call-ID: x@y
CSeq: 7 INVITE
Content-Length: 4

body`;

describe('SIP messages', () => {
  it('parse with a quoted display name and a body', () => {
    const message = parseMessage(bytes(PLAIN));
    assert.ok(message?.kind === 'request');
    assert.equal(message.method, 'INVITE');
    assert.equal(message.body, 'body');
    assert.equal(tagOf(message, 'From'), '1');
    assert.equal(parseNameAddress(message.headers.get('From') ?? '')?.display, 'A, "B" <C>');
    assert.deepEqual(cseqOf(message), { number: 7, method: 'INVITE' });
  });

  it('parse as they were written', () => {
    const message = parseMessage(bytes(PLAIN));
    assert.ok(message);
    assert.deepEqual(parseMessage(serialiseMessage(message)), message);
  });

  // After RFC 4475 section 3.1.1.1: folding, odd case, compact forms, spaces around separators, several Via in one
  // field.
  it('include a short tortuous INVITE', () => {
    const message = parseMessage(
      bytes(`
INVITE sip:vivekg@chair-dnrc.example.com;unknownparam SIP/2.0
TO :
 sip:vivekg@chair-dnrc.example.com ;   tag    = 1918181833n
from   : "J Rosenberg \\\\\\""       <sip:jdrosen@example.com>
  ;
  tag = 98asjd8
MaX-fOrWaRdS: 0068
Call-ID: wsinv.ndaksdj@192.0.2.1
Content-Length   : 3
cseq: 0009
  INVITE
Via  : SIP  /   2.0
 /UDP
    192.0.2.2;branch=390skdjuw
s :
NewFangledHeader:   newfangled value
 continued newfangled value
UnknownHeaderWithUnusualValue: ;;,,;;,;
v:  SIP  / 2.0  / TCP     spindle.example.com   ;
  branch  =   z9hG4bK9ikj8  ,
 SIP  /    2.0   / UDP  192.168.255.111   ; branch=
 z9hG4bK30239
m:"Quoted string \\"\\"" <sip:jdrosen@example.com> ; newparam =
      newvalue ;
  secondparam ; q = 0.33

abc`),
    );
    assert.ok(message?.kind === 'request');
    assert.equal(tagOf(message, 'To'), '1918181833n');
    assert.equal(tagOf(message, 'From'), '98asjd8');
    assert.equal(parseNameAddress(message.headers.get('From') ?? '')?.display, 'J Rosenberg \\"');
    assert.deepEqual(cseqOf(message), { number: 9, method: 'INVITE' });
    assert.equal(message.headers.list('Via').length, 3);
    assert.equal(topVia(message)?.params.get('branch'), '390skdjuw');
    assert.equal(message.headers.list('Contact').length, 1);
    assert.equal(message.headers.get('NewFangledHeader'), 'newfangled value continued newfangled value');
    assert.equal(message.body, 'abc');
  });

  it('can have unusual but legal methods, URIs and reason phrases', () => {
    const odd = PLAIN.replaceAll('INVITE', "!interesting-Method0123456789_*+`.%indeed'~").replace(
      'sip:ivr@192.0.2.1 SIP',
      "sip:1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*:&it+has=1,weird!*pas$wo~d_too.(doesn't-it)@example.com SIP",
    );
    assert.equal(parseMessage(bytes(odd))?.kind, 'request');
    const response = PLAIN.replace(/^.*\n/, 'SIP/2.0 200 = 2**3 * 5**2 но сто\n');
    const message = parseMessage(bytes(response));
    assert.ok(message?.kind === 'response');
    assert.equal(message.reason, '= 2**3 * 5**2 но сто');
    const silent = parseMessage(bytes(PLAIN.replace(/^.*\n/, 'SIP/2.0 100 \n')));
    assert.ok(silent?.kind === 'response');
    assert.equal(silent.reason, '');
  });

  const broken: Record<string, string> = {
    'a keepalive': '\n\n',
    'no blank line': 'OPTIONS sip:a@b SIP/2.0\nCall-ID: 1',
    'a Content-Length beyond the datagram': PLAIN.replace('Length: 4', 'Length: 9999'),
    'a negative Content-Length': PLAIN.replace('Length: 4', 'Length: -999'),
    'an overlarge CSeq': PLAIN.replace('CSeq: 7', 'CSeq: 36893488147419103232'),
    'a CSeq of another method': PLAIN.replace('7 INVITE', '7 OPTIONS'),
    'an unclosed quote in From': PLAIN.replace('"A, \\"B\\" <C>"', '"Mr. J. User'),
    'an unclosed bracket in From': PLAIN.replace('<sip:a@192.0.2.9>', '<sip:a@192.0.2.9'),
    'no Call-ID': PLAIN.replace(/Call-ID.*\n/, ''),
    'no Via': PLAIN.replace(/Via.*\n/, ''),
    'two To fields': PLAIN.replace('To: ', 'To: sip:b@b\nTo: '),
    'spaces in the Request-URI': PLAIN.replace('sip:ivr@192.0.2.1', 'sip:ivr@192.0.2.1; lr'),
    'another SIP version': PLAIN.replace(' SIP/2.0\n', ' SIP/7.0\n'),
    'a status beyond the classes': PLAIN.replace(/^.*\n/, 'SIP/2.0 4294967301 better\n'),
    'a header line without colon': PLAIN.replace('Max-Forwards: 70', 'Max-Forwards 70'),
    'an HTTP request': 'GET / HTTP/1.1\nHost: a\n\n',
  };
  for (const [what, text] of Object.entries(broken)) {
    it(`fail to parse: ${what}`, () => assert.equal(parseMessage(bytes(text)), undefined));
  }

  it('fail to parse if they exceed a datagram', () => {
    assert.ok(parseMessage(bytes(PLAIN.replace('Max-Forwards: 70', `Subject: ${'x'.repeat(50_000)}`))));
    assert.equal(
      parseMessage(bytes(PLAIN.replace('Max-Forwards: 70', `Subject: ${'x'.repeat(MAX_MESSAGE_BYTES)}`))),
      undefined,
    );
  });

  it('fail to parse if they have more than 512 lines', () => {
    const having = (fields: number): unknown =>
      parseMessage(bytes(PLAIN.replace('Max-Forwards: 70', Array.from({ length: fields }, () => 'X: y').join('\n'))));
    assert.ok(having(500));
    assert.equal(having(520), undefined);
  });

  it('parse in linear time with spaces, quotes, separators and folds', () => {
    const parsing = (filler: string, size: number): (() => unknown) => {
      const datagram = bytes(PLAIN.replace('CSeq', `${filler.repeat(size / filler.length)}\nCSeq`));
      return () => parseMessage(datagram)?.headers.list('Contact');
    };
    for (const filler of [
      'Contact: ' + ' '.repeat(1591),
      `Contact: ${'"\\'.repeat(795)}x`,
      `Contact: ${'<,'.repeat(795)}x`,
      ' x\r\n',
    ]) {
      // Linear would be 8; quadratic 64.
      const ratio = costRatio(parsing(filler, 51_200), parsing(filler, 6400), 40);
      assert.ok(ratio < 40, filler.slice(0, 14));
    }
  });

  it('can contain URIs with IPv6 references, parameters and escapes; other URIs are rejected', () => {
    assert.deepEqual(parseUri('sip:%2A98@[2001:db8::1]:5070;Transport=udp;lr'), {
      scheme: 'sip',
      user: '%2A98',
      host: '2001:db8::1',
      port: 5070,
      params: new Map([
        ['transport', 'udp'],
        ['lr', ''],
      ]),
    });
    assert.equal(parseUri('sip:+12025550123;phone-context=x@example.com')?.user, '+12025550123;phone-context=x');
    for (const bad of listed(`
      tel:+1 | sip: | sip:@a | sip:a@ | sip:a@b:99999 | sip:a@[::1 | sip:a\r\nX: y@b | sip:a>@b | 
    `))
      assert.equal(parseUri(bad), undefined, bad);
  });

  it("get their response at the request's source address (RFC 3581)", () => {
    const message = parseMessage(bytes(PLAIN));
    const via = message && topVia(message);
    assert.ok(via);
    assert.deepEqual(responsePeer(stampVia(via, { host: '198.51.100.7', port: 40_000 })), {
      host: '198.51.100.7',
      port: 40_000,
    });
    const old = {
      ...via,
      params: new Map([
        ['branch', 'z9hG4bKabc'],
        ['received', '203.0.113.66'],
      ]),
    };
    assert.deepEqual(responsePeer(stampVia(old, { host: '198.51.100.7', port: 40_000 })), {
      host: '198.51.100.7',
      port: 5062,
    });
    assert.deepEqual(
      responsePeer(stampVia(old, { host: '192.0.2.9', port: 40_000 })),
      { host: '192.0.2.9', port: 5062 },
      'a forged received is not believed',
    );
  });
});
