import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fromLoadSchema } from '../../src/contract/loadPanel.ts';
import { hangUpMeaning, outcomeMeaning } from '../../webview/load/countWords.ts';
import { keyFiguresOf, noFigure } from '../../webview/load/keyFigures.ts';
import { millisecondsFigure, momentText, percentFigure, secondsFigure } from '../../webview/load/numbers.ts';
import { plannedSecondsOf } from '../../webview/load/plan.ts';
import { loadSummaryOf } from '../../webview/load/summary.ts';
import { eventsOf, marksOf } from '../../webview/load/timelineMarks.ts';
import { courseOf, timelineSentence } from '../../webview/load/words.ts';
import { bankStats, bankTimeline, endedTest, limitedTest, runningTest, stagedLoad } from './loadRecords.ts';

describe('figures', () => {
  it('have a number of digits that fits their size', () => {
    assert.deepEqual([0.0042, 0.0968, 0.412, 2.514, 12.44, 124.6].map(secondsFigure), [
      '0.004',
      '0.097',
      '0.41',
      '2.51',
      '12.4',
      '125',
    ]);
    assert.deepEqual([0, 0.42, 6.27, 128.4].map(millisecondsFigure), ['0.00', '0.42', '6.3', '128']);
    assert.deepEqual([momentText(9.6, 31), momentText(125, 300), momentText(3661, 4000)], ['10 s', '2:05', '61:01']);
  });

  it('show 100 and 0 percent only for all and nothing', () =>
    assert.deepEqual([0, 0.00001, 0.00165, 0.5, 0.986, 0.9996, 1].map(percentFigure), [
      '0',
      '< 0.01',
      '0.17',
      '50.0',
      '98.6',
      '99.9',
      '100',
    ]));

  it('of a running test are those of its progress, and absent before that', () => {
    assert.deepEqual(
      keyFiguresOf(runningTest(7).test).map(({ name, value }) => [name, value]),
      [
        ['Placed', '175'],
        ['Answered', '149'],
        ['Active', '149'],
        ['Failed', '1'],
      ],
    );
    assert.deepEqual(new Set(keyFiguresOf(runningTest(0).test).map(({ value }) => value)), new Set([noFigure]));
  });

  it('include the criteria', () => {
    const course = new Map(
      courseOf(
        endedTest({ callsPerSecond: 10, callSeconds: 30, replace: true, keys: [{ afterSeconds: 5, digits: '1,2' }] })
          .test,
      ),
    );
    assert.deepEqual(
      ['Simultaneous calls', 'Maximum', 'Length of each call', 'Ended calls', 'Keys', 'Length'].map((name) =>
        course.get(name),
      ),
      ['500', '10 per second', '30 s', 'replaced by new calls', '1,2 after 5 s', '32 s'],
    );
    assert.equal(new Map(courseOf(endedTest({ callsPerSecond: 50 }).test)).has('Maximum'), false);
  });
});

describe("a load test's plan", () => {
  it('includes further stages', () => {
    const stages = [
      { concurrency: 1200, rampSeconds: 5, holdSeconds: 90 },
      { concurrency: 1, rampSeconds: 0, holdSeconds: 60 },
    ];
    const test = { ...runningTest(7).test, concurrency: 500, rampSeconds: 20, holdSeconds: 10, stages };
    assert.equal(plannedSecondsOf(test), 20 + 10 + 14 + 90 + 60 + 1);
    assert.equal(
      new Map(courseOf(test)).get('Further stages'),
      '1,200 calls (ramp: 5 s, hold: 1 min 30 s); 1 call (ramp: none, hold: 1 min 00 s)',
    );
    assert.equal(keyFiguresOf(test)[0]?.note, 'of 1,200');
    assert.equal(keyFiguresOf({ ...test, replace: true })[0]?.note, 'up to 1,200 at a time');
  });
});

describe('outcomes and hang-ups', () => {
  it('have texts, even for unknown values', () => {
    assert.deepEqual(outcomeMeaning('rejected 503'), { words: 'Rejected, SIP 503 (service unavailable)', kind: 'bad' });
    assert.equal(outcomeMeaning('rejected 599').words, 'Rejected, SIP 599');
    assert.deepEqual(outcomeMeaning('busy Q.850 17'), { words: 'Busy, Q.850 17 (user busy)', kind: 'bad' });
    assert.deepEqual(outcomeMeaning('rejected 503 Q.850 34'), {
      words: 'Rejected, SIP 503 (service unavailable), Q.850 34 (no channel free)',
      kind: 'bad',
    });
    assert.deepEqual(hangUpMeaning('them Q.850 31'), {
      words: 'By the called side, Q.850 31 (normal, unspecified)',
      kind: 'neutral',
    });
    assert.equal(outcomeMeaning('constructor').words, 'constructor');
    assert.equal(hangUpMeaning('toString').words, 'toString');
  });
});

describe('the timeline', () => {
  it('has a one-sentence description', () => {
    assert.equal(timelineSentence([], true), 'Line chart. No data yet.');
    assert.equal(
      timelineSentence(bankTimeline.slice(0, 1), true),
      'Line chart. 1 second so far: 25 calls placed, 0 answered, 0 failed, 0 active at the peak.',
    );
  });
});

describe("the timeline's marks", () => {
  const labels = (marks: ReturnType<typeof marksOf>): string[] =>
    marks.map(({ second, kind, text }) => `${String(second)} ${kind} ${text}`);

  it('name the ramp and the hold, or the stages', () => {
    assert.deepEqual(labels(marksOf(endedTest().test)), ['0 stage Ramp', '20 stage Hold']);
    assert.deepEqual(marksOf(endedTest({ rampSeconds: 0, concurrency: 10 }).test), []);
    assert.deepEqual(labels(marksOf(stagedLoad().test)), [
      '0 stage Stage 1: 200 calls',
      '10 stage Stage 2: 500 calls',
      '17 broken Not met: Set-up success, Packet loss',
      '18 rate Rate halved',
      '20 rate Rate halved',
      '25 stage Stage 3: 50 calls',
    ]);
  });

  it('leave out criteria that are met again or were never measured', () => {
    const { stats = bankStats } = stagedLoad().test;
    const text = 'Loss';
    const criteria = [
      { name: 'maxLoss', limit: 0.01, value: 0, met: true, text },
      { name: 'minMos', limit: 4, met: false, text },
    ] as const;
    const test = endedTest({ stats: { ...stats, verdict: { outcome: 'inconclusive', criteria: [...criteria] } } }).test;
    assert.ok(marksOf(test).every(({ kind }) => kind !== 'broken'));
  });

  it('stand in the table at their second, or at the next one that it has', () => {
    const even = bankTimeline.filter(({ second }) => second % 2 === 0);
    const events = eventsOf(even, marksOf(stagedLoad().test));
    assert.deepEqual(
      [...events].map(([{ second }, text]) => `${String(second)}: ${text}`),
      [
        '2: 0 s: Stage 1: 200 calls',
        '10: Stage 2: 500 calls',
        '18: 17 s: Not met: Set-up success, Packet loss; Rate halved',
        '20: Rate halved',
        '26: 25 s: Stage 3: 50 calls',
      ],
    );
    const early = eventsOf(bankTimeline.slice(0, 12), marksOf(stagedLoad().test));
    assert.deepEqual(
      [...early].map(([{ second }]) => second),
      [1, 10, 12],
      'what was found at the end is at the last second, and stages that did not begin are left out',
    );
  });
});

describe('the summary', () => {
  it('makes a message that the editor accepts, one line per item, with any words', () => {
    const text = loadSummaryOf({
      ...endedTest({
        reason: 'a\n# b | c',
        stats: {
          ...limitedTest().test.stats!,
          outcomes: { 'x\n## y': 1 },
          warnings: Array.from({ length: 3 }, () => 'w'.repeat(9000)),
        },
      }),
      name: 'a\n# b',
    });
    fromLoadSchema.parse({ type: 'copy', text });
    assert.deepEqual(text.match(/^#+ .*$/gm), ['### Load test: a # b']);
    assert.match(text, /\| Estimated MOS, median \| 3\.71 \|/);
  });
});
