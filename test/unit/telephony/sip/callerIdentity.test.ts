import assert from 'node:assert/strict';
import { lineSchema } from '../../../../src/contract/lines.ts';
import type { CallerAccount } from '../../../../src/telephony/call.ts';
import { SipHeaders } from '../../../../src/telephony/sip/headers.ts';
import { parseMessage } from '../../../../src/telephony/sip/message.ts';
import { parseNameAddress } from '../../../../src/telephony/sip/uri.ts';
import { RawStage } from '../../../support/rawPeer.ts';

const identity = { from: 'sip:600@pbx.example.com' } as const;
const controls = [...Array(0x20).keys(), ...Array.from({ length: 0x21 }, (_, at) => 0x7f + at)].map((code) =>
  String.fromCodePoint(code),
);

describe('the identity of a caller', () => {
  /** Returns the header fields of the INVITE, or why the call ended before it. */
  async function invite(account: CallerAccount): Promise<SipHeaders | string> {
    const { clock, agent, far } = new RawStage();
    const leg = agent.call('sip:a@10.0.0.3', account);
    let text: string | undefined;
    await clock.run(() => (text = far.all('INVITE')[0]) !== undefined || leg.ended !== undefined, 1000);
    const reason = leg.ended?.reason ?? '';
    await clock.finish(agent.close());
    return text === undefined ? reason : (parseMessage(Buffer.from(text))?.headers ?? 'no message');
  }
  const sent = async (account: CallerAccount): Promise<SipHeaders> => {
    const headers = await invite(account);
    assert.ok(headers instanceof SipHeaders, String(headers));
    return headers;
  };

  it('has a display name, in whatever characters', async () => {
    for (const displayName of ['Ann', 'Ann "the" \\ voice', 'Zoë; x=<y>, Ωmega', '\\', '"']) {
      const from = parseNameAddress((await sent({ ...identity, displayName })).get('From') ?? '');
      assert.deepEqual([from?.display, from?.uri], [displayName, identity.from]);
    }
  });

  it('stays hidden from the called side, but not from the network', async () => {
    const headers = await sent({ ...identity, displayName: 'Ann', privacy: true });
    assert.match(headers.get('From') ?? '', /^"Anonymous" <sip:anonymous@anonymous\.invalid>;tag=/);
    assert.equal(headers.get('Privacy'), 'id');
    assert.equal(headers.get('P-Preferred-Identity'), '"Ann" <sip:600@pbx.example.com>');
    assert.equal((await sent(identity)).get('P-Preferred-Identity'), undefined);
  });

  it('comes with header fields of the line', async () => {
    const own = { 'X-Tenant': 'a; b, "c"', 'User-to-User': '48656c6c6f;encoding=hex', Diversion: '<sip:1@a>' };
    const headers = await sent({ ...identity, headers: own });
    for (const [name, value] of Object.entries(own)) assert.equal(headers.get(name), value);
  });

  it('breaks no message: neither a line nor a call takes a control character or another name, and a line no long value', async () => {
    const line = { kind: 'pbx', host: '127.0.0.1', user: 'a' } as const;
    const refused = async (account: Pick<CallerAccount, 'displayName' | 'headers'>, why: RegExp): Promise<void> => {
      const shown = JSON.stringify(account).slice(0, 60);
      assert.equal(lineSchema.safeParse({ ...line, ...account }).success, false, `the contract: ${shown}`);
      assert.match(String(await invite({ ...identity, ...account })), why, shown);
    };
    const smuggling = { preferredIdentity: 'sip:x\r\nEvil: yes' };
    assert.match(String(await invite(smuggling)), /isn't a SIP URI/);
    for (const control of controls) {
      await refused({ displayName: `a${control}b` }, /^the display name contains a control character$/);
      await refused({ headers: { 'X-A': `a${control}Via: b` } }, /^the header field X-A contains a control character$/);
      await refused({ headers: { [`X-A${control}`]: 'a' } }, /^only header fields named X-/);
    }
    for (const name of ['Via', 'Route', 'Contact', 'v', 'X', 'X-', 'X-a b', 'X-a:b', 'From', 'Content-Length', ''])
      await refused({ headers: { [name]: 'a' } }, /^only header fields named X-/);
    const many = Array.from({ length: 17 }, (_, at) => [`X-${String(at)}`, 'a'] as const);
    for (const large of [
      { headers: { 'X-A': 'a'.repeat(65_536) } },
      { headers: Object.fromEntries(many) },
      { displayName: 'a'.repeat(65_536) },
    ])
      assert.equal(lineSchema.safeParse({ ...line, ...large }).success, false);
  });
});
