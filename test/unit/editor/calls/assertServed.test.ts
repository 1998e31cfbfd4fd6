import assert from 'node:assert/strict';
import { HumanError } from '../../../../src/contract/errors.ts';
import { assertServed } from '../../../../src/editor/calls/assertServed.ts';
import { english, FakeClient } from '../fakes.ts';

describe('the check for a line', () => {
  const number = '+12025550101';
  const refusedWith = (code: string | undefined, target = number, isRemote = false): Promise<void> =>
    assertServed(
      new FakeClient({
        planCalls: (input) => {
          assert.deepEqual(input, { mapping: { phoneNumber: target } });
          return (
            code === undefined ? {} : { refusal: { status: 400, code, message: 'What the service says.' } }
          ) as never;
        },
      }),
      target,
      isRemote,
      english,
    );

  it('refuses a number that no line serves, with what this user can do', async () => {
    await assert.rejects(refusedWith('no_route'), {
      code: 'no_route',
      message: `No line serves ${number}, so Dialtree can't call it. Add a line for it.`,
    });
    await assert.rejects(refusedWith('no_route', number, true), {
      code: 'no_route',
      message: `No line of this service serves ${number}. Ask the operator of the service to add one.`,
    });
  });

  it("refuses an address with the service's reason", () =>
    assert.rejects(refusedWith('no_route', 'sip:x@pbx.example.com'), { message: 'What the service says.' }));

  it('leaves other refusals to the launch', async () => {
    for (const code of [undefined, 'consent_required', 'budget_exceeded']) await refusedWith(code);
    const silent = new FakeClient({
      planCalls: () => {
        throw new HumanError('The key may not plan.', { status: 403, code: 'missing_scope' });
      },
    });
    await assertServed(silent, number, false, english);
  });
});
