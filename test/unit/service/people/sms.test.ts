import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readSms } from '../../../../src/cli/settings/senders.ts';
import { mobileNumber } from '../../../../src/service/people/mobileNumber.ts';
import { consoleSender, twilioSender } from '../../../../src/service/people/sms.ts';

describe('text messages', () => {
  let server: Server;
  let url = '';
  let answer = 201;
  const requests: { readonly request: IncomingMessage; readonly body: string }[] = [];

  before(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on('end', () => {
        requests.push({ request, body });
        response.writeHead(answer).end('{}');
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  });
  after(async () => {
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });

  it("go to a provider in Twilio's format", async () => {
    const sender = twilioSender({ baseUrl: url, accountSid: 'AC1', authToken: 'secret', from: '+15005550006' });
    await sender.send('+447400123456', '123456 is your code & more');
    const [{ request, body } = assert.fail('nothing arrived')] = requests;
    assert.deepEqual([request.method, request.url], ['POST', '/2010-04-01/Accounts/AC1/Messages.json']);
    assert.equal(request.headers.authorization, `Basic ${Buffer.from('AC1:secret').toString('base64')}`);
    assert.deepEqual(Object.fromEntries(new URLSearchParams(body)), {
      To: '+447400123456',
      From: '+15005550006',
      Body: '123456 is your code & more',
    });
  });

  it('report a refusing or missing provider, without its secret', async () => {
    answer = 401;
    for (const baseUrl of [url, 'http://127.0.0.1:1']) {
      const error: unknown = await twilioSender({ baseUrl, accountSid: 'AC1', authToken: 'secret', from: 'x' })
        .send('+447400123456', 'y')
        .catch((thrown: unknown) => thrown);
      assert.ok(
        error instanceof Error && 'status' in error && error.status === 502 && !/secret/.test(error.message),
        String(error),
      );
    }
  });

  it("appear in a developer's console", async () => {
    const lines: string[] = [];
    await consoleSender((line) => lines.push(line)).send('+447400123456', 'hello');
    assert.deepEqual(lines, ['SMS to +447400123456: hello\n']);
  });

  it('need an option, and secrets in the environment', () => {
    assert.throws(() => readSms('pigeon', {}), /twilio or log/);
    assert.throws(() => readSms('twilio', { DIALTREE_TWILIO_ACCOUNT_SID: 'a' }), /DIALTREE_TWILIO_AUTH_TOKEN/);
    assert.throws(() => readSms('twilio', { DIALTREE_TWILIO_URL: 'nonsense' }), /DIALTREE_TWILIO_URL/);
    readSms('twilio', {
      DIALTREE_TWILIO_ACCOUNT_SID: 'a',
      DIALTREE_TWILIO_AUTH_TOKEN: 'b',
      DIALTREE_TWILIO_FROM: 'c',
      DIALTREE_TWILIO_URL: url,
    });
  });
});

describe('mobile numbers', () => {
  it('need a supported country', () => {
    for (const [text, expected] of Object.entries({
      '+447400123456': '+447400123456',
      '+44 7400 123456': '+447400123456',
      '+12125550123': '+12125550123',
      '+447781123456': '+447781123456',
      '+447797712345': '+447797712345',
      '+447624123456': '+447624123456',
    }))
      assert.equal(mobileNumber(text), expected, text);
    for (const [text, refused] of Object.entries({
      '+33612345678': 'country_not_supported',
      '+447700900123': 'unparseable',
      '+442079460958': 'not_a_mobile',
      '07400123456': 'unparseable',
      nonsense: 'unparseable',
      '+44740012345678901': 'unparseable',
      '+14165550123': 'country_not_supported',
    }))
      assert.deepEqual(mobileNumber(text), { refused }, text);
  });
});
