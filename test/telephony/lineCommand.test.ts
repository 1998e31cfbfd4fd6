import assert from 'node:assert/strict';
import { startSipAgent } from '../../src/telephony/agent.ts';
import type { CallLeg, SipAgent } from '../../src/telephony/call.ts';
import { findExchange, type Exchange } from '../support/exchange.ts';
import { within } from '../support/patience.ts';
import { CliProcess, dialtree, repositoryFile } from '../unit/cli/dialtree.ts';

describe('the command line at a registrar (Kamailio) @full', function () {
  let exchange: Exchange | undefined, caller: SipAgent | undefined, process: CliProcess | undefined;
  before(async function () {
    const start = findExchange();
    if (start === undefined) return this.skip();
    exchange = await start('127.0.0.1:9');
    caller = await startSipAgent({ host: '127.0.0.1' });
  });
  afterEach(() => process?.kill());
  after(() => Promise.all([exchange?.stop(), caller?.close()]));

  function office(password?: string) {
    assert.ok(exchange && caller);
    const { user, password: right } = exchange.credentials;
    const host = exchange.address('').replace('sip:@', '');
    return {
      lines: JSON.stringify({ office: { kind: 'pbx', host, user, register: true } }),
      env: { DIALTREE_LINE_PASSWORD_OFFICE: password ?? right },
    };
  }

  /** Calls the user of the line, as a phone on the desk does. */
  async function callOffice(): Promise<CallLeg> {
    assert.ok(exchange && caller);
    const leg = caller.call(exchange.address('tester'), {
      credentials: exchange.credentials,
      answerTimeoutMs: 3000,
    });
    const settled = new Promise<void>((resolve) => {
      leg.listen(({ type }) => {
        if (type === 'audio' || type === 'ended') resolve();
      });
    });
    await within(settled, 'the call is answered or refused', () => leg.ended);
    return leg;
  }

  it('answers calls to a line with a practice IVR, until it ends', async () => {
    const { lines, env } = office();
    const bank = repositoryFile('media/samples/bank.ivr.json');
    process = new CliProcess(['practice', bank, '--port', '0', '--line', 'office', '--lines', lines], { env });
    assert.match(await process.firstLine(), /^office: registered since [\d:]{8}, until [\d:]{8}$/);
    const leg = await callOffice();
    assert.equal(leg.state, 'answered', leg.ended?.reason);
    process.signal('SIGTERM');
    const { code, stdout } = await process.result();
    assert.equal(code, 0);
    assert.match(stdout, /office: unregistered/);
    assert.equal((await callOffice()).state, 'ended');
  });

  it('keeps a line registered until it is interrupted', async () => {
    const { lines, env } = office();
    process = new CliProcess(['line', 'register', 'office', '--lines', lines, '--json'], { env });
    const first = JSON.parse(await process.firstLine()) as Record<string, string>;
    assert.deepEqual([first['event'], first['line'], first['state']], ['registration', 'office', 'registered']);
    assert.equal(Date.parse(first['until'] ?? '') - Date.parse(first['since'] ?? ''), 6000);
    process.signal('SIGINT');
    const { code, stdout } = await process.result();
    assert.equal(code, 0);
    assert.match(stdout, /"state":"closed"/);
  });

  it('says why a line with a wrong password fails, without the password', async () => {
    const { lines, env } = office('wr0ng');
    for (const args of [
      ['line', 'register', 'office'],
      ['line', 'check', 'office'],
      ['practice', repositoryFile('media/samples/bank.ivr.json'), '--port', '0', '--line', 'office'],
    ]) {
      const { code, stdout, stderr } = await dialtree([...args, '--lines', lines], '', { env });
      assert.equal(code, 1, args.join(' '));
      assert.match(`${stdout}${stderr}`, /rejects the user or password/);
      assert.doesNotMatch(`${stdout}${stderr}`, /wr0ng/);
    }
  });
});
