import assert from 'node:assert/strict';
import type { LineState } from '../../../../src/contract/lines.ts';
import { lineRow, wrongRow } from '../../../../src/editor/lines/lineRows.ts';
import { english } from '../fakes.ts';

const words = { l10n: english, moment: (iso: string): string => iso.slice(11, 16) };
const state: LineState = {
  name: 'main',
  kind: 'trunk',
  address: 'trunk.example.com',
  numbers: ['+1*'],
  login: 'set',
  callsNow: 0,
};
const check = {
  at: '2026-03-01T12:34:00.000Z',
  state: 'ok',
  message: 'It is *there*.',
  roundTripMs: 12,
  status: 200,
} as const;
const row = (values: Partial<LineState> = {}, isOwn = true, isBusy = false, waits = false) =>
  lineRow({ name: 'main', state: { ...state, ...values }, isOwn, isBusy, waits }, words);

describe('the rows of lines', () => {
  it('show where a line leads, its capacity, and its current calls', () => {
    assert.equal(row().description, 'trunk.example.com');
    assert.equal(row({ lastCheck: check, callsNow: 1 }).description, 'trunk.example.com · 12 ms · 1 call in progress');
    assert.equal(row({ callsNow: 3 }).description, 'trunk.example.com · 3 calls in progress');
  });

  it('show the state with an icon, and in words for screen readers', () => {
    assert.deepEqual(
      [
        row().icon?.id,
        row({ lastCheck: check }).icon?.id,
        row({ lastCheck: { ...check, state: 'warning' } }).icon?.id,
        row({ lastCheck: { ...check, state: 'failed' } }).icon?.id,
        row({ login: 'missing', lastCheck: check }).icon?.id,
        row({}, true, true).icon?.id,
      ],
      ['plug', 'pass', 'warning', 'error', 'key', 'sync~spin'],
    );
    assert.equal(row({ lastCheck: check }).accessibilityLabel, 'main, SIP trunk, trunk.example.com · 12 ms, works');
    assert.match(row({ login: 'missing' }).accessibilityLabel ?? '', /password missing/);
  });

  it('show all settings and the last result, and escape Markdown in them', () => {
    const { tooltip = '' } = row({
      callerId: '+1',
      callsPerSecond: 2,
      concurrentCalls: 5,
      ringSeconds: 45,
      costPerMinute: 0.1,
      numbers: Array.from({ length: 12 }, (_, index) => `+${String(index)}*`),
      lastCheck: check,
    });
    for (const part of [
      /Serves .*\\\+7\\\*, …/,
      /Calls come from/,
      /calls per second: 2/,
      /simultaneous calls: 5/,
      /ring for up to 45 s/,
      /per minute/,
      /12:34: It is \\\*there\\\*\\\./,
    ])
      assert.match(tooltip, part);
  });

  it('say that a line waits for the restart of the service, and offer it', () => {
    const { description, tooltip, icon, contextValue } = row({ login: 'none' }, true, false, true);
    assert.equal(description, 'not in use yet · trunk.example.com');
    assert.match(tooltip ?? '', /when the runs in progress end.*Restart Service/);
    assert.deepEqual([icon?.id, contextValue], ['history', 'line own waiting']);
  });

  it('offer the actions that apply', () => {
    assert.deepEqual(
      [row().contextValue, row({ login: 'none' }).contextValue, row({}, false).contextValue],
      ['line own login', 'line own', 'line login'],
    );
    assert.equal(row().command, 'dialtree.line.check');
    const wrong = wrongRow({ name: 'x', problem: 'host: missing' }, words);
    assert.deepEqual(
      [wrong.contextValue, wrong.command, wrong.description],
      ['wrong own', 'dialtree.line.showInSettings', 'not a valid line'],
    );
  });
});
