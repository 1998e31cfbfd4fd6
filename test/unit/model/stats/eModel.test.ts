import assert from 'node:assert/strict';
import fc from 'fast-check';
import { delayImpairment, estimateQuality, mosOf } from '../../../../src/model/stats/eModel.ts';

const perfect = { oneWayDelayMs: 0, networkLoss: 0, concealment: true };
const near = (found: number, wanted: number, tolerance: number): void => {
  assert.ok(Math.abs(found - wanted) <= tolerance, `${found} is not within ${tolerance} of ${wanted}`);
};

describe('the E-model', () => {
  it('rates an undisturbed call with 93.2 and 4.41 (G.107, default values)', () => {
    const { r, mos, estimated } = estimateQuality(perfect);
    near(r, 93.2, 0.05);
    near(mos, 4.41, 0.005);
    assert.equal(estimated, true);
  });

  it('gives the opinion scores of G.107 Annex B and G.109', () => {
    for (const [r, mos] of [
      [90, 4.34],
      [80, 4.03],
      [70, 3.6],
      [60, 3.1],
      [50, 2.58],
    ] as const)
      near(mosOf(r), mos, 0.01);
    assert.deepEqual([-5, 0, 3, 100, 120].map(mosOf), [1, 1, 1, 4.5, 4.5]);
  });

  // R. G. Cole and J. H. Rosenbluth, "Voice over IP performance monitoring", CCR 31 (2001): Id = 0.024 d + 0.11 (d −
  // 177.3) beyond 177.3 ms, a fit to G.107.
  it("impairs by delay like Cole and Rosenbluth's fit", () => {
    for (const delay of [0, 20, 50, 100, 150, 200, 250, 300])
      near(delayImpairment(delay), 0.024 * delay + 0.11 * Math.max(0, delay - 177.3), 0.5);
  });

  // Ie of G.711 at random loss, measured, as listed in G.113 before its formula.
  it('impairs by loss as G.113 lists it', () => {
    for (const [percent, ie] of [
      [1, 5],
      [2, 7],
      [3, 10],
      [5, 15],
      [7, 20],
      [10, 25],
      [15, 35],
      [20, 45],
    ] as const) {
      near(estimateQuality(perfect).r - estimateQuality({ ...perfect, networkLoss: percent / 100 }).r, ie, 3);
    }
    for (const [percent, ie] of [
      [1, 25],
      [2, 35],
      [3, 45],
      [5, 55],
    ] as const)
      near(
        estimateQuality(perfect).r - estimateQuality({ ...perfect, networkLoss: percent / 100, concealment: false }).r,
        ie,
        8,
      );
  });

  it("adds the jitter buffer's losses to those of the network", () => {
    const { r } = estimateQuality({ ...perfect, networkLoss: 0.1, bufferLoss: 0.1 });
    near(r, estimateQuality({ ...perfect, networkLoss: 0.19 }).r, 1e-9);
  });

  it('never improves with delay or loss, and stays in its range', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.nat(1000), fc.nat(500), share, share, fc.boolean(), (delay, more, loss, late, concealment) => {
        const path = { oneWayDelayMs: delay, networkLoss: loss, concealment };
        const { r, mos } = estimateQuality(path);
        assert.ok(r >= 0 && r <= 93.4 && mos >= 1 && mos <= 4.5);
        assert.ok(estimateQuality({ ...path, oneWayDelayMs: delay + more }).r <= r + 0.2);
        assert.ok(estimateQuality({ ...path, bufferLoss: late }).r <= r + 1e-9);
      }),
    );
  });

  it('rejects impossible input', () => {
    for (const wrong of [{ oneWayDelayMs: -1 }, { networkLoss: 1.1 }, { bufferLoss: Number.NaN }])
      assert.throws(() => estimateQuality({ ...perfect, ...wrong }), RangeError);
  });
});
