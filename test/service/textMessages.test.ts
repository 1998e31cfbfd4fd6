import assert from 'node:assert/strict';
import { HumanError } from '../../src/contract/errors.ts';
import { limits, serverLimits } from '../../src/contract/limits.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { SmsInbox } from '../support/smsInbox.ts';

const hourMs = 3_600_000;
const mobile = (last: number): string => `+4474005${String(last).padStart(5, '0')}`;
const network = (last: number): string => `198.51.100.${String(last)}`;

interface Answer {
  readonly status: number;
  readonly body: {
    readonly sent?: boolean;
    readonly code?: string;
    readonly message?: string;
    readonly retryAfterSeconds?: number;
  };
  readonly retryAfter: string | null;
}

describe('service: codes by text message', function () {
  const fixture = new ServiceFixture();
  let sms: SmsInbox;
  let time: Date;
  let dataDir = '';
  let service: Awaited<ReturnType<ServiceFixture['start']>>;
  /** Networks are identified by a proxy's header; this one is ours. */
  const options = () => ({ sms, publicUrl: 'https://dialtree.example.com', parts: { now: () => time } });

  beforeEach(async () => {
    sms = new SmsInbox();
    time = new Date('2026-03-01T12:00:00.000Z');
    dataDir = await fixture.folder();
    service = await fixture.start({ ...options(), dataDir });
  });
  afterEach(() => fixture.close());

  const later = (ms: number): void => {
    time = new Date(time.getTime() + ms);
  };
  const send = (path: string, from: string, body?: object, apiKey?: string): Promise<Response> =>
    fetch(`${service.baseUrl}${path}`, {
      method: 'POST',
      headers: {
        'x-forwarded-for': from,
        ...(body && { 'content-type': 'application/json' }),
        ...(apiKey !== undefined && { 'x-api-key': apiKey }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  async function register(from: string): Promise<string> {
    const response = await send('/workspace/register', from);
    return ((await response.json()) as { apiKey: string }).apiKey;
  }
  async function request(apiKey: string, from: string, phoneNumber: string): Promise<Answer> {
    const response = await send('/workspace/anchors/code', from, { phoneNumber }, apiKey);
    return {
      status: response.status,
      body: (await response.json()) as Answer['body'],
      retryAfter: response.headers.get('retry-after'),
    };
  }
  /** Requests a code for a new workspace from a new network. */
  async function requestAnew(last: number, phoneNumber: string): Promise<Answer> {
    return await request(await register(network(last)), network(last), phoneNumber);
  }

  it('go to a number a few times per hour and day, for all workspaces, and no answer reveals the others @engine', async () => {
    const { numberAnHour, numberADay } = serverLimits.textMessages;
    const answers: Answer[] = [];
    for (const one of [1, 2, 3]) {
      const key = await register(network(one));
      for (let code = 0; code < limits.anchors.codesAnHour; code += 1)
        answers.push(await request(key, network(one), mobile(0)));
    }
    assert.equal(sms.count, numberAnHour, 'fifteen were asked for');
    const stranger = await requestAnew(4, mobile(1));
    for (const answer of [...answers, stranger])
      assert.deepEqual(answer, { status: 202, body: { sent: true }, retryAfter: null });
    assert.equal(sms.count, numberAnHour + 1, 'another number gets its own');
    for (let hour = 1; sms.count < numberADay + 1; hour += 1) {
      later(hourMs);
      for (const one of [1, 2, 3, 4, 5]) await requestAnew(hour * 10 + one, mobile(0));
    }
    later(hourMs);
    await requestAnew(200, mobile(0));
    assert.equal(sms.count, numberADay + 1, 'the day is full');
    later(24 * hourMs);
    await requestAnew(201, mobile(0));
    assert.equal(sms.count, numberADay + 2);
  });

  it('verify a number only for the workspace that requested them', async () => {
    for (let one = 1; one <= serverLimits.textMessages.numberAnHour; one += 1) await requestAnew(one, mobile(0));
    const key = await register(network(9));
    await request(key, network(9), mobile(0));
    const verify = async (code: string): Promise<unknown> =>
      (
        (await (
          await send('/workspace/anchors/verify', network(9), { phoneNumber: mobile(0), code }, key)
        ).json()) as Answer['body']
      ).code;
    assert.equal(await verify(sms.codeFor(mobile(0))), 'bad_code', 'the code of another workspace is not this one’s');
    later(hourMs);
    await request(key, network(9), mobile(0));
    assert.equal(await verify(sms.codeFor(mobile(0))), undefined);
  });

  it('have an hourly limit for a network and all its workspaces, counted by the /64 of IPv6, even after a restart @engine', async () => {
    const { networkAnHour } = serverLimits.textMessages;
    const from = (host: number): string => `2001:db8:1:2::${host.toString(16)}`;
    const keys = [await register(from(1)), await register(from(2)), await register(from(3))];
    for (let code = 0; code < networkAnHour; code += 1) {
      assert.equal((await request(keys[code % 3]!, from(code + 10), mobile(code))).status, 202);
      later(60_000);
    }
    await service.close();
    service = await fixture.start({ ...options(), dataDir });
    const refused = await request(keys[0]!, from(99), mobile(50));
    const left = 3600 - networkAnHour * 60;
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.retryAfterSeconds, refused.retryAfter],
      [429, 'too_many_codes', left, String(left)],
    );
    assert.equal(sms.count, networkAnHour);
    assert.equal((await request(keys[0]!, '2001:db8:1:3::1', mobile(50))).status, 202, 'another network has its own');
    later(left * 1000);
    assert.equal((await request(keys[1]!, from(1), mobile(51))).status, 202);
  });

  it("count for their network even if they aren't sent, so that the count reveals nothing", async () => {
    const { networkAnHour, numberAnHour } = serverLimits.textMessages;
    for (let one = 1; one <= numberAnHour; one += 1) await requestAnew(one, mobile(0));
    const keys = [await register(network(20)), await register(network(20))];
    for (let code = 0; code < networkAnHour; code += 1)
      await request(keys[code % 2]!, network(20), mobile(code % 2 === 0 ? 0 : code));
    assert.equal((await request(keys[0]!, network(20), mobile(80))).status, 429);
  });

  it('have a daily limit for the whole server @engine', async () => {
    const { serverADay } = serverLimits.textMessages;
    let lastKey = '';
    for (let asked = 0; asked < serverADay; asked += 1) {
      // One network and one workspace for every five codes, within their limits.
      if (asked % 5 === 0) lastKey = await register(network(asked / 5));
      assert.equal((await request(lastKey, network(Math.floor(asked / 5)), mobile(asked))).status, 202);
    }
    const refused = await requestAnew(250, mobile(999));
    assert.deepEqual([refused.status, refused.body.code, refused.retryAfter], [429, 'too_many_codes', '86400']);
    assert.equal(sms.count, serverADay);
    later(24 * hourMs);
    assert.equal((await requestAnew(251, mobile(999))).status, 202);
  });

  it('count against a workspace only if it requested them', async () => {
    const key = await register(network(1));
    for (let code = 0; code < serverLimits.textMessages.numberADay; code += 1) {
      assert.equal((await request(key, network(1), mobile(0))).status, 202);
      later(hourMs / 2);
    }
    const refused = await request(key, network(1), mobile(0));
    assert.deepEqual(
      [refused.status, refused.body.retryAfterSeconds],
      [429, 86_400 - serverLimits.textMessages.numberADay * 1800],
    );
    assert.equal((await request(key, network(1), mobile(1))).status, 202);
  });

  it('use up nothing if the provider fails to send them', async () => {
    const key = await register(network(1));
    const failing = async (): Promise<unknown> => (await request(key, network(1), mobile(0))).body.code;
    sms.failure = new HumanError('The SMS provider is down.', { status: 502, code: 'sms_failed' });
    const { codesAnHour } = limits.anchors;
    for (let code = 0; code < Math.max(codesAnHour, serverLimits.textMessages.networkAnHour) + 1; code += 1)
      assert.equal(await failing(), 'sms_failed');
    sms.failure = undefined;
    for (let code = 0; code < codesAnHour; code += 1)
      assert.equal((await request(key, network(1), mobile(0))).status, 202);
    assert.equal((await request(key, network(1), mobile(0))).body.code, 'too_many_codes', 'those that were sent count');
  });
});
