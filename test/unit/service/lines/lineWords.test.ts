import assert from 'node:assert/strict';
import type { Line } from '../../../../src/contract/lines.ts';
import type { EchoFigures } from '../../../../src/engine/echo/echoCall.ts';
import { describeCheck, describeEcho } from '../../../../src/service/lines/lineWords.ts';
import type { Login } from '../../../../src/service/lines/lineWords.ts';
import type { CallEnd, PingAnswer } from '../../../../src/telephony/call.ts';

const trunk: Line = { kind: 'trunk', host: 'trunk.example.com', numbers: ['+1*'] };
const uri: Line = { kind: 'uri', uri: 'sip:support@ivr.example.com', numbers: [] };
const open: Login = { user: false },
  login: Login = { user: true },
  missing: Login = { user: true, missing: 'Set it so.' };

describe('the result texts of a line check', () => {
  for (const [what, answer, state, words, as, line] of [
    [
      'there',
      { status: 200, reason: 'OK', server: 'Asterisk PBX 20', roundTripMs: 3.14 },
      'ok',
      /^Asterisk PBX 20 answered after 3\.1 ms \(200 OK\)\.$/,
      open,
      trunk,
    ],
    [
      'there, and logged in',
      { status: 200, reason: 'OK', roundTripMs: 3, authenticated: true },
      'ok',
      /^trunk\.example\.com answered after 3 ms \(200 OK\)\. The called side accepts the login\.$/,
      login,
      trunk,
    ],
    [
      'there, without its password',
      { status: 200, reason: 'OK', roundTripMs: 3 },
      'warning',
      /needs a password to log in\. Set it so\.$/,
      missing,
      trunk,
    ],
    [
      'a wrong password',
      { status: 401, reason: 'Unauthorized', roundTripMs: 3, authenticated: true },
      'failed',
      /rejects the user or password.*Set Line Password/,
      login,
      trunk,
    ],
    [
      'a proxy, and no password',
      { status: 407, reason: '', roundTripMs: 3 },
      'failed',
      /\(407\)\. The called side asks for a login, but the line has no password\. Set it so\.$/,
      missing,
      trunk,
    ],
    [
      'a login that nobody expected',
      { status: 401, reason: 'Unauthorized', roundTripMs: 3 },
      'failed',
      /Give the line a user and a password/,
      open,
      trunk,
    ],
    [
      'a login of another kind',
      { status: 401, reason: 'Unauthorized', roundTripMs: 3 },
      'failed',
      /digest with MD5/,
      login,
      trunk,
    ],
    [
      'forbidden',
      { status: 403, reason: 'Forbidden', roundTripMs: 3 },
      'failed',
      /allow this machine's (public )?address/,
      login,
      trunk,
    ],
    [
      'unknown to a trunk',
      { status: 404, reason: 'Not Found', roundTripMs: 3 },
      'warning',
      /call an echo number/,
      open,
      trunk,
    ],
    [
      'unknown as an address',
      { status: 404, reason: 'Not Found', roundTripMs: 3 },
      'failed',
      /couldn't find this address/,
      open,
      uri,
    ],
    [
      'without OPTIONS',
      { status: 405, reason: 'Method Not Allowed', roundTripMs: 3 },
      'warning',
      /doesn't support this check/,
      open,
      trunk,
    ],
    [
      'without G.711',
      { status: 488, reason: 'Not Acceptable Here', roundTripMs: 3 },
      'failed',
      /Set it to allow G\.711/,
      open,
      trunk,
    ],
    [
      'elsewhere',
      { status: 302, reason: 'Moved', roundTripMs: 3 },
      'warning',
      /redirects to another host/,
      open,
      trunk,
    ],
    [
      'out of order',
      { status: 503, reason: 'Service Unavailable', roundTripMs: 3 },
      'failed',
      /answered after 3 ms \(503 Service Unavailable\)\. The called side is overloaded/,
      open,
      trunk,
    ],
    [
      'anything else',
      { status: 420, reason: 'Bad Extension', roundTripMs: 3 },
      'warning',
      /\(420 Bad Extension\)/,
      open,
      trunk,
    ],
    [
      'no name',
      { status: 503, reason: 'getaddrinfo ENOTFOUND', failure: 'unknownHost' },
      'failed',
      /^Couldn't find an address for trunk\.example\.com\. Check/,
      open,
      trunk,
    ],
    [
      'closed',
      { status: 503, reason: 'x', failure: 'refused' },
      'failed',
      /^Nothing is listening at .*Check the port/,
      open,
      trunk,
    ],
    [
      'silent',
      { status: 408, reason: 'no response', failure: 'timeout' },
      'failed',
      /^No answer from .*firewalls/,
      open,
      trunk,
    ],
    [
      'impossible',
      { status: 503, reason: '10.0.0.5 is an IPv4 address', failure: 'unusable' },
      'failed',
      /Can't call trunk\.example\.com: 10\.0\.0\.5/,
      open,
      trunk,
    ],
    [
      'no network',
      { status: 503, reason: 'x', failure: 'network' },
      'failed',
      /Check this machine's network/,
      open,
      trunk,
    ],
  ] satisfies [string, PingAnswer, string, RegExp, Login, Line][])
    it(`say that it is ${what}`, () => {
      const check = describeCheck(answer, line, as);
      assert.equal(check.state, state);
      assert.match(check.message, words);
      assert.equal(
        check.status,
        'failure' in answer ? undefined : answer.status,
        'a status is only told where one came',
      );
    });

  it('quote nothing misleading from the remote party', () => {
    const { message, server } = describeCheck(
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
    assert.deepEqual(describeEcho(figures({ heard: 3, delayMs: 84, sound: true }), open), {
      outcome: 'heard',
      message: 'Echo heard after 84 ms.',
      delayMs: 84,
      soundsSent: 3,
      soundsHeard: 3,
      setupMs: 120,
      lossPercent: 0,
      jitterMs: 1.3,
    });
    const lossy = describeEcho(figures({ heard: 2, delayMs: 84, rtp: { ...rtp, received: 90, lost: 10 } }), open);
    assert.equal(lossy.lossPercent, 10);
    assert.match(lossy.message, /10 % of the packets were lost/);
  });

  for (const [what, given, outcome, words, as] of [
    [
      'nothing came',
      figures({ sent: 8, rtp: { ...rtp, received: 0 } }),
      'silent',
      /^No audio came back \(one-way audio\).*NAT/,
      open,
    ],
    [
      'only silence came',
      figures({ sent: 8 }),
      'other',
      /^Only silence came back\. Check that the number belongs to an echo service/,
      open,
    ],
    ['something else came', figures({ sent: 8, sound: true }), 'other', /^Audio came back, but not the echo\./, open],
    [
      'they hung up',
      figures({ end: end('hangup') }),
      'other',
      /^The other side hung up \(BYE; no Q\.850 cause given\)\. Only silence/,
      open,
    ],
    ['the password is wrong', unanswered('unauthorized', 407), 'notAnswered', /rejects the user or password/, login],
    ['a login is asked for', unanswered('unauthorized', 401), 'notAnswered', /Give the line a user/, open],
    [
      'it is forbidden',
      unanswered('rejected', 403),
      'notAnswered',
      /SIP 403\)\. The called side forbids this call/,
      login,
    ],
    ['the formats do not fit', unanswered('rejected', 488), 'notAnswered', /Set it to allow G\.711/, login],
    ['it is busy', unanswered('busy', 486), 'notAnswered', /was busy \(SIP 486\)\.$/, login],
    ['it is unknown', unanswered('notFound', 404), 'notAnswered', /couldn't find the number \(SIP 404\)/, login],
  ] satisfies [string, EchoFigures, string, RegExp, Login][])
    it(`say that ${what}`, () => {
      const told = describeEcho(given, as);
      assert.equal(told.outcome, outcome);
      assert.match(told.message, words);
    });
});
