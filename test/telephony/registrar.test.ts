import assert from 'node:assert/strict';
import { startSipAgent } from '../../src/telephony/agent.ts';
import type { IncomingCallLeg, Registration, RegistrationState, SipAgent } from '../../src/telephony/call.ts';
import { findExchange, type Exchange } from '../support/exchange.ts';
import { endOf } from '../support/legEvents.ts';
import { within } from '../support/patience.ts';

/** Kamailio grants 6 s, asks for a login, and gives a Service-Route. */
for (const transport of ['udp', 'tcp'])
  describe(`a line that registers with Kamailio over ${transport} @full`, function () {
    let exchange: Exchange | undefined, agent: SipAgent | undefined, caller: SipAgent | undefined;
    let registration: Registration | undefined;
    let heard: (() => void) | undefined;

    before(async function () {
      const start = findExchange();
      if (start === undefined) return this.skip();
      exchange = await start('127.0.0.1:9');
    });
    beforeEach(async () => {
      agent = await startSipAgent({ host: '127.0.0.1' });
      caller = await startSipAgent({ host: '127.0.0.1' });
    });
    afterEach(() => Promise.all([agent?.close(), caller?.close()]));
    after(() => exchange?.stop());

    function parts() {
      assert.ok(exchange && agent && caller);
      const at = exchange.address('tester').replace('tester@', '');
      return { exchange, agent, caller, proxy: `${at};transport=${transport}` };
    }

    function register(): void {
      const {
        exchange: { credentials },
        agent: own,
        proxy,
      } = parts();
      registration = own.register('office', { registrar: proxy, user: 'tester', credentials }, () => heard?.());
    }

    function until(
      state: RegistrationState['state'],
      isRight = (_: RegistrationState): boolean => true,
    ): Promise<RegistrationState> {
      const reached = new Promise<RegistrationState>((resolve) => {
        heard = () => {
          if (registration?.state.state === state && isRight(registration.state)) resolve(registration.state);
        };
        heard();
      });
      return within(reached, `the line is ${state}`, () => [registration?.state, exchange?.output().slice(-2000)]);
    }

    it('takes and places calls, and no more once it is closed', async () => {
      const { exchange: border, agent: own, caller: other, proxy } = parts();
      register();
      const { since = 0, until: expires = 0 } = await until('registered');
      assert.equal(Math.round(expires - since), 6000);
      const toTester = { outboundProxy: proxy, credentials: border.credentials };
      const arrived = Promise.withResolvers<IncomingCallLeg>();
      own.onCall((leg) => arrived.resolve(leg));
      const leg = other.call('sip:tester@office.test', toTester);
      const incoming = await within(arrived.promise, 'a call arrives', () => [leg.ended, border.output().slice(-2000)]);
      assert.equal(incoming.line, 'office');
      const over = endOf(leg);
      incoming.answer();
      await incoming.hangup();
      await within(over, 'the call ends', () => leg.state);
      assert.deepEqual([leg.ended?.by, leg.ended?.kind], ['remote', 'hangup']);

      const back = Promise.withResolvers<IncomingCallLeg>();
      own.onCall((taken) => back.resolve(taken));
      const placed = own.call('sip:tester@office.test', { ...toTester, line: 'office' });
      const taken = await within(back.promise, 'its own call comes back', () => placed.ended);
      const placedEnd = endOf(placed);
      taken.reject(486);
      await placedEnd;
      assert.equal(placed.ended?.kind, 'busy');
      assert.match(
        placed.trace()[0]?.text ?? '',
        /^Route: <sip:127\.0\.0\.1:\d+;transport=\w+;lr>\r\n(?!Route)[^]*^Contact: <sip:tester@/m,
      );

      await until('registered', ({ until: later = 0 }) => later > expires);
      await registration?.close();
      const last = other.call('sip:tester@office.test', { ...toTester, answerTimeoutMs: 1000 });
      await endOf(last);
      assert.equal(last.ended?.kind, 'noAnswer', 'the exchange has no other phone');
    });

    it('recovers when Kamailio has been killed', async () => {
      const { exchange: border } = parts();
      register();
      await until('registered');
      await border.kill();
      const { failure, retryAt } = await until('failed');
      assert.ok(['refused', 'network'].includes(failure ?? '') && retryAt !== undefined, failure);
      await border.startAgain();
      await until('registered');
    });
  });
