import assert from 'node:assert/strict';
import { lineSchema, type Line } from '../../../../src/contract/lines.ts';
import { accountOf } from '../../../../src/service/lines/lineAccount.ts';
import { examineLine } from '../../../../src/service/lines/lineExamination.ts';
import { describeLineCheck } from '../../../../src/service/lines/lineWords.ts';
import type { PingAnswer, RegistrationState } from '../../../../src/telephony/call.ts';
import { ManualClock } from '../../../support/manualClock.ts';

const desk = lineSchema.parse({ kind: 'pbx', host: 'pbx.example.com:5060', user: '600', register: true });
const there: PingAnswer = { status: 200, reason: 'OK', roundTripMs: 3 };
const silent: PingAnswer = { status: 408, reason: 'no response', failure: 'timeout' };
const registered: RegistrationState = { state: 'registered', since: 0, until: 300_000 };

describe('the check of a line', () => {
  /** Checks a line whose called side answers like this at these addresses. */
  async function check(
    line: Line,
    answers: Readonly<Record<string, PingAnswer>>,
    states: readonly RegistrationState[] = [],
    known?: RegistrationState,
  ): Promise<{ text: string; asked: string[] }> {
    const clock = new ManualClock();
    const asked: string[] = [];
    const agent: Parameters<typeof examineLine>[0] = {
      options: (uri, { credentials, outboundProxy } = {}) => {
        asked.push(
          [uri, ...(credentials ? ['login'] : []), ...(outboundProxy === undefined ? [] : [outboundProxy])].join(' '),
        );
        return Promise.resolve(answers[uri] ?? silent);
      },
      register: (name, { registrar }, onChange) => {
        asked.push(`REGISTER ${registrar}`);
        let state: RegistrationState = { state: 'registering' };
        for (const next of states)
          queueMicrotask(() => {
            state = next;
            onChange?.(next);
          });
        return {
          line: name,
          get state() {
            return state;
          },
          close: () => assert.fail('closed by its agent'),
        };
      },
    };
    const examined = examineLine(agent, line, accountOf(line, 'pw'), { clock, known });
    await clock.finish(examined, 10_000);
    const { answer, findings } = await examined;
    const { state, message } = describeLineCheck(answer, line, { user: true }, findings);
    return { text: `${state}: ${message}`, asked };
  }
  const here = 'sip:pbx.example.com:5060';

  it('registers, and says for how long', async () => {
    const { text, asked } = await check(desk, { [here]: there }, [registered]);
    assert.equal(text, 'ok: pbx.example.com:5060 answered after 3 ms. The line is registered for 300 s.');
    assert.deepEqual(asked, [`${here} login`, `REGISTER ${here}`]);
    const again = await check(desk, { [here]: there }, [], registered);
    assert.deepEqual(
      [again.text, again.asked],
      [text, [`${here} login`]],
      'a registration of the service is left alone',
    );
    assert.match((await check(desk, {}, [registered])).text, /^ok: The line is registered for 300 s\.$/);
  });

  for (const [what, state, words] of [
    ['the login', { failure: 'wrongLogin', status: 401 }, /The called side rejects the user or password/],
    ['the password or the device', { failure: 'forbidden', status: 403 }, /refuses to register this user \(403\)/],
    ['the user', { failure: 'notFound', status: 404 }, /doesn't know the user \(404\)\. Check the line's user/],
    ['the proxy', { failure: 'loop', status: 483 }, /Check the line's host and outboundProxy/],
    ['the exchange', { failure: 'unavailable', status: 503 }, /overloaded or out of order/],
    ['the registrar', { failure: 'protocol', reason: 'no Contact' }, /response can't be used: no Contact\. Check/],
  ] satisfies [string, Omit<RegistrationState, 'state'>, RegExp][])
    it(`says what is wrong with ${what}`, async () => {
      const { text } = await check(desk, { [here]: there }, [{ ...state, state: 'failed' }]);
      assert.match(text, /^failed: pbx\.example\.com:5060 answered after 3 ms\. /);
      assert.match(text, words);
    });

  it('names the transport over which something answers', async () => {
    const tls = 'sip:pbx.example.com;transport=tls';
    const wanted =
      /^failed: pbx\.example\.com answers over TLS, not over UDP\. Set the line's transport to tls, and its address to pbx\.example\.com\.$/;
    assert.match((await check(desk, { [tls]: there })).text, wanted);
    const certificate = { ...silent, failure: 'network', reason: 'The certificate of x is for y' } as const;
    assert.match((await check(desk, { [tls]: certificate })).text, wanted);
    const odd = lineSchema.parse({ kind: 'pbx', host: 'pbx.example.com:5099', transport: 'tcp' });
    const refused = { status: 503, reason: 'refused', failure: 'refused' } as const;
    assert.match(
      (await check(odd, { 'sip:pbx.example.com:5099;transport=tcp': refused, 'sip:pbx.example.com:5099': there })).text,
      /^failed: pbx\.example\.com:5099 answers over UDP, not over TCP\. Set the line's transport to udp\.$/,
    );
    assert.match((await check(odd, {})).text, /^failed: No answer from pbx\.example\.com:5099/);
    const secure = lineSchema.parse({ ...odd, transport: 'tls', user: '600', outboundProxy: 'edge.example.com' });
    assert.deepEqual(
      (await check(secure, {})).asked,
      [
        'sip:pbx.example.com:5099;transport=tls login sip:edge.example.com;transport=tls;lr',
        'sip:pbx.example.com:5099 sip:edge.example.com;lr',
        'sip:pbx.example.com:5099;transport=tcp sip:edge.example.com;transport=tcp;lr',
      ],
      'the login goes only over the transport of the line',
    );
  });

  it('says that a router translates addresses, unless the line knows that', async () => {
    const behind = { ...there, seenAs: '203.0.113.7:61000' };
    const { text } = await check(desk, { [here]: behind }, [registered]);
    assert.match(text, /^warning: .* sees this machine as 203\.0\.113\.7:61000, .*stunServer or publicAddress\.$/);
    const known: Line = { ...desk, stunServer: 'stun.example.com' };
    assert.match((await check(known, { [here]: behind }, [registered])).text, /^ok: /);
  });
});
