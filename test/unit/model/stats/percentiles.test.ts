import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { percentile, percentiles } from '../../../../src/model/stats/percentiles.ts';

describe('percentiles', () => {
  it('are nearest ranks', () => {
    assert.deepEqual(percentiles([50, 15, 40, 20, 35]), { p50: 35, p95: 50, p99: 50 });
    assert.deepEqual(percentiles(Array.from({ length: 200 }, (_, index) => index + 1)), {
      p50: 100,
      p95: 190,
      p99: 198,
    });
    assert.equal(
      percentile(
        Array.from({ length: 20 }, (_, index) => index + 1),
        0.95,
      ),
      19,
    );
    assert.deepEqual(
      [0, 0.3, 0.4, 1].map((share) => percentile([15, 20, 35, 40, 50], share)),
      [15, 20, 20, 50],
    );
  });

  it('are measured values, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1 }), (values) => {
        const { p50, p95, p99 } = percentiles(values)!;
        for (const value of [p50, p95, p99]) assert.ok(values.includes(value));
        assert.ok(p50 <= p95 && p95 <= p99);
        assert.ok(values.filter((value) => value <= p95).length >= 0.95 * values.length - 1e-9);
      }),
    );
  });

  it('require values, and numbers', () => {
    assert.equal(percentiles([]), undefined);
    assert.throws(() => percentiles([1, Number.NaN]), RangeError);
    assert.throws(() => percentile([1], 95), RangeError);
  });
});
