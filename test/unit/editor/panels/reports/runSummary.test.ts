import assert from 'node:assert/strict';
import { runSummary } from '../../../../../src/editor/panels/reports/runSummary.ts';
import { english } from '../../fakes.ts';
import { missionRun, results, step } from '../../testing/fakeRuns.ts';

describe('runSummary', () => {
  const summary = (run: Parameters<typeof results>[1], mission?: ReturnType<typeof missionRun>): string =>
    runSummary(
      {
        type: 'snapshot',
        name: 'Balance *1*',
        hasFile: true,
        acceptable: [],
        history: [],
        run: results(7, run),
        ...(mission && { mission }),
      },
      { moment: () => 'today' },
      english,
    );

  it('gives the end of the call, and what each failed step heard', () =>
    assert.equal(
      summary({
        outcome: 'FAIL',
        hangUp: { by: 'them', sentence: 'The called side hung up.' },
        steps: [
          step('Greeting', { transcript: 'Welcome' }),
          step('Menu', { outcome: 'FAIL', reason: 'Other words.', expectedTranscript: 'A', transcript: '# B\nC' }),
          step('End', { outcome: 'INCONCLUSIVE', reason: 'Not reached.' }),
        ],
      }),
      [
        '**Balance \\*1\\*** (failed, Bank, today)',
        '',
        'The called side hung up\\.',
        '',
        '1. Greeting: passed',
        '2. Menu: failed. Other words\\.',
        '   - Expected: A',
        '   - Heard: \\# B C',
        '3. End: not reached',
        '',
      ].join('\n'),
    ));

  it('gives the reasons for the verdict of a mission, each once', () => {
    const told = { passReasoning: 'It was told.', judgeReasoning: 'It was told.' };
    assert.equal(
      summary({ runType: 'mission', steps: [step('us')] }, missionRun(7, told)),
      '**Balance \\*1\\*** (passed, Bank, today)\n\nIt was told\\.\n',
    );
  });
});
