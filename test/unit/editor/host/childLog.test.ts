import assert from 'node:assert/strict';
import { errorOf } from '../../../../src/client/errors.ts';
import { HumanError } from '../../../../src/contract/errors.ts';
import { readLogLine } from '../../../../src/editor/host/childLog.ts';
import { describeCause } from '../../../../src/editor/basics/log/logger.ts';

const read = (line: unknown): string => {
  const { level, text } = readLogLine('service', typeof line === 'string' ? line : JSON.stringify(line));
  return `${level} ${text}`;
};

describe('the log of a child process', () => {
  it('consists of sentences with their fields, each at its level', () => {
    assert.equal(
      read({ level: 30, time: 1, pid: 7, msg: 'listening', port: 4711 }),
      'info [service] listening (port=4711)',
    );
    assert.equal(
      read({ level: 40, msg: 'a run was abandoned', runId: 'r1', attempts: 2 }),
      'warn [service] a run was abandoned (runId=r1, attempts=2)',
    );
    assert.equal(read({ level: 20, msg: 'fine' }), 'debug [service] fine');
    assert.equal(read({ level: 60 }), 'error [service] ');
  });

  it('shows errors with their causes', () => {
    const err = {
      type: 'Error',
      message: 'no',
      stack: 'Error: no\n    at open (a.js:1:1)',
      cause: { type: 'RangeError', message: 'why' },
    };
    assert.equal(
      read({ level: 50, msg: 'request failed', requestId: 'q', err }),
      'error [service] request failed (requestId=q)\nError: no\n    at open (a.js:1:1)\nCaused by: RangeError: why',
    );
  });

  it('passes other lines unchanged', () => {
    for (const line of ['The disk is full.', '{"level":"x"}', '{not json', '[1]', ''])
      assert.equal(read(line), `info [service] ${line}`);
  });
});

describe('an error in the log', () => {
  it("keeps the words of a full message, with the service's code", () => {
    assert.equal(
      describeCause(new HumanError('Choose a service.', { status: 400, code: 'service_url' })),
      'Choose a service. (400, service_url)',
    );
    assert.equal(
      describeCause(errorOf(409, { message: 'It runs already.', code: 'running', requestId: 'req_1' }, undefined)),
      'It runs already. (409, running, req_1)',
    );
  });

  it('shows its place if it has no useful message, and its causes in any case', () => {
    assert.match(
      describeCause(new HumanError('No.', { cause: new TypeError('inner') })),
      /^No\. \(500\)\nCaused by: TypeError: inner\n {4}at /,
    );
    assert.equal(describeCause('gone'), 'gone');
  });
});
