import assert from 'node:assert/strict';
import type { Line } from '../../../../src/contract/lines.ts';
import type { EchoFigures } from '../../../../src/engine/echo/echoCall.ts';
import { describeLineCheck, describeLineEcho } from '../../../../src/service/lines/lineWords.ts';
import type { Login } from '../../../../src/service/lines/lineWords.ts';
import type { CallEnd, PingAnswer } from '../../../../src/telephony/call.ts';

const trunk: Line = { kind: 'trunk', host: 'trunk.example.com', numbers: ['+1*'] };
const uri: Line = { kind: 'uri', uri: 'sip:support@ivr.example.com', numbers: [] };
const open: Login = { user: false },
  login: Login = { user: true },
  missing: Login = { user: true, missing: 'Set it so.' },
  unsaved: Login = { user: true, isUnsaved: true };

const said = (status: number, reason: string, authenticated?: true): PingAnswer => ({
  status,
  reason,
  roundTripMs: 3,
  ...(authenticated && { authenticated }),
});

describe('the result texts of a line check', () => {
  for (const [what, answer, state, words, as = open, line = trunk] of [
    [
      'there',
      { status: 200, reason: 'OK', server: 'Asterisk PBX 20', roundTripMs: 3.14 },
      'ok',
      /^Asterisk PBX 20 answered after 3\.1 ms\.$/,
    ],
    [
      'there, and logged in',
      said(200, 'OK', true),
      'ok',
      /^trunk\.example\.com answered after 3 ms\. The called side accepts the login\.$/,
      login,
    ],
    ['there, without its password', said(200, 'OK'), 'warning', /needs a password to log in\. Set it so\.$/, missing],
    [
      'without a STUN server',
      { ...said(200, 'OK'), natTrouble: "the STUN server stun.test didn't respond" },
      'warning',
      /isn't known: the STUN server stun\.test didn't respond\. Check the line's stunServer/,
    ],
    [
      'a wrong password',
      said(401, 'Unauthorized', true),
      'failed',
      /rejects the user or password.*Set Line Password/,
      login,
    ],
    [
      'a proxy, and no password',
      said(407, ''),
      'failed',
      /\(407\)\. The called side asks for a login, but the line has no password\. Set it so\.$/,
      missing,
    ],
    ['a login, of a line that is checked by its settings', said(401, ''), 'warning', /without its password/, unsaved],
    ['a login that nobody expected', said(401, 'Unauthorized'), 'failed', /Give the line a user and a password/],
    ['a login of another kind', said(401, 'Unauthorized'), 'failed', /digest with MD5/, login],
    ['forbidden', said(403, 'Forbidden'), 'failed', /allow this machine's (public )?address/, login],
    ['unknown to a trunk', said(404, 'Not Found'), 'warning', /call an echo number/],
    ['unknown as an address', said(404, 'Not Found'), 'failed', /couldn't find this address/, open, uri],
    ['without OPTIONS', said(405, 'Method Not Allowed'), 'warning', /doesn't support this check/],
    ['without G.711', said(488, 'Not Acceptable Here'), 'failed', /Set it to allow G\.711/],
    ['elsewhere', said(302, 'Moved'), 'warning', /redirects to another host/],
    [
      'out of order',
      said(503, 'Service Unavailable'),
      'failed',
      /answered after 3 ms \(503 Service Unavailable\)\. The called side is overloaded/,
    ],
    ['anything else', said(420, 'Bad Extension'), 'warning', /\(420 Bad Extension\)/],
    [
      'no name',
      { status: 503, reason: 'getaddrinfo ENOTFOUND', failure: 'unknownHost' },
      'failed',
      /^Couldn't find an address for trunk\.example\.com\. Check/,
    ],
    ['closed', { status: 503, reason: 'x', failure: 'refused' }, 'failed', /^Nothing is listening at .*Check the port/],
    ['silent', { status: 408, reason: 'no response', failure: 'timeout' }, 'failed', /^No answer from .*firewalls/],
    [
      'impossible',
      { status: 503, reason: '10.0.0.5 is an IPv4 address', failure: 'unusable' },
      'failed',
      /Can't call trunk\.example\.com: 10\.0\.0\.5/,
    ],
    ['no network', { status: 503, reason: 'x', failure: 'network' }, 'failed', /Check this machine's network/],
  ] satisfies [string, PingAnswer, string, RegExp, Login?, Line?][])
    it(`say that it is ${what}`, () => {
      const check = describeLineCheck(answer, line, as);
      assert.equal(check.state, state);
      assert.match(check.message, words);
      assert.equal(
        check.status,
        'failure' in answer ? undefined : answer.status,
        'a status is only told where one came',
      );
    });

  it('quote nothing misleading from the remote party', () => {
    const { message, server } = describeLineCheck(
      {
        status: 200,
        reason: `OK\u001b[31m${'x'.repeat(500)}`,
        server: `Evil\u0007\u202E${'y'.repeat(500)}`,
        roundTripMs: 1,
      },
      trunk,
      open,
    );
    assert.doesNotMatch(message, /\p{C}/u);
    assert.ok(message.length < 300 && (server ?? '').length <= 100);
  });
});

describe('the result texts of an echo call', () => {
  const rtp = { sent: 100, received: 100, lost: 0, late: 0, concealed: 0, jitterMs: 1.26, tickLatenessMs: 0 };
  const figures = (values: Partial<EchoFigures>): EchoFigures => ({
    callMs: 3000,
    setupMs: 120,
    sent: 3,
    heard: 0,
    sound: false,
    rtp,
    ...values,
  });
  const end = (kind: CallEnd['kind'], status?: number, by: CallEnd['by'] = 'remote'): CallEnd => ({
    by,
    kind,
    reason: 'x',
    ...(status !== undefined && { status }),
  });
  const unanswered = (kind: CallEnd['kind'], status?: number): EchoFigures => {
    const { setupMs: _none, ...rest } = figures({ end: end(kind, status), sent: 0 });
    return rest;
  };

  it('give the delay, and the loss', () => {
    assert.deepEqual(describeLineEcho(figures({ heard: 3, delayMs: 84, sound: true }), trunk, open), {
      outcome: 'heard',
      message: 'Echo heard after 84 ms.',
      delayMs: 84,
      soundsSent: 3,
      soundsHeard: 3,
      setupMs: 120,
      lossPercent: 0,
      jitterMs: 1.3,
    });
    const lossy = describeLineEcho(
      figures({ heard: 2, delayMs: 84, rtp: { ...rtp, received: 90, lost: 10 } }),
      trunk,
      open,
    );
    assert.equal(lossy.lossPercent, 10);
    assert.match(lossy.message, /10 % of the packets were lost/);
    const reported = { ...rtp, roundTripMs: 12.34, remoteLost: 20 };
    const there = describeLineEcho(figures({ heard: 3, delayMs: 84, rtp: reported }), trunk, open);
    assert.deepEqual([there.roundTripMs, there.lossPercentThere], [12.3, 20]);
    assert.match(there.message, /The called side reports that 20 % of Dialtree's packets were lost/);
  });

  for (const [what, given, outcome, words, as = open] of [
    [
      'nothing came',
      figures({ sent: 8, rtp: { ...rtp, received: 0 } }),
      'silent',
      /^No audio came back \(one-way audio\).*NAT/,
    ],
    [
      'RTP came from elsewhere',
      figures({ rtp: { ...rtp, received: 0, elsewhere: { host: '192.0.2.7', port: 4000 } } }),
      'silent',
      /RTP packets came from 192\.0\.2\.7:4000, an address/,
    ],
    [
      'RTP came that fits no key',
      figures({ rtp: { ...rtp, received: 0, refusedPackets: 50 } }),
      'silent',
      /50 RTP packets came back that don't fit the keys/,
    ],
    [
      'only silence came',
      figures({ sent: 8 }),
      'other',
      /^Only silence came back\. Check that the number belongs to an echo service/,
    ],
    ['something else came', figures({ sent: 8, sound: true }), 'other', /^Audio came back, but not the echo\./],
    ['they hung up', figures({ end: end('hangup') }), 'other', /^The other side hung up\. Only silence/],
    ['the password is wrong', unanswered('unauthorized', 407), 'notAnswered', /rejects the user or password/, login],
    ['a login is asked for', unanswered('unauthorized', 401), 'notAnswered', /Give the line a user/],
    [
      'it is forbidden',
      unanswered('rejected', 403),
      'notAnswered',
      /SIP 403\)\. Check that the trunk or PBX allows calls from this machine's address/,
      login,
    ],
    [
      'the formats do not fit',
      unanswered('rejected', 488),
      'notAnswered',
      /Set it to allow G\.711.*set the line's srtp to prefer/,
      login,
    ],
    ['it is busy', unanswered('busy', 486), 'notAnswered', /was busy \(SIP 486\)\. Try again later/, login],
    ['it is unknown', unanswered('notFound', 404), 'notAnswered', /couldn't find the number \(SIP 404\)/, login],
  ] satisfies [string, EchoFigures, string, RegExp, Login?][])
    it(`say that ${what}`, () => {
      const told = describeLineEcho(given, trunk, as);
      assert.equal(told.outcome, outcome);
      assert.match(told.message, words);
    });
});
