import assert from 'node:assert/strict';
import type { DialtreeClient } from '../../src/client/client.ts';
import { assertSupportedLanguage } from '../../src/service/testing/testLanguage.ts';
import { ScriptedCalls } from '../support/scriptedCalls.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';

const steps = [{ name: 'Call', action: { type: 'dial' as const }, passThreshold: 0.8 }];
const told = /only English.*en-US/;

describe('service: the language of a test', function () {
  const fixture = new ServiceFixture();
  let client: DialtreeClient;

  before(async () => {
    ({ client } = await fixture.start({ parts: { perform: new ScriptedCalls().perform } }));
  });
  after(() => fixture.close());

  it('rejects an unsupported one when the test is saved, edited or planned', async () => {
    const test = { name: 'Bank', phoneNumber: '+12025550101', steps };
    const refused = { status: 400, code: 'invalid_request', message: told };
    await assert.rejects(client.call('createTestConfig', { ...test, language: 'de-DE' }), refused);
    await assert.rejects(
      client.call('createTestConfig', { ...test, steps: [{ ...steps[0]!, language: 'fr' }] }),
      refused,
    );
    const { id, language } = await client.call('createTestConfig', { ...test, language: 'en-GB' });
    assert.equal(language, 'en-GB');
    await assert.rejects(client.call('updateTestConfig', { id, language: 'de' }), refused);
    await assert.rejects(client.call('planCalls', { test: { ...test, language: 'de' } }), refused);
    assert.equal((await client.call('planCalls', { testConfigId: id })).refusal, undefined);
  });

  it('prevents a run of a test that was stored before languages were checked', () => {
    const refused = { status: 400, code: 'invalid_request', message: told };
    assert.throws(() => assertSupportedLanguage({ language: 'de-DE', steps }), refused);
    assert.throws(
      () => assertSupportedLanguage({ language: 'en-US', steps: [...steps, { ...steps[0]!, language: 'es' }] }),
      { ...refused, message: /^steps\.1\.language: / },
    );
    assertSupportedLanguage({ language: 'en-US', steps });
  });
});
