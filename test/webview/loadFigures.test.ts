import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fromLoadSchema } from '../../src/contract/loadPanel.ts';
import { hangUpMeaning, outcomeMeaning } from '../../webview/load/countWords.ts';
import { keyFiguresOf, noFigure } from '../../webview/load/keyFigures.ts';
import { millisecondsFigure, momentText, percentFigure, secondsFigure } from '../../webview/load/numbers.ts';
import { plannedSecondsOf, stagesOf } from '../../webview/load/plan.ts';
import { roundTicks, scaleOf, secondTicks, spread } from '../../webview/load/scale.ts';
import { placeMarks } from '../../webview/load/markPlaces.ts';
import { summaryOf } from '../../webview/load/summary.ts';
import { eventsOf, marksOf } from '../../webview/load/timelineMarks.ts';
import { timelineShape } from '../../webview/load/timelineShape.ts';
import { courseOf, timelineSentence } from '../../webview/load/words.ts';
import { bankStats, bankTimeline, endedTest, limitedTest, runningTest, stagedLoad } from './loadRecords.ts';

const frame = { width: 800, seconds: 31, calls: 0, marks: [] };

describe('scales', () => {
  it('map 0 to one end and the maximum to the other, also inverted and empty', () => {
    assert.deepEqual([0, 5, 10].map(scaleOf(10, 100, 0)), [100, 50, 0]);
    assert.equal(scaleOf(0, 7, 9)(0), 7);
  });

  it('have round numbers, the last at or above the maximum', () => {
    assert.deepEqual(roundTicks(500, 5, true), [0, 100, 200, 300, 400, 500]);
    assert.deepEqual(roundTicks(1.74, 4, false), [0, 0.5, 1, 1.5, 2]);
    assert.deepEqual(roundTicks(0.0034, 4, false), [0, 0.001, 0.002, 0.003, 0.004]);
    assert.deepEqual(roundTicks(0.3, 3, false), [0, 0.1, 0.2, 0.3]);
    assert.deepEqual(roundTicks(2, 5, true), [0, 1, 2]);
    assert.deepEqual(roundTicks(0, 5, true), [0, 1]);
    for (const most of [0.007, 0.99, 1, 3, 99, 101, 2000, 123_456]) {
      const ticks = roundTicks(most, 4, false);
      assert.ok((ticks.at(-1) ?? 0) >= most && (ticks.at(-2) ?? 0) < most && ticks.length <= 6, String(most));
    }
  });

  it('have familiar time steps', () => {
    assert.deepEqual(secondTicks(31, 8), [0, 5, 10, 15, 20, 25, 30]);
    assert.deepEqual(secondTicks(150, 5), [0, 30, 60, 90, 120, 150]);
    assert.deepEqual(secondTicks(1, 8), [0, 1]);
    for (const most of [1, 7, 61, 601, 4200, 90_000]) assert.ok(secondTicks(most, 4).length <= 5, String(most));
  });

  it('spread overlapping items, in order and within bounds', () => {
    assert.deepEqual(spread([10, 12, 200], 15, 0, 220), [10, 25, 200]);
    assert.deepEqual(spread([218, 216, 219], 15, 0, 220), [205, 190, 220]);
    assert.deepEqual(spread([0, 0], 15, 20, 220), [20, 35]);
    assert.deepEqual(spread([], 15, 0, 10), []);
  });
});

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
  it('stretches a ramp that is too steep', () => {
    const asked = { concurrency: 501, rampSeconds: 0, holdSeconds: 10 };
    const rampEndOf = (test: Parameters<typeof stagesOf>[0]): number => stagesOf(test)[0].rampEndsAt;
    assert.equal(rampEndOf(asked), 10);
    assert.equal(plannedSecondsOf(asked), 21);
    assert.equal(rampEndOf({ ...asked, callsPerSecond: 5 }), 100);
    assert.equal(rampEndOf({ ...asked, rampSeconds: 60 }), 60);
  });

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

describe("the timeline's shape", () => {
  it('begins at T0, ends at the last point, and stays within its frame', () => {
    const { lines, left, right, top, bottom, yOf, area } = timelineShape(bankTimeline, frame);
    const placed = lines.find(({ series }) => series === 'placed');
    assert.ok(placed?.path.startsWith(`M${String(left)} ${String(bottom)}L`));
    assert.deepEqual(placed?.end, { x: right, y: top });
    assert.equal(yOf(500), top);
    assert.ok(area.endsWith('Z'));
    const labels = lines.map(({ labelY }) => labelY ?? Number.NaN).sort((a, b) => a - b);
    labels.forEach((label, index) =>
      assert.ok(label >= top && label <= bottom && (index === 0 || label - (labels[index - 1] ?? 0) >= 15)),
    );
  });

  it('selects the point nearest to the pointer', () => {
    const { nearest, xOf } = timelineShape(bankTimeline, frame);
    assert.deepEqual([0, xOf(1), xOf(9.6), xOf(31), 5000].map(nearest), [0, 0, 9, 30, 30]);
    assert.equal(timelineShape([], frame).nearest(5), -1);
  });

  it('stays valid with one point or none, if it is narrow, and without a ramp', () => {
    const first = bankTimeline.slice(0, 1);
    for (const points of [[], first]) {
      for (const width of [1, 200, 3000]) {
        const shape = timelineShape(points, { width, seconds: 0, calls: 0, marks: marksOf(endedTest().test) });
        assert.ok(shape.right > shape.left);
        assert.doesNotMatch(JSON.stringify(shape), /null|NaN/);
      }
    }
    assert.equal(timelineShape(bankTimeline, { ...frame, width: 300 }).lines[0]?.labelY, undefined);
  });

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

  it('have labels that fit: to the right, to the left, shorter, or none', () => {
    const mark = (second: number, ...texts: string[]) => ({ second, kind: 'stage', labels: texts, text: '' }) as const;
    const labelsAt = (scale: number, ...marks: ReturnType<typeof mark>[]): (string | undefined)[] =>
      placeMarks(marks, (second) => second * scale, { left: 0, right: 100 * scale }).map(
        ({ label }) => label && `${label.text}, ${label.anchor}`,
      );
    const [first, second] = [mark(0, 'Stage 1: 5 calls', 'Stage 1'), mark(95, 'Stage 2: 9 calls', 'Stage 2')];
    assert.deepEqual(labelsAt(3, first, second), ['Stage 1: 5 calls, start', 'Stage 2: 9 calls, end']);
    assert.deepEqual(labelsAt(2, first, second), ['Stage 1: 5 calls, start', 'Stage 2, end']);
    assert.deepEqual(labelsAt(1, first, second), ['Stage 1, start', undefined]);
    assert.deepEqual(labelsAt(1, first, mark(10, 'Stage 2')), [undefined, 'Stage 2, start']);
  });

  it('never have labels that touch another label, or reach beyond the chart', () => {
    for (const width of [200, 320, 480, 640, 900, 1400]) {
      const { marks } = timelineShape(bankTimeline, { ...frame, width, marks: marksOf(stagedLoad().test) });
      for (const row of new Set(marks.map(({ labelY }) => labelY))) {
        const spans = marks
          .filter(({ label, labelY }) => label && labelY === row)
          .map(({ label }) => {
            const [at, length] = [label?.x ?? 0, 6.4 * (label?.text.length ?? 0)];
            return label?.anchor === 'end' ? [at - length, at] : [at, at + length];
          });
        spans.forEach(([from = 0, to = 0], index) =>
          assert.ok(from >= (spans[index - 1]?.[1] ?? 0) && to <= width, `${String(width)}: ${spans.join(' | ')}`),
        );
      }
    }
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
    const text = summaryOf({
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
