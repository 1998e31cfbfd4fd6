import assert from 'node:assert/strict';
import { RawStage } from '../../support/rawPeer.ts';

const plain = `OPTIONS sip:user@example.com SIP/2.0
Via: SIP/2.0/UDP 10.0.0.3;branch=z9hG4bKt1
Max-Forwards: 70
From: <sip:caller@example.net>;tag=323
To: sip:user@example.com
Call-ID: torture
CSeq: 8 OPTIONS
Content-Length: 0

`;
const uri = (text: string): string => plain.replace('sip:user@example.com SIP', `${text} SIP`);
const via = (text: string): string => plain.replace('10.0.0.3;', text);
const having = (line: string): string => plain.replace('Max-Forwards: 70', `Max-Forwards: 70\n${line}`);
const as = (method: string, text = plain): string => text.replaceAll('OPTIONS', method);

/** Each with its section in RFC 4475 or 5118, and the status of the response; undefined if it is dropped. */
const messages: readonly (readonly [section: string, text: string, status: number | undefined])[] = [
  ['4475 3.1.1.3, escaped bytes', uri('sip:sips%3Auser%40example.com@example.net'), 200],
  ['4475 3.1.1.4, escaped nulls', plain.replace('sip:caller', 'sip:null-%00-null'), 200],
  ['4475 3.1.1.7, long values', having(`X: ${'amazing '.repeat(40)}`).replace('caller', 'c'.repeat(600)), 200],
  ['4475 3.1.1.8, extra octets', `${plain}INVITE sip:joe@example.com SIP/2.0\n\n`, 200],
  ['4475 3.1.1.9, semicolons in the user part', uri('sip:user;par=u%40example.net@example.com'), 200],
  ['4475 3.1.1.10, other transports', having('Via: SIP/2.0/UNKNOWN t1.example.com;branch=z9hG4bK1'), 200],
  ['4475 3.1.2.1, bad separators in Via', as('INVITE', having('v: SIP/2.0/UDP 192.0.2.15;;,;,,')), 400],
  ['4475 3.1.2.1, bad separators in Contact', as('INVITE', having('m: "Joe" <sip:joe@192.0.2.15>;,;')), 400],
  ['4475 3.1.2.6, brackets around the Request-URI', uri('<sip:user@example.com>'), 416],
  ['4475 3.1.2.7, spaces in the Request-URI', uri('sip:user@example.com; lr'), undefined],
  ['4475 3.1.2.8, several spaces', plain.replace('OPTIONS sip', 'OPTIONS  sip'), undefined],
  ['4475 3.1.2.9, a space at the end', plain.replace('SIP/2.0\n', 'SIP/2.0  \n'), undefined],
  ['4475 3.1.2.11, escaped headers', uri('sip:user@example.com?Route=%3Csip:example.com%3E'), 200],
  ['4475 3.1.2.12, a bad date', having('Date: Fri, 01 Jan 2010 16:00:00 EST'), 200],
  ['4475 3.1.2.18, an unknown method', as('NEWMETHOD'), 501],
  ['4475 3.2.1, a branch of only the cookie', via('10.0.0.3;').replace('z9hG4bKt1', 'z9hG4bK'), 200],
  ['4475 3.3.2, an unknown scheme', uri('nobodyKnowsThisScheme:totallyopaquecontent'), 416],
  ['4475 3.3.3, a known other scheme', uri('soap.beep://192.0.2.103:3002'), 416],
  ['4475 3.3.5, unknown extensions', having('Require: nothingSupportsThis, timer'), 420],
  ['4475 3.3.9, two lengths', as('INVITE', having('Content-Length: 0')), 400],
  ['4475 3.3.15, an unknown body wanted', as('INVITE', having('Accept: text/nobodyKnowsThis')), 406],
  ['4475 3.3.12, no hops left', plain.replace('Max-Forwards: 70', 'Max-Forwards: 0'), 200],
  ['5118 4.1, a reference', uri('sip:[2001:db8::10]'), 200],
  ['5118 4.2, an address without brackets', uri('sip:2001:db8::10'), 400],
  ['5118 4.3, a port in the brackets', uri('sip:[2001:db8::10:5070]'), 200],
  ['5118 4.4, a port after them', uri('sip:[2001:db8::10]:5070'), 200],
  ['5118 4.5, received without brackets', via('[2001:db8::9:1];received=2001:db8::9:255;'), 200],
  ['5118 4.6, received with brackets', via('[2001:db8::9:1];received=[2001:db8::9:255];'), 200],
  ['5118 4.9, a mapped IPv4 address', uri('sip:user@[::ffff:192.0.2.10]'), 200],
  ['5118 4.10, three colons', uri('sip:user@[2001:db8:::192.0.2.1]'), 400],
  ['3261 8.2.1, a method that nothing allows', as('SUBSCRIBE'), 405],
  ['3261 9.2, a CANCEL of nothing', as('CANCEL'), 481],
  ['3261 12.2.2, an unknown dialog', as('BYE', plain.replace('To: <sip:user@example.com>', '$&;tag=gone')), 481],
  ['3261 22.2.2, unknown extensions of a call', as('INVITE', having('Require: 100rel, gruu')), 420],
];

describe('an agent that gets a torture message', () => {
  for (const [section, text, status] of messages)
    it(`${status === undefined ? 'drops it' : `answers ${String(status)}`}: RFC ${section}`, async () => {
      const { agent, far, clock } = new RawStage({ onFault: (error) => assert.fail(String(error)) });
      agent.onCall((leg) => leg.ring());
      far.send(text.replaceAll('\n', '\r\n'));
      await clock.run(() => far.heard.length > 0, 100);
      assert.equal(far.heard[0]?.split(' ')[1], status === undefined ? undefined : String(status));
      far.heard.length = 0;
      far.ask('OPTIONS');
      assert.match(await far.last('SIP/2.0'), /^SIP\/2\.0 200/);
      await clock.finish(agent.close());
    });

  it('that arrives over two ways answers 482 once: RFC 3261 8.2.2.2', async () => {
    const { agent, far, clock } = new RawStage();
    agent.onCall((leg) => leg.ring());
    for (const status of ['180', '482']) {
      far.ask('INVITE');
      await far.last(`SIP/2.0 ${status}`);
    }
    await clock.finish(agent.close());
  });
});
