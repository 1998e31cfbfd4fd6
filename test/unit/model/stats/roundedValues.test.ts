import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RoundedValues } from '../../../../src/model/stats/roundedValues.ts';

function rounded(values: Iterable<number>, digits = 0): RoundedValues {
  const all = new RoundedValues(digits);
  for (const value of values) all.add(value);
  return all;
}
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

describe('percentiles', () => {
  it('use nearest ranks', () => {
    assert.deepEqual(rounded([50, 15, 40, 20, 35]).percentiles(), { p50: 35, p95: 50, p99: 50 });
    assert.deepEqual(rounded(upTo(200)).percentiles(), { p50: 100, p95: 190, p99: 198 });
    assert.deepEqual(rounded(upTo(20)).ranked([0.95]), [19]);
    assert.deepEqual(rounded([50, 15, 40, 20, 35]).ranked([0, 0.3, 0.4, 1]), [15, 20, 20, 50]);
  });

  it('return rounded values, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1 }), (values) => {
        const { p50, p95, p99 } = rounded(values).percentiles()!;
        for (const value of [p50, p95, p99]) assert.ok(values.includes(value));
        assert.ok(p50 <= p95 && p95 <= p99);
        assert.ok(values.filter((value) => value <= p95).length >= 0.95 * values.length - 1e-9);
      }),
    );
    assert.deepEqual(rounded([0.1234, 0.1236, 0.1238], 3).percentiles(), { p50: 0.124, p95: 0.124, p99: 0.124 });
  });

  it('require values, and numbers', () => {
    assert.equal(rounded([]).percentiles(), undefined);
    assert.throws(() => rounded([1, Number.NaN]), RangeError);
    assert.throws(() => rounded([1]).ranked([95]), RangeError);
  });
});
