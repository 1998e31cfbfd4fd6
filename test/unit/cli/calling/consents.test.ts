import assert from 'node:assert/strict';
import { consentRefusal, recordConsents, readConsents } from '../../../../src/cli/calling/consents.ts';
import { OwnClient } from '../../../../src/cli/calling/ownService.ts';

describe('a refusal of the service that a command starts', () => {
  const refusing = (details: object) =>
    new OwnClient({
      baseUrl: 'http://127.0.0.1:1/v1',
      fetch: () =>
        Promise.resolve(
          new Response(JSON.stringify({ message: 'Use recordConsent.', code: 'consent_required', details }), {
            status: 403,
          }),
        ),
    });
  const launched = (details: object) =>
    refusing(details).call('startMapping', { id: '11111111-1111-4111-8111-111111111111' });

  it('names the option of the command line that gives consent', async () => {
    const [phoneNumber, place] = ['sip:600@127.0.0.1:5999', '127.0.0.1:5999'];
    await assert.rejects(launched({ phoneNumber, place }), {
      name: 'PermissionError',
      code: 'consent_required',
      message: /add --consent sip:600@127\.0\.0\.1:5999\.$/,
    });
    assert.match(consentRefusal(phoneNumber, place).message, /add --consent sip:600@127\.0\.0\.1:5999\.$/);
    await assert.rejects(launched({ phoneNumber: '+12125550123' }), { message: /\+12125550123\. Use --url/ });
    await assert.rejects(launched({}), { message: 'Use recordConsent.' });
  });
});

describe('--consent', () => {
  const routes = { '+49*': 'sip:{number}@127.0.0.1:5999', '+1*': 'sip:{number}@trunk.example.com' };

  it('accepts numbers that lead to an exchange on this machine, when the service asks for consent', async () => {
    assert.deepEqual(
      await readConsents(
        ['sip:600@127.0.0.1:5999', 'sip:%360%31@LOCALHOST', '+4930123456', 'sip:+4930123456@[::1]'],
        routes,
      ),
      ['sip:600@127.0.0.1:5999', 'sip:601@localhost', '+4930123456', '+4930123456'],
    );
    assert.deepEqual(await readConsents(undefined, routes), []);
    const recorded: unknown[] = [];
    await recordConsents(
      {
        call: (...call: unknown[]) => {
          recorded.push(call);
          return Promise.resolve() as never;
        },
      },
      ['sip:600@127.0.0.1:5999'],
    );
    assert.deepEqual(recorded, [
      ['recordConsent', { phoneNumber: 'sip:600@127.0.0.1:5999', statement: 'I may test this number' }],
    ]);
  });

  it('allows neither the public network nor numbers that are never dialled', async () => {
    for (const target of ['+12125550123', 'sip:600@trunk.example.com'])
      await assert.rejects(
        readConsents([target], routes),
        { message: /isn't on this machine\. Record your consent on a service/ },
        target,
      );
    await assert.rejects(readConsents(['+4930123456'], { '+49*': 'sip:x@127.0.0.1;maddr=10.0.0.1' }), {
      message: /isn't on this machine/,
    });
    for (const target of ['600', '', '*'])
      await assert.rejects(readConsents([target], routes), { message: /takes a number or a SIP address/ }, target);
    for (const target of ['sip:911@127.0.0.1:5999', 'sip:1911@localhost', '+49900123456', '+498001110111'])
      await assert.rejects(readConsents([target], routes), { code: 'forbidden_number' }, target);
    await assert.rejects(readConsents(['sip:600@elsewhere.example.com'], routes), { code: 'no_route' });
  });
});
