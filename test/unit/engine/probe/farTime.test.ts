import assert from 'node:assert/strict';
import { whyNotNow, zoneOf } from '../../../../src/engine/probe/farTime.ts';
import { callProbe, ivrOf, probeOf } from './callProbe.ts';

const night = { from: '22:00', to: '06:00' };
const madrid = '+34912345678';

describe("the called side's time of day", () => {
  it("follows the number's country", () => {
    assert.deepEqual(
      [
        '+34912345678',
        '+34928123456',
        '+442079460000',
        '+35312345678',
        '+3545551234',
        '+12025550101',
        '+81312345678',
      ].map(zoneOf),
      [
        'Europe/Madrid',
        'Atlantic/Canary',
        'Europe/London',
        'Europe/Dublin',
        'Atlantic/Reykjavik',
        undefined,
        undefined,
      ],
    );
    const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
    assert.deepEqual(
      [zoneOf(undefined), zoneOf('sip:bank@127.0.0.1:5070')],
      [here, here],
      'a practice IVR keeps the time of this machine',
    );
  });

  it('can be in a window over midnight, and observes summer time', () => {
    assert.equal(whyNotNow(night, madrid, new Date('2026-01-15T02:00:00Z')), undefined);
    assert.equal(whyNotNow(night, madrid, new Date('2026-01-15T04:59:00Z')), undefined);
    assert.match(
      String(whyNotNow(night, madrid, new Date('2026-01-15T05:00:00Z'))),
      /^This probe can be judged only between 22:00 and 06:00 in the called side's local time \(Europe\/Madrid\)\. It was 06:00, so no call was placed\. Run the probe again/,
    );
    assert.match(String(whyNotNow(night, madrid, new Date('2026-07-15T04:30:00Z'))), /06:30/);
    assert.equal(whyNotNow({ from: '09:00', to: '17:00' }, madrid, new Date('2026-01-15T08:00:00Z')), undefined);
    assert.match(String(whyNotNow({ from: '09:00', to: '17:00' }, madrid, new Date('2026-01-15T16:00:00Z'))), /17:00/);
  });

  it("stays unknown if the number doesn't show it", () =>
    assert.match(
      String(whyNotNow(night, '+12025550101', new Date())),
      /The number doesn't show what the local time is, so no call was placed/,
    ));
});

describe('a probe limited to a time of day', () => {
  const probe = probeOf(
    [{ do: 'listen', id: 'greeting', seconds: 10 }],
    [{ kind: 'says', patterns: ['\\bwelcome\\b'] }],
    { localTime: night },
  );
  const ivr = ivrOf({ main: { prompt: 'Welcome.', end: 'dead-air' } });

  it("doesn't call at another time", async () => {
    const ended = await callProbe(probe, ivr, { phoneNumber: madrid, now: () => new Date('2026-01-15T12:00:00Z') });
    assert.deepEqual(
      [ended.outcome, ended.calls, ended.callSeconds, ended.steps[0]?.outcome],
      ['INCONCLUSIVE', 0, 0, 'INCONCLUSIVE'],
    );
    assert.match(ended.steps[0]?.reason ?? '', /between 22:00 and 06:00/);
  });

  it('calls within it', async () =>
    assert.deepEqual(
      (({ outcome, calls }) => [outcome, calls])(
        await callProbe(probe, ivr, { phoneNumber: madrid, now: () => new Date('2026-01-15T01:00:00Z') }),
      ),
      ['PASS', 1],
    ));
});
