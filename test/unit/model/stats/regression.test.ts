import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compareRates, flakiness, runsToTell, type Passes, wilson } from '../../../../src/model/stats/regression.ts';

const passes = fc
  .tuple(fc.nat(60), fc.nat(60))
  .map(([a, b]): Passes => ({ passed: Math.min(a, b), of: Math.max(a, b) }));
const near = (found: number, wanted: number): void => {
  assert.ok(Math.abs(found - wanted) < 5e-5, `${found} is not ${wanted}`);
};

describe('the Wilson interval', () => {
  // Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998), table I,
  // method 3.
  for (const [passed, of, low, high] of [
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ] as const) {
    it(`of ${passed} of ${of} matches the published one`, () => {
      const interval = wilson(passed, of);
      near(interval.low, low);
      near(interval.high, high);
    });
  }

  it('contains the share, and mirrors the interval of the failures', () =>
    fc.assert(
      fc.property(
        passes.filter(({ of }) => of > 0),
        ({ passed, of }) => {
          const { low, high } = wilson(passed, of);
          assert.ok(low >= 0 && low <= passed / of && passed / of <= high && high <= 1);
          near(wilson(of - passed, of).low, 1 - high);
        },
      ),
    ));

  it('covers everything if nothing ran, and rejects invalid counts', () => {
    assert.deepEqual(wilson(0, 0), { low: 0, high: 1 });
    for (const [passed, of] of [
      [2, 1],
      [-1, 3],
      [0.5, 1],
    ] as const)
      assert.throws(() => wilson(passed, of), RangeError);
  });
});

describe('a pass rate against its baseline', () => {
  // Newcombe, Statistics in Medicine 17 (1998), 873–890, table II, method 10.
  for (const [a, m, b, n, low, high] of [
    [56, 70, 48, 80, 0.0524, 0.3339],
    [9, 10, 3, 10, 0.1705, 0.809],
    [6, 7, 2, 7, 0.0582, 0.8062],
    [5, 56, 0, 29, -0.0381, 0.1926],
    [0, 10, 0, 20, -0.1611, 0.2775],
    [10, 10, 0, 20, 0.6791, 1],
    [10, 10, 0, 10, 0.6075, 1],
  ] as const) {
    it(`${b} of ${n} after ${a} of ${m} has the published interval`, () => {
      const { interval } = compareRates({ passed: a, of: m }, { passed: b, of: n });
      near(-interval.high, low);
      near(-interval.low, high);
    });
  }

  for (const [before, now, change] of [
    [[3, 3], [0, 3], 'regressed'],
    [[1, 1], [0, 3], 'regressed'],
    [[20, 20], [14, 20], 'regressed'],
    [[20, 20], [18, 20], 'same'],
    [[1, 1], [0, 1], 'unclear'],
    [[1, 1], [1, 1], 'same'],
    [[0, 3], [3, 3], 'improved'],
    [[0, 5], [0, 5], 'same'],
    [[10, 20], [9, 20], 'same'],
    [[0, 0], [0, 5], 'same'],
    [[20, 20], [0, 0], 'unclear'],
  ] as const) {
    it(`${now.join(' of ')} after ${before.join(' of ')}: ${change}`, () =>
      assert.equal(compareRates({ passed: before[0], of: before[1] }, { passed: now[0], of: now[1] }).change, change));
  }

  it("hasn't regressed against itself, nor with more passes", () =>
    fc.assert(
      fc.property(passes, passes, (before, now) => {
        assert.equal(compareRates(before, before).change, 'same');
        if (now.of > 0 && before.of > 0 && now.passed / now.of >= before.passed / before.of)
          assert.ok(['same', 'improved'].includes(compareRates(before, now).change));
      }),
    ));

  it('says how many failing runs would show a regression', () => {
    assert.equal(runsToTell({ passed: 1, of: 1 }), 3);
    assert.equal(runsToTell({ passed: 20, of: 20 }), 1);
    assert.equal(runsToTell({ passed: 0, of: 5 }), undefined);
    assert.equal(compareRates({ passed: 1, of: 1 }, { passed: 0, of: 2 }).change, 'unclear');
  });
});

describe('flakiness', () => {
  it('distinguishes steady tests from flaky ones', () => {
    const states = [
      [0, 0],
      [1, 1],
      [0, 1],
      [5, 5],
      [0, 5],
      [3, 5],
    ].map(([passed, of]) => flakiness({ passed: passed!, of: of! }).state);
    assert.deepEqual(states, ['not run', 'once', 'once', 'steady pass', 'steady fail', 'flaky']);
  });
});
