import assert from 'node:assert/strict';
import { recordConsents, readConsents } from '../../../../src/cli/calling/consents.ts';

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
