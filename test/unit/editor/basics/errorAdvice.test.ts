import assert from 'node:assert/strict';
import { ConnectionError, errorOf } from '../../../../src/client/errors.ts';
import { HumanError } from '../../../../src/contract/errors.ts';
import { adviceOn } from '../../../../src/editor/basics/errorAdvice.ts';
import { english } from '../fakes.ts';

const answered = (status: number, code?: string, message = 'What the service says.'): Error =>
  errorOf(status, code === undefined ? undefined : { message, code, requestId: 'r' }, undefined);
const read = (error: unknown, mode: 'embedded' | 'remote' = 'embedded'): string => {
  const { message, actions } = adviceOn(error, mode, english);
  assert.ok(actions.length <= 2);
  return [
    message,
    ...actions.map(
      (action) =>
        `[${action.title} ${'command' in action ? action.command : 'editorCommand' in action ? action.editorCommand : action.setting}]`,
    ),
  ].join(' ');
};

describe('advice on errors', () => {
  it('offers more minutes if none are left', () => {
    assert.equal(
      read(answered(402, 'capacity_exhausted')),
      'What the service says. [Verify a Phone dialtree.workspace.verifyPhone] [Show Usage dialtree.workspace.showUsage]',
    );
    const unclaimed = errorOf(
      402,
      {
        message: 'None left.',
        code: 'capacity_exhausted',
        requestId: 'r',
        claim: { method: 'POST', path: '/claim', tool: 'getClaimLink' },
      },
      undefined,
    );
    assert.equal(
      read(unclaimed),
      'None left. [Verify a Phone dialtree.workspace.verifyPhone] [Get Claim Link dialtree.workspace.getClaimLink]',
    );
  });

  it('leads to the bounds that the workspace set itself', () => {
    for (const [status, code] of [
      [402, 'budget_exceeded'],
      [403, 'forbidden_key'],
    ] as const)
      assert.equal(
        read(answered(status, code)),
        'What the service says. [Set Budgets and Retention… dialtree.workspace.setLimits]',
      );
  });

  it('asks for a fitting key, and offers a workspace to a person without one', () => {
    assert.equal(
      read(answered(401, 'unauthorized')),
      'What the service says. [Set API Key dialtree.key.set] [Choose Service dialtree.service.choose]',
    );
    assert.equal(
      read(new HumanError('A key is needed.', { status: 401, code: 'key_required' })),
      'A key is needed. [Set API Key dialtree.key.set] [Register a Workspace dialtree.workspace.register]',
    );
    assert.equal(read(answered(403, 'missing_scope')), 'What the service says. [Set API Key dialtree.key.set]');
  });

  it('distinguishes the rate limit, whose answers are empty, from other refusals', () => {
    assert.match(read(answered(403)), /Wait a minute, then try again\.$/);
    assert.match(read(answered(429)), /Wait a minute, then try again\.$/);
    for (const code of ['consent_required', 'forbidden_number'])
      assert.equal(read(answered(403, code)), 'What the service says.');
  });

  it('leads from a number without a route to the dial plan, if that is ours', () => {
    assert.equal(
      read(answered(400, 'no_route')),
      'What the service says. [Add Line dialtree.line.add] [Open Settings dialtree.telephony.routes]',
    );
    assert.equal(
      read(answered(400, 'no_route'), 'remote'),
      'What the service says. [Choose Service dialtree.service.choose]',
    );
  });

  it('leads from a line without its password to its setting', () => {
    assert.equal(
      read(answered(409, 'line_password')),
      'What the service says. [Set Line Password dialtree.line.setPassword]',
    );
    assert.equal(read(answered(404, 'line_unknown')), 'What the service says. [Add Line dialtree.line.add]');
    assert.equal(
      read(answered(409, 'line_password'), 'remote'),
      'What the service says. [Choose Service dialtree.service.choose]',
    );
  });

  it('says to wait for a run at the ceiling, like the service', () => {
    const message = "This workspace has 2 runs in progress, its tier's maximum. Wait for one to end.";
    assert.equal(
      read(answered(429, 'concurrency_ceiling', message)),
      `${message} [Show Usage dialtree.workspace.showUsage]`,
    );
  });

  it('offers a claim if no code can be sent, and nothing if waiting helps', () => {
    assert.match(read(answered(503, 'sms_unavailable')), /\[Get Claim Link /);
    assert.match(read(answered(403, 'too_many_codes')), /\[Get Claim Link /);
    assert.equal(read(answered(429, 'too_many_codes')), 'What the service says.');
  });

  it('restarts an unreachable service, and offers only the log for unknown errors', () => {
    assert.equal(
      read(new ConnectionError('Cannot be reached.', { preFlight: true }), 'remote'),
      'Cannot be reached. [Try Again dialtree.service.restart] [Choose Service dialtree.service.choose]',
    );
    assert.match(
      read(new ConnectionError('Cannot be reached.', { preFlight: true })),
      /^Cannot be reached\. \[Restart Service .*\] \[Show Log /,
    );
    assert.match(
      read(new HumanError('It crashes.', { code: 'crash_loop' })),
      /^It crashes\. \[Restart Service .*\] \[Show Log /,
    );
    assert.equal(
      read(new HumanError('No address.', { status: 400, code: 'service_url' })),
      'No address. [Choose Service dialtree.service.choose]',
    );
    assert.equal(
      read(new TypeError('secret inner words')),
      'Internal error. See the log for details. [Show Log dialtree.service.showLog] [Report Issue… dialtree.issue.report]',
    );
  });
});
