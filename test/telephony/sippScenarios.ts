/** Scenarios for sipp beyond its built-in ones, as XML. */

const SDP = `v=0
o=- 53655765 2353687637 IN IP[local_ip_type] [local_ip]
s=-
c=IN IP[media_ip_type] [media_ip]
t=0 0
m=audio [auto_media_port] RTP/AVP 0 101
a=rtpmap:0 PCMU/8000
a=rtpmap:101 telephone-event/8000
`;

const scenario = (name: string, steps: string): string =>
  `<?xml version="1.0" encoding="ISO-8859-1" ?>\n<!DOCTYPE scenario SYSTEM "sipp.dtd">\n<scenario name="${name}">\n${steps}\n</scenario>\n`;
const send = (text: string, attributes = ''): string => `<send ${attributes}><![CDATA[\n\n${text}\n\n]]></send>`;
const copied = '[last_Via:]\n[last_From:]';

function respond(status: string, extra = '', attributes = '', body = ''): string {
  return send(
    `SIP/2.0 ${status}\n${copied}\n[last_To:];tag=[pid]SIPpTag01[call_number]\n[last_Call-ID:]\n[last_CSeq:]\nContact: <sip:[local_ip]:[local_port];transport=[transport]>\n${extra}Content-Length: ${body === '' ? '0' : '[len]'}${body === '' ? '' : `\nContent-Type: application/sdp\n\n${body}`}`,
    attributes,
  );
}

function request(
  method: string,
  cseq: number,
  parts: { extra?: string; body?: string; tag?: boolean; branch?: string; attributes?: string } = {},
): string {
  const { extra = '', body = '', tag = true, attributes = method === 'ACK' ? '' : 'retrans="500"' } = parts;
  return send(
    `${method} sip:ivr@[remote_ip]:[remote_port] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=${parts.branch ?? '[branch]'}
From: sipp <sip:sipp@[local_ip]:[local_port]>;tag=[pid]SIPpTag00[call_number]
To: <sip:ivr@[remote_ip]:[remote_port]>${tag ? '[peer_tag_param]' : ''}
Call-ID: [call_id]
CSeq: ${String(cseq)} ${method}
Contact: <sip:sipp@[local_ip]:[local_port]>
Max-Forwards: 70
${extra}${body === '' ? 'Content-Length: 0' : `Content-Type: application/sdp\nContent-Length: [len]\n\n${body}`}`,
    attributes,
  );
}

const receive = (what: 'request' | 'response', value: string, attributes = ''): string =>
  `<recv ${what}="${value}" ${attributes}/>`;
const provisional =
  receive('response', '100', 'optional="true"') +
  receive('response', '180', 'optional="true"') +
  receive('response', '183', 'optional="true"');

/** sipp is called and requires digest with this algorithm; it verifies the answer itself only for MD5. */
export const uasChallenge = (algorithm: string): string =>
  scenario(
    'challenge',
    [
      receive('request', 'INVITE'),
      respond(
        '401 Unauthorized',
        `WWW-Authenticate: Digest realm="lab", nonce="abc", qop="auth", algorithm=${algorithm}\n`,
      ),
      receive('request', 'ACK'),
      `<recv request="INVITE"><action><ereg regexp="algorithm=${algorithm}.*nc=00000001" search_in="hdr" header="Authorization:" check_it="true" assign_to="1"/></action></recv><Reference variables="1"/>`,
      respond('200 OK', '', 'retrans="500"', SDP),
      receive('request', 'ACK'),
      receive('request', 'BYE'),
      respond('200 OK'),
    ].join('\n'),
  );

/** A request whose credentials sipp computes itself and compares: with MD5, for bob with this password. */
const verified = (method: string, password: string, checks = ''): string =>
  `<recv request="${method}"><action><verifyauth assign_to="right" username="bob" password="${password}"/>${checks}</action></recv>\n<nop condexec="right" condexec_inverse="true"><action><error message="the credentials are wrong"/></action></nop>`;

/** sipp receives OPTIONS, requires digest, and accepts only the correct password. */
export const uasPing = scenario(
  'ping',
  [
    receive('request', 'OPTIONS'),
    respond('401 Unauthorized', 'WWW-Authenticate: Digest realm="lab", nonce="abc", qop="auth", algorithm=MD5\n'),
    verified('OPTIONS', 'secret'),
    respond('200 OK', 'Server: Lab Exchange 1\n'),
  ].join('\n'),
);

/**
 * sipp is a trunk: it checks the caller's identity, requires proxy authentication, and accepts only the correct
 * password, for the INVITE and for the BYE.
 */
export const uasTrunk = (identity: string): string =>
  scenario(
    'trunk',
    [
      receive('request', 'INVITE'),
      respond(
        '407 Proxy Authentication Required',
        'Proxy-Authenticate: Digest realm="trunk", nonce="abc", qop="auth", algorithm=MD5\n',
      ),
      receive('request', 'ACK'),
      `<recv request="INVITE"><action><ereg regexp="${identity}" search_in="hdr" header="P-Preferred-Identity:" check_it="true" assign_to="1"/><ereg regexp="${identity}" search_in="hdr" header="From:" check_it="true" assign_to="2"/><ereg regexp="qop=auth, nc=00000001" search_in="hdr" header="Proxy-Authorization:" check_it="true" assign_to="3"/></action></recv><Reference variables="1,2,3"/>`,
      respond('200 OK', '', 'retrans="500"', SDP),
      receive('request', 'ACK'),
      '<recv request="BYE"><action><ereg regexp="qop=auth, nc=00000002" search_in="hdr" header="Proxy-Authorization:" check_it="true" assign_to="4"/></action></recv><Reference variables="4"/>',
      respond('200 OK'),
    ].join('\n'),
  );

/** sipp is called, rings, and expects a CANCEL. */
export const uasCancelled = scenario(
  'cancelled',
  [
    receive('request', 'INVITE'),
    respond('180 Ringing'),
    receive('request', 'CANCEL'),
    respond('200 OK'),
    send(
      'SIP/2.0 487 Request Terminated\n[last_Via:]\n[last_From:]\n[last_To:];tag=[pid]SIPpTag01[call_number]\n[last_Call-ID:]\nCSeq: 1 INVITE\nContent-Length: 0',
      'retrans="500"',
    ),
    receive('request', 'ACK'),
  ].join('\n'),
);

export const uasRefusing = (status: string, extra = ''): string =>
  scenario(
    'refusing',
    [receive('request', 'INVITE'), respond(status, extra, 'retrans="500"'), receive('request', 'ACK')].join('\n'),
  );

const checked = (what: string, checks: readonly (readonly [place: string, regexp: string])[]): string =>
  `<recv ${what}><action>${checks.map(([place, regexp], index) => `<ereg regexp="${regexp}" search_in="${place === 'body' ? 'body' : 'hdr'}" ${place === 'body' ? '' : `header="${place}:"`} check_it="true" assign_to="c${String(index)}"/>`).join('')}</action></recv><Reference variables="${checks.map((_check, index) => `c${String(index)}`).join(',')}"/>`;

/** Receives the INVITE to which `ask` and `answer` refer. */
const invited = (checks: string): string =>
  `<recv request="INVITE"><action><ereg regexp=".*" search_in="hdr" header="From:" assign_to="from"/><ereg regexp=".*" search_in="hdr" header="Via:" assign_to="via"/><ereg regexp="sip:[^&gt;]*" search_in="hdr" header="Contact:" assign_to="contact"/><ereg regexp="${checks}" search_in="msg" check_it="true" assign_to="checked"/></action></recv><Reference variables="from,via,contact,checked"/>`;
const callee = '<sip:ivr@[local_ip]:[local_port]>;tag=[pid]SIPpTag01[call_number]';
const ask = (method: string, cseq: number, rest = 'Content-Length: 0'): string =>
  send(
    `${method} [$contact] SIP/2.0\nVia: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]\nFrom: ${callee}\nTo: [$from]\nCall-ID: [call_id]\nCSeq: ${String(cseq)} ${method}\nMax-Forwards: 70\nContact: <sip:[local_ip]:[local_port]>\n${rest}`,
    'retrans="500"',
  );

/** sipp is called, answers, plays a tone to the address in the offer if there is a file of one, and hangs up. */
const hangsUp = (ms: number, sdp: string, tone = ''): string =>
  scenario(
    'hangs up',
    [
      invited('INVITE'),
      respond('183 Session Progress', '', '', sdp),
      respond('200 OK', '', 'retrans="500"', sdp),
      receive('request', 'ACK'),
      tone === '' ? '' : `<nop><action><exec rtp_stream="${tone},-1,0"/></action></nop>`,
      `<pause milliseconds="${String(ms)}"/>`,
      ask('BYE', 1),
      receive('response', '200'),
    ].join('\n'),
  );
export const uasHangsUp = hangsUp(200, SDP);
export const uasPlaysAndHangsUp = (tone: string, ms: number): string =>
  hangsUp(ms, SDP.replace('auto_media_port', 'rtpstream_audio_port'), tone);
/** With `-rtp_echo`, it sends audio back to where that came from. */
export const uasEchoesAndHangsUp = hangsUp(2000, SDP.replace('auto_media_port', 'media_port'));

/** sipp is called, asks for a longer session interval, sets a short one, and waits for its refresh by this method. */
export const uasTimer = (method: 'UPDATE' | 'INVITE'): string =>
  scenario(
    'session timer',
    [
      checked('request="INVITE"', [['Supported', 'timer']]),
      respond('422 Session Interval Too Small', 'Min-SE: 2000\n'),
      receive('request', 'ACK'),
      invited('Session-Expires: 2000[^I]*Min-SE: 2000'),
      respond(
        '200 OK',
        `Allow: INVITE, ACK, BYE, ${method}\nSession-Expires: 10;refresher=uac\nRequire: timer\n`,
        'retrans="500"',
        SDP,
      ),
      receive('request', 'ACK'),
      checked(`request="${method}"`, [['Session-Expires', 'refresher=uac']]),
      respond('200 OK', 'Session-Expires: 2000;refresher=uac\n', '', method === 'INVITE' ? SDP : ''),
      ...(method === 'INVITE' ? [receive('request', 'ACK')] : []),
      ask('BYE', 1),
      receive('response', '200'),
    ].join('\n'),
  );

/** sipp is called, describes its media in a reliable 183, offers again by UPDATE, and answers. */
export const uasReliable = scenario(
  'reliable',
  [
    invited('Supported: 100rel'),
    respond('183 Session Progress', 'Require: 100rel\nRSeq: 7\n', '', SDP),
    checked('request="PRACK"', [['RAck', '7 1 INVITE']]),
    respond('200 OK'),
    ask('UPDATE', 1, `Content-Type: application/sdp\nContent-Length: [len]\n\n${SDP}`),
    checked('response="200"', [['body', 'm=audio']]),
    send(
      `SIP/2.0 200 OK\nVia: [$via]\nFrom: [$from]\nTo: ${callee}\nCall-ID: [call_id]\nCSeq: 1 INVITE\nContact: <sip:[local_ip]:[local_port]>\nContent-Length: 0`,
      'retrans="500"',
    ),
    receive('request', 'ACK'),
    receive('request', 'BYE'),
    respond('200 OK'),
  ].join('\n'),
);

/** sipp is called, is put on hold, refuses once to resume, and resumes. */
export const uasHeld = scenario(
  'held',
  [
    receive('request', 'INVITE'),
    respond('200 OK', '', 'retrans="500"', SDP),
    receive('request', 'ACK'),
    checked('request="INVITE"', [['body', 'a=sendonly']]),
    respond('200 OK', '', 'retrans="500"', `${SDP}a=recvonly\n`),
    receive('request', 'ACK'),
    checked('request="INVITE"', [['body', 'a=sendrecv']]),
    respond('491 Request Pending', '', 'retrans="500"'),
    receive('request', 'ACK'),
    checked('request="INVITE"', [['body', 'a=sendrecv']]),
    respond('200 OK', '', 'retrans="500"', SDP),
    receive('request', 'ACK'),
    receive('request', 'BYE'),
    respond('200 OK'),
  ].join('\n'),
);

/** sipp calls, requires reliable responses, and refreshes the session with an offer. */
export const uacReliable = scenario(
  'reliable',
  [
    request('INVITE', 1, {
      body: SDP,
      tag: false,
      extra: 'Require: 100rel\nSupported: timer\nSession-Expires: 90\n',
    }),
    receive('response', '100', 'optional="true"'),
    '<recv response="183"><action><ereg regexp="[0-9]+" search_in="hdr" header="RSeq:" check_it="true" assign_to="1"/></action></recv>',
    request('PRACK', 2, { extra: 'RAck: [$1] 1 INVITE\n' }),
    receive('response', '200'),
    checked('response="200"', [['Session-Expires', '90;refresher=uac']]),
    request('ACK', 1),
    request('UPDATE', 3, { body: SDP, extra: 'Supported: timer\nSession-Expires: 90;refresher=uac\n' }),
    checked('response="200"', [
      ['Session-Expires', '90;refresher=uac'],
      ['body', 'm=audio'],
    ]),
    request('BYE', 4),
    receive('response', '200'),
  ].join('\n'),
);

/** sipp calls, puts the call on hold with a re-INVITE, resumes, and hangs up. */
export const uacReinvite = scenario(
  're-INVITE',
  [
    request('INVITE', 1, { body: SDP, tag: false }),
    provisional,
    receive('response', '200'),
    request('ACK', 1),
    request('INVITE', 2, { body: `${SDP}a=sendonly\n` }),
    receive('response', '100', 'optional="true"'),
    '<recv response="200"><action><ereg regexp="a=recvonly" search_in="body" check_it="true" assign_to="1"/></action></recv><Reference variables="1"/>',
    request('ACK', 2),
    request('INVITE', 3, { body: SDP }),
    receive('response', '100', 'optional="true"'),
    '<recv response="200"><action><ereg regexp="a=sendrecv" search_in="body" check_it="true" assign_to="2"/></action></recv><Reference variables="2"/>',
    request('ACK', 3),
    request('BYE', 4),
    receive('response', '200'),
  ].join('\n'),
);

/** sipp calls without an offer and answers ours in the ACK. */
export const uacLateOffer = scenario(
  'late offer',
  [
    request('INVITE', 1, { tag: false }),
    provisional,
    '<recv response="200"><action><ereg regexp="m=audio" search_in="body" check_it="true" assign_to="1"/></action></recv><Reference variables="1"/>',
    request('ACK', 1, { body: SDP }),
    request('BYE', 2),
    receive('response', '200'),
  ].join('\n'),
);

/** sipp calls and cancels. */
export const uacCancel = scenario(
  'cancel',
  [
    request('INVITE', 1, { body: SDP, tag: false }),
    receive('response', '100', 'optional="true"'),
    receive('response', '180'),
    request('CANCEL', 1, { tag: false, branch: '[branch-3]' }),
    receive('response', '200'),
    receive('response', '487'),
    request('ACK', 1, { branch: '[branch-6]' }),
  ].join('\n'),
);

export const uacOptions = scenario(
  'OPTIONS',
  [
    request('OPTIONS', 1, { tag: false }),
    '<recv response="200"><action><ereg regexp="INVITE" search_in="hdr" header="Allow:" check_it="true" assign_to="1"/></action></recv><Reference variables="1"/>',
  ].join('\n'),
);

/** sipp calls with digest credentials after a 401. */
export const uacDigest = scenario(
  'digest',
  [
    request('INVITE', 1, { body: SDP, tag: false }),
    receive('response', '100', 'optional="true"'),
    receive('response', '401', 'auth="true"'),
    request('ACK', 1, { branch: '[branch-3]' }),
    request('INVITE', 2, { body: SDP, tag: false, extra: '[authentication username=bob password=secret]\n' }),
    provisional,
    receive('response', '200'),
    request('ACK', 2),
    request('BYE', 3),
    receive('response', '200'),
  ].join('\n'),
);

/** Raw G.711 µ-law recordings, by their files. */
interface PlayedRecordings {
  readonly usual: string;
  /** Played instead on every fifth call that sipp receives. */
  readonly everyFifth?: string;
}

const plays = (file: string): string => `<nop><action><exec rtp_stream="${file},1,0,PCMU/8000"/></action></nop>`;

/** sipp is called, answers and plays a recording whatever the caller does, until the caller hangs up. */
export const uasPlays = ({ usual, everyFifth = usual }: PlayedRecordings): string =>
  scenario(
    'plays',
    [
      receive('request', 'INVITE'),
      respond('180 Ringing'),
      respond('200 OK', '', 'retrans="500"', SDP.replace('[auto_media_port]', '[rtpstream_audio_port]')),
      receive('request', 'ACK'),
      '<nop><action><assignstr assign_to="number" value="[call_number]"/><ereg regexp="[05]$" search_in="var" variable="number" assign_to="isFifth"/></action></nop>',
      '<nop next="fifth" test="isFifth"/>',
      plays(usual),
      '<nop next="end"/>',
      '<label id="fifth"/>',
      plays(everyFifth),
      '<label id="end"/>',
      receive('request', 'BYE'),
      respond('200 OK'),
    ].join('\n'),
  );
