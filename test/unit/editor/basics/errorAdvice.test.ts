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
const inUse = "This workspace has 2 runs in progress, its tier's maximum. Wait for one to end.";
const unreachable = new ConnectionError('Cannot be reached.', { preFlight: true });
const said = 'What the service says.';
const setLimits = `${said} [Set Budgets and Retention… dialtree.workspace.setLimits]`;
const chooseService = '[Choose Service dialtree.service.choose]';

describe('advice on errors', () => {
  for (const [what, error, advice, mode] of [
    [
      'offers more minutes if none are left',
      answered(402, 'capacity_exhausted'),
      `${said} [Open Account Page dialtree.workspace.openAccount]`,
    ],
    ['offers a claim link for more minutes', unclaimed, 'None left. [Get Claim Link dialtree.workspace.getClaimLink]'],
    ["leads to the workspace's own budget", answered(402, 'budget_exceeded'), setLimits],
    ["leads to the workspace's own forbidden keys", answered(403, 'forbidden_key'), setLimits],
    [
      'asks for a fitting key',
      answered(401, 'unauthorized'),
      `${said} [Set API Key dialtree.key.set] ${chooseService}`,
    ],
    [
      'leads a person without a key to the account page',
      new HumanError('A key is needed.', { status: 401, code: 'key_required' }),
      'A key is needed. [Set API Key dialtree.key.set] [Open Account Page dialtree.workspace.openAccount]',
    ],
    ['asks for a key with the missing scope', answered(403, 'missing_scope'), `${said} [Set API Key dialtree.key.set]`],
    ['recognises the rate limit by an empty 403', answered(403), /Wait a minute, then try again\.$/],
    ['recognises the rate limit by an empty 429', answered(429), /Wait a minute, then try again\.$/],
    ['adds nothing to a request for consent', answered(403, 'consent_required'), said],
    ['adds nothing to a forbidden number', answered(403, 'forbidden_number'), said],
    [
      'leads from a number without a route to the dial plan',
      answered(400, 'no_route'),
      `${said} [Add Line… dialtree.line.add] [Open Settings dialtree.telephony.routes]`,
    ],
    ['leaves the dial plan of a remote service', answered(400, 'no_route'), `${said} ${chooseService}`, 'remote'],
    [
      'leads from a line without its password to its setting',
      answered(409, 'line_password'),
      `${said} [Set Line Password dialtree.line.setPassword]`,
    ],
    [
      'offers to add an unknown line, or to restart the service for a line that it does not know yet',
      answered(404, 'line_unknown'),
      `${said} [Add Line… dialtree.line.add] [Restart Service dialtree.service.restart]`,
    ],
    ['leaves the lines of a remote service', answered(409, 'line_password'), `${said} ${chooseService}`, 'remote'],
    [
      'says to wait for a run at the ceiling, like the service',
      answered(429, 'concurrency_ceiling', inUse),
      `${inUse} [Open Account Page dialtree.workspace.openAccount]`,
    ],
    [
      'tries an unreachable remote service again',
      unreachable,
      `Cannot be reached. [Try Again dialtree.service.restart] ${chooseService}`,
      'remote',
    ],
    [
      'restarts an unreachable embedded service',
      unreachable,
      /^Cannot be reached\. \[Restart Service .*\] \[Show Log /,
    ],
    [
      'restarts a service that crashes',
      new HumanError('It crashes.', { code: 'crash_loop' }),
      /^It crashes\. \[Restart Service .*\] \[Show Log /,
    ],
    [
      'asks for a missing address',
      new HumanError('No address.', { status: 400, code: 'service_url' }),
      `No address. ${chooseService}`,
    ],
    [
      'offers only the log for an unknown error',
      new TypeError('secret inner words'),
      'Internal error. See the log for details. [Show Log dialtree.service.showLog] [Report Issue… dialtree.issue.report]',
    ],
  ] as [string, Error, string | RegExp, 'remote'?][]) {
    it(what, () => {
      if (typeof advice === 'string') assert.equal(read(error, mode), advice);
      else assert.match(read(error, mode), advice);
    });
  }
});
