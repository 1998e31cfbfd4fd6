import assert from 'node:assert/strict';
import type {
  IncomingCallLeg,
  RegisterOptions,
  Registration,
  RegistrationState,
  SipAgent,
} from '../../../src/telephony/call.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { fieldOf, RawPeer } from '../../support/rawPeer.ts';
import { TelephonyLink } from '../../support/telephonyLink.ts';

const hour = 3600_000;

describe('a registration', () => {
  let clock: ManualClock, agent: SipAgent, registrar: RawPeer, registration: Registration;
  let states: RegistrationState[], answered: number;
  /** The address of the agent's machine; undefined without a network. */
  let here: string | undefined;

  beforeEach(() => {
    clock = new ManualClock();
    const link = new TelephonyLink(clock);
    here = '10.0.0.1';
    const transport = link.transport.bind(link);
    link.transport = (...place) => ({
      ...transport(...place),
      localFor: () =>
        here === undefined
          ? Promise.reject(Object.assign(new Error('no network'), { code: 'ENETUNREACH' }))
          : Promise.resolve({ protocol: 'UDP', host: here, port: 5060 }),
    });
    agent = link.agent('10.0.0.1');
    registrar = new RawPeer(link, clock);
    [states, answered] = [[], 0];
  });
  afterEach(async () => {
    await clock.finish(agent.close());
    await clock.run(() => clock.pending === 0, 1000);
    assert.equal(clock.pending, 0, 'no timer is left behind');
    const password = /secret/;
    assert.doesNotMatch(JSON.stringify([states, registrar.heard]), password);
  });

  function register(options: Partial<RegisterOptions> = {}): void {
    registration = agent.register(
      'office',
      { registrar: 'sip:10.0.0.3', user: '600', credentials: { user: '600', password: 'secret' }, ...options },
      (state) => states.push(state),
    );
  }

  const requests = (): string[] => [
    ...new Map(registrar.all('REGISTER').map((text) => [fieldOf(text, 'CSeq'), text])).values(),
  ];

  /** Returns the next REGISTER that hasn't been answered. */
  async function asked(limitMs = 2000): Promise<string> {
    const isAsked = await clock.run(() => requests().length > answered, limitMs, Math.max(10, limitMs / 2000));
    assert.ok(isAsked, `no REGISTER: ${JSON.stringify(states.at(-1))}`);
    answered = requests().length;
    return requests().at(-1) ?? '';
  }

  const settle = async (): Promise<RegistrationState> => {
    await clock.run(() => false, 50);
    return registration.state;
  };

  async function refuse(status: number, headers: [string, string][] = []): Promise<RegistrationState> {
    registrar.respond(await asked(90_000), status, { headers });
    return settle();
  }

  /** Answers as a registrar that stores the first Contact. */
  function grant(request: string, seconds = 600, headers: [string, string][] = []): void {
    const contact = fieldOf(request, 'Contact').replace('expires=600', `expires=${String(seconds)}`);
    registrar.respond(request, 200, { contact, headers });
  }

  async function accept({ seconds = 600, headers = [] as [string, string][], via = ';rport' } = {}): Promise<string> {
    const request = await asked(600_000);
    grant(request.replace(';rport', via), seconds, headers);
    await settle();
    return request;
  }

  const challenge = (realm: string, nonce: string): [string, string] => [
    'WWW-Authenticate',
    `Digest realm="${realm}", nonce="${nonce}", qop="auth", algorithm=SHA-256`,
  ];

  it('logs in, and is refreshed before it expires, with the same Call-ID and a new nonce', async () => {
    register();
    await refuse(401, [challenge('pbx', 'one')]);
    const first = await accept({ seconds: 120 });
    assert.match(first, /^REGISTER sip:10\.0\.0\.3 SIP\/2\.0\r\n/);
    assert.match(fieldOf(first, 'Contact'), /^<sip:600@10\.0\.0\.1:5060;line=[0-9a-f]{16}>;expires=600$/);
    assert.deepEqual(
      ['To', 'Expires', 'Supported'].map((name) => fieldOf(first, name)),
      ['<sip:600@10.0.0.3>', '600', 'path'],
    );
    const { state, since = 0, until = 0 } = registration.state;
    assert.deepEqual([state, until - since], ['registered', 120_000]);

    const refresh = await asked(120_000);
    assert.ok(clock.now() > since + 80_000 && clock.now() < until - 10_000, String(clock.now()));
    assert.equal(fieldOf(refresh, 'Call-ID'), fieldOf(first, 'Call-ID'));
    assert.match(fieldOf(refresh, 'Authorization'), /nonce="one".*nc=00000002/);
    registrar.respond(refresh, 401, { headers: [challenge('pbx', 'two')] });
    assert.match(fieldOf(await accept(), 'Authorization'), /nonce="two"/);
    assert.equal(registration.state.since, since, 'without a break');
    assert.ok((registration.state.until ?? 0) > until);
  });

  it('lasts as long as the shortest binding of its Contact, and no longer than was asked', async () => {
    register();
    const request = await asked();
    const own = fieldOf(request, 'Contact');
    const contact = `<sip:600@10.9.9.9>;expires=9, ${own.replace('=600', '=300')}, ${own.replace('=600', '=60')}`;
    registrar.respond(request, 200, { contact });
    await settle();
    assert.equal(Number(registration.state.until) - Number(registration.state.since), 60_000);
    await accept({ seconds: 2 ** 31 });
    assert.ok(Number(registration.state.until) - clock.now() <= 600_000);
  });

  it('asks for as long as a registrar demands', async () => {
    register();
    await refuse(423, [['Min-Expires', '1800']]);
    assert.equal(fieldOf(await accept(), 'Expires'), '1800');
    assert.equal(registration.state.state, 'registered');
  });

  it('removes its binding when it closes, within 2 s', async () => {
    register();
    const contact = fieldOf(await accept(), 'Contact');
    let isClosed = false;
    void registration.close().then(() => (isClosed = true));
    const last = await asked();
    assert.equal(fieldOf(last, 'Contact'), contact.replace('expires=600', 'expires=0'));
    assert.equal(isClosed, false);
    assert.ok(await clock.run(() => isClosed, 2100), 'without a response');
    assert.equal(registration.state.state, 'closed');
    await clock.run(() => false, hour, 1000);
    assert.equal(requests().length, 2);
  });

  it('stops after a wrong password', async () => {
    register();
    await refuse(401, [challenge('pbx', 'one')]);
    const { state, failure, reason, retryAt } = await refuse(401, [challenge('pbx', 'two')]);
    assert.deepEqual([state, failure, retryAt], ['failed', 'wrongLogin', undefined]);
    assert.match(reason ?? '', /refuses the login: SIP 401 Unauthorized/);
    await clock.run(() => false, hour, 1000);
    assert.equal(requests().length, 2);
  });

  it('recovers from a restarted registrar, and backs off before each attempt', async () => {
    register();
    await accept();
    const { since } = registration.state;
    registrar.respond(await asked(600_000), 404);
    const waits: number[] = [];
    for (let attempt = 0; attempt < 3; attempt++) {
      const { state, failure, retryAt = 0 } = await settle();
      assert.deepEqual([state, failure], ['failed', 'notFound']);
      waits.push((retryAt - clock.now()) / 1000);
      const isLast = attempt === 2;
      registrar.respond(await asked(10_000), isLast ? 503 : 404, { headers: isLast ? [['Retry-After', '30']] : [] });
    }
    for (const [index, wait] of waits.entries())
      assert.ok(wait > 0.9 * 2 ** index && wait <= 1.2 * 2 ** index, String(waits));
    const { failure, retryAt = 0 } = await settle();
    assert.equal(failure, 'unavailable');
    assert.ok(retryAt - clock.now() > 29_000, 'Retry-After');
    await accept();
    assert.equal(registration.state.state, 'registered');
    assert.ok((registration.state.since ?? 0) > (since ?? 0));
  });

  it('moves to the address that the registrar sees, and removes its old binding', async () => {
    register();
    const old = fieldOf(await accept({ via: ';rport=6000;received=192.0.2.9' }), 'Contact');
    const moved = await accept({ via: ';rport=6000;received=192.0.2.9' });
    const contacts = [...moved.matchAll(/^Contact: (.*)\r$/gm)].map(([, value]) => value);
    assert.deepEqual(contacts, [
      old.replace('10.0.0.1:5060', '192.0.2.9:6000'),
      old.replace('expires=600', 'expires=0'),
    ]);
    assert.equal(registration.state.state, 'registered');
    const later = await accept({ via: ';rport=6000;received=192.0.2.9' });
    assert.equal([...later.matchAll(/^Contact:/gm)].length, 1, 'once');
  });

  it('moves with its machine to another network', async () => {
    register();
    const old = fieldOf(await accept(), 'Contact');
    here = undefined;
    await clock.run(() => registration.state.state === 'failed', 30_000, 100);
    assert.deepEqual([registration.state.failure, registration.state.reason], ['network', 'no network']);
    assert.ok((registration.state.until ?? 0) > clock.now(), 'the binding lasts');
    here = '10.0.0.8';
    const moved = await accept();
    assert.equal(fieldOf(moved, 'Contact'), old.replace('10.0.0.1', '10.0.0.8'));
    assert.ok(moved.includes(`Contact: ${old.replace('expires=600', 'expires=0')}\r\n`));
    here = '10.0.0.9';
    assert.match(fieldOf(await asked(30_000), 'Contact'), /10\.0\.0\.9/, 'long before a refresh');
  });

  it('keeps the mapping of a NAT open', async () => {
    register();
    await accept();
    await clock.run(() => false, 80_000, 100);
    assert.equal(registrar.heard.filter((text) => text === '\r\n\r\n').length, 3);
  });

  describe('at a registrar', () => {
    type Respond = (request: string) => void;
    const refusing =
      (status: number, headers: (request: string) => [string, string][] = () => []): Respond =>
      (request) =>
        registrar.respond(request, status, { contact: '<sip:600:secret@10.0.0.9>', headers: headers(request) });
    const routes = Array<string>(1500).fill('<sip:10.0.0.3;lr;x=aaaaaaaaaaaaaaa>').join(',');
    const longer = (request: string): [string, string][] => [
      ['Min-Expires', String(Number(fieldOf(request, 'Expires')) + 1)],
    ];
    const newRealm = (request: string): [string, string][] => [challenge(fieldOf(request, 'CSeq'), 'n')];
    const stale = (request: string): [string, string][] => [
      challenge('pbx', `${fieldOf(request, 'CSeq')}", stale="true`),
    ];
    const status = `SIP/2.0 403 ${'x'.repeat(50_000)}`;
    const bad: readonly [manner: string, failure: RegistrationState['failure'], reason: RegExp, respond: Respond][] = [
      ['without its Contact', 'protocol', /doesn't list this side's Contact/, refusing(200)],
      ['that ends it at once', 'protocol', /ended at once/, (request) => grant(request, 0)],
      [
        'with 60 kB of routes',
        'protocol',
        /Service-Route/,
        (request) => grant(request, 60, [['Service-Route', routes]]),
      ],
      ['that has moved', 'protocol', /moved to: sip:600:\[masked\]@10/, refusing(302)],
      ['in a loop', 'loop', /SIP 483/, refusing(483)],
      ['that demands ever longer', 'protocol', /SIP 423/, refusing(423, longer)],
      ['with another login each time', 'protocol', /another login than before/, refusing(401, newRealm)],
      ['with stale nonces only', 'wrongLogin', /refuses the login/, refusing(401, stale)],
      ['with a long reason', 'forbidden', /^.{1,300}$/, (request) => registrar.send(request.replace(/^REG.*/, status))],
      ['that never answers', 'timeout', /no response/, () => undefined],
    ];
    for (const [manner, failure, reason, respond] of bad)
      it(`${manner} fails, says why, and asks a limited number of times`, async () => {
        register();
        let done = 0;
        const work = (): boolean => {
          for (; done < requests().length; done++) respond(requests()[done] ?? '');
          return false;
        };
        await clock.run(work, 15_000, 20);
        const { state } = registration;
        assert.deepEqual([state.state, state.failure], ['failed', failure]);
        assert.match(state.reason ?? '', reason);
        await clock.run(work, hour, 500);
        assert.ok(done < 130, String(done));
      });

    for (const options of [{ registrar: 'sip:a b' }, { outboundProxy: 'sip:10.0.0.3>\r\nX: y' }])
      it(`with the bad address ${JSON.stringify(options)} fails without a packet`, async () => {
        register(options);
        assert.deepEqual([(await settle()).failure, registration.state.retryAt], ['unusable', undefined]);
        assert.match(registration.state.reason ?? '', /isn't a SIP URI/);
        assert.equal(registrar.heard.length, 0);
      });
  });

  describe('of a line whose calls name it', () => {
    const proxy = 'sip:10.0.0.3:5060;transport=udp';
    it('takes them along the Service-Route, with the registered Contact', async () => {
      register();
      const contact = fieldOf(
        await accept({ headers: [['Service-Route', '<sip:10.0.0.3;lr>, <sip:edge.example.com>']] }),
        'Contact',
      );
      const leg = agent.call('sip:a@10.9.9.9', { line: 'office' });
      const invite = await registrar.last('INVITE');
      assert.match(invite, /^INVITE sip:a@10\.9\.9\.9 SIP/);
      assert.match(invite, /^Route: <sip:10\.0\.0\.3;lr>\r\nRoute: <sip:edge\.example\.com>\r$/m);
      assert.equal(fieldOf(invite, 'Contact'), contact.replace(';expires=600', ''));
      void agent.options('sip:10.9.9.9', { line: 'office' });
      const options = await registrar.last('OPTIONS');
      assert.match(options, /^Route: /m);
      registrar.respond(options, 200);
      registrar.respond(invite, 486);
      await clock.run(() => leg.ended !== undefined, 1000);
      assert.match(await registrar.last('ACK'), /^Route: /m);
    });

    it('passes all requests through the outbound proxy', async () => {
      register({ registrar: 'sip:office.example.com', outboundProxy: proxy });
      assert.match(
        await accept(),
        /^REGISTER sip:office\.example\.com SIP[^]*^Route: <sip:10\.0\.0\.3:5060;transport=udp;lr>\r$/m,
      );
      agent.call('sip:a@10.9.9.9', { outboundProxy: proxy });
      assert.match(await registrar.last('INVITE'), /^INVITE sip:a@10\.9\.9\.9 SIP[^]*^Route: <sip:10\.0\.0\.3:5060;/m);
      void agent.options('sip:10.9.9.9', { outboundProxy: proxy });
      const options = await registrar.last('OPTIONS');
      assert.match(options, /^Route: /m);
      registrar.respond(options, 200);
    });
  });

  it('names its line in the calls that arrive at its Contact', async () => {
    register();
    const contact = /<(.*)>/.exec(fieldOf(await accept(), 'Contact'))?.[1] ?? '';
    const ring = async (uri: string, callId: string): Promise<IncomingCallLeg | undefined> => {
      const legs: IncomingCallLeg[] = [];
      agent.onCall((leg) => legs.push(leg));
      registrar.send(
        `INVITE ${uri} SIP/2.0\r\nVia: SIP/2.0/UDP 10.0.0.3;branch=z9hG4bK${callId}\r\nFrom: <sip:raw@10.0.0.3>;tag=raw\r\nTo: <sip:600@10.0.0.3>\r\nCall-ID: ${callId}\r\nCSeq: 1 INVITE\r\nContact: <sip:raw@10.0.0.3>\r\nContent-Length: 0\r\n\r\n`,
      );
      await clock.run(() => legs.length > 0, 500);
      return legs[0];
    };
    const [own, byUser, other] = [
      await ring(contact, 'a'),
      await ring('sip:600@10.0.0.1', 'b'),
      await ring('sip:601@10.0.0.1', 'c'),
    ];
    assert.deepEqual([own?.line, byUser?.line, other?.line], ['office', 'office', undefined]);
    own?.answer();
    assert.equal(fieldOf(await registrar.last('SIP/2.0 200'), 'Contact'), `<${contact}>`);
    for (const leg of [own, byUser, other]) void leg?.hangup();
    void registration.close();
    await asked();
    assert.equal((await ring(contact, 'd'))?.line, undefined);
  });

  for (const [srtp, status] of [
    ['require', 488],
    ['prefer', 200],
  ] as const)
    it(`answers a call without SRTP with ${String(status)} if its line has srtp: ${srtp}`, async () => {
      register({ user: 'x', srtp });
      await accept();
      agent.onCall((leg) => leg.answer());
      assert.match(await registrar.request('INVITE', 1, { body: RawPeer.sdp }), RegExp(`^SIP/2.0 ${String(status)}`));
    });
});
