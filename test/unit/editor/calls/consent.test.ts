import assert from 'node:assert/strict';
import { HumanError } from '../../../../src/contract/errors.ts';
import { createFormats } from '../../../../src/editor/basics/formats.ts';
import { createConsent } from '../../../../src/editor/calls/consent.ts';
import { FakeDialogs } from '../fakeDialogs.ts';
import { english, FakeClient } from '../fakes.ts';

const phoneNumber = '+12125550123';

describe('consent to call a number', () => {
  it('places no call by default, and repeats the work when the user agrees', async () => {
    const client = new FakeClient({
      planCalls: () => ({
        phoneNumber,
        route: 'trunk.example.com',
        calls: 1,
        secondsAtMost: 60,
        bounded: true,
        needsConsent: true,
        forbiddenKeys: [],
        riskyKeys: [],
        budget: { fits: true, left: {} },
      }),
      recordConsent: (input) => ({ ...input, recordedAt: '2026-03-01T10:00:00.000Z' }),
    });
    const work = async (): Promise<string> => {
      if (client.count('recordConsent') > 0) return 'called';
      throw new HumanError('consent', { status: 403, code: 'consent_required', details: { phoneNumber } });
    };
    const ask = async (agree: boolean): Promise<[string | undefined, string | undefined]> => {
      const dialogs = new FakeDialogs({ agree });
      const parts = { client, dialogs, formats: createFormats('en'), l10n: english };
      const result = await createConsent(parts).agreed({ mapping: { phoneNumber } }, work);
      return [result, dialogs.shown[0]];
    };
    const [declined, question] = await ask(false);
    assert.deepEqual([declined, client.count('recordConsent')], [undefined, 0]);
    // Enter presses the first button.
    assert.match(question ?? '', /real calls to \+12125550123\..*\[Don't Call\] \[I may test this number\]$/s);
    assert.equal((await ask(true))[0], 'called');
  });
});
