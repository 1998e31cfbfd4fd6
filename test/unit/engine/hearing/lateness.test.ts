import assert from 'node:assert/strict';
import { Lateness } from '../../../../src/engine/hearing/lateness.ts';

describe("engine: this machine's lateness", () => {
  it("doesn't excuse anything while an IVR would still wait", () => {
    const lateness = new Lateness();
    assert.equal(lateness.excuse, undefined);
    lateness.behind(3500);
    assert.equal(lateness.excuse, undefined);
  });

  it('excuses a late action, and states the worst lateness of the call', () => {
    const lateness = new Lateness();
    lateness.behind(5340);
    lateness.behind(200);
    assert.match(String(lateness.excuse), /speech recognition was up to 5\.3 s late/);
  });
});
