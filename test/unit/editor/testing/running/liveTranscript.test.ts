import assert from 'node:assert/strict';
import type { RunResults, Turn } from '../../../../../src/contract/testRuns.ts';
import { LiveTranscript } from '../../../../../src/editor/testing/running/liveTranscript.ts';
import { english } from '../../fakes.ts';
import { results, step } from '../fakeRuns.ts';

describe('LiveTranscript', () => {
  const welcome = { speaker: 'them', text: 'Welcome.', startMs: 400 } as const;
  const late = { speaker: 'them', text: 'You have reached accounts.', startMs: 15_700 } as const;
  const keys = { speaker: 'us', text: '[keys 1]', startMs: 17_800 } as const;
  /** Returns the new lines without colours. */
  const linesOf = (transcript: LiveTranscript, run: Partial<RunResults>): string[] =>
    transcript
      .next(results(1, run))
      .replaceAll(/\p{Cc}\[\d+m/gu, '')
      .split('\r\n')
      .filter((line) => line !== '');

  it('shows each turn once, also words that became text after a later turn', () => {
    const transcript = new LiveTranscript(english);
    const running = (...turns: readonly Turn[]): Partial<RunResults> => ({ status: 'running', transcript: [...turns] });
    const answer = { speaker: 'them', text: 'Thank you.', startMs: 19_000 } as const;
    assert.deepEqual(linesOf(transcript, running(welcome, keys)), [' 0:00.4  ← Welcome.']);
    assert.deepEqual(linesOf(transcript, running(welcome, late, keys)), [' 0:15.7  ← You have reached accounts.']);
    assert.deepEqual(linesOf(transcript, running(welcome, late, keys)), []);
    assert.deepEqual(linesOf(transcript, running(welcome, late, keys, answer)), [
      ' 0:17.8  → [keys 1]',
      ' 0:19.0  ← Thank you.',
    ]);
  });

  it('shows what was done last at the end of a step or of the run', () => {
    const pressed = step('Accounts', { startMs: 17_800, endMs: 21_000 });
    const run = { transcript: [welcome, keys], steps: [pressed] };
    for (const status of ['running', 'completed'] as const)
      assert.deepEqual(linesOf(new LiveTranscript(english), { ...run, status, outcome: undefined }), [
        ' 0:00.4  ← Welcome.',
        ' 0:17.8  → [keys 1]',
        '         ✔ 1 Accounts',
      ]);
    assert.deepEqual(linesOf(new LiveTranscript(english), { transcript: [keys], outcome: undefined }), [
      ' 0:17.8  → [keys 1]',
    ]);
  });

  it('shows how much of its words a step heard, how much it needs, and the words that differ if it passed', () => {
    const steps = [
      step('Pension', {
        similarity: 0.857,
        passThreshold: 0.8,
        expectedTranscript: 'You have opened your pension, press 1.',
        transcript: 'You have opened your balance, press 1.',
      }),
      step('Older', { similarity: 1 }),
      step('Menu', { outcome: 'FAIL', similarity: 0.57, passThreshold: 0.8, reason: 'Unexpected words were heard.' }),
    ];
    assert.deepEqual(linesOf(new LiveTranscript(english), { outcome: undefined, status: 'running', steps }), [
      '         ✔ 1 Pension 86% match, 80% needed: “pension,” → “balance,”',
      '         ✔ 2 Older 100% match',
      '         ✘ 3 Menu 57% match, 80% needed: Unexpected words were heard.',
    ]);
  });

  it('shows a step that a cancelled run broke off as cancelled, not as failed', () => {
    const transcript = new LiveTranscript(english);
    const reason = 'Cancelled. What was heard is kept.';
    const steps = [
      step('Greeting'),
      step('Accounts', { outcome: 'ERROR', reason }),
      step('End', { outcome: 'INCONCLUSIVE' }),
    ];
    assert.deepEqual(linesOf(transcript, { status: 'running', outcome: undefined, steps }), ['         ✔ 1 Greeting']);
    assert.deepEqual(linesOf(transcript, { outcome: 'ERROR', endedBy: 'cancel', reason, steps }), [
      `         ○ 2 Accounts: ${reason}`,
      '         ○ 3 End',
      `         cancelled: ${reason}`,
    ]);
  });
});
