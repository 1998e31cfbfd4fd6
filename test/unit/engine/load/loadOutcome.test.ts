import assert from 'node:assert/strict';
import type { LoadCallRecord } from '../../../../src/engine/load/loadCaller.ts';
import { hangUpOf, isFailure, loadOutcomeOf } from '../../../../src/engine/load/loadOutcome.ts';
import type { CallEnd } from '../../../../src/telephony/call.ts';

const end = (kind: CallEnd['kind'], by: CallEnd['by'] = 'remote', rest: Partial<CallEnd> = {}): CallEnd => ({
  kind,
  by,
  reason: '',
  ...rest,
});

type Ending = Pick<LoadCallRecord, 'answeredAt' | 'end' | 'letGo'> & { readonly endedAt?: number };

const cases: readonly (readonly [name: string, record: Ending, failed: boolean])[] = [
  ['busy', { end: end('busy', 'remote', { status: 486 }), letGo: false }, true],
  ['busy Q.850 17', { end: end('busy', 'remote', { status: 486, q850: 17 }), letGo: false }, true],
  ['rejected 503 Q.850 34', { end: end('rejected', 'remote', { status: 503, q850: 34 }), letGo: false }, true],
  ['rejected 603', { end: end('rejected', 'remote', { status: 603 }), letGo: false }, true],
  ['noAnswer', { end: end('noAnswer', 'local'), letGo: false }, true],
  ['unreachable', { end: end('unreachable', 'network'), letGo: false }, true],
  ['notPlaced', { end: end('unreachable', 'local'), letGo: false }, true],
  // Still busy, although we were about to give up.
  ['busy', { end: end('busy', 'remote', { status: 486 }), letGo: true }, true],
  ['cancelled', { end: end('cancelled', 'local'), letGo: true }, false],
  ['cancelled', { end: end('cancelled', 'local'), letGo: true, endedAt: 9_999 }, false],
  // We cancelled it after it had had enough time.
  ['noAnswer', { end: end('cancelled', 'local'), letGo: true, endedAt: 10_000 }, true],
  ['answered', { answeredAt: 1, end: end('hangup', 'remote'), letGo: false }, false],
  ['answered', { answeredAt: 1, end: end('mediaTimeout', 'network'), letGo: false }, true],
];

describe('the outcome of a load call', () => {
  for (const [name, ending, failed] of cases) {
    const record = { placedAt: 0, endedAt: 1000, ...ending };
    it(`counts as ${name}${failed ? ', a failure' : ''} (${record.end.kind} by ${record.end.by} after ${String(record.endedAt)} ms${record.letGo ? ', let go' : ''})`, () => {
      assert.equal(loadOutcomeOf(record), name);
      assert.equal(isFailure(record), failed);
    });
  }

  it('says which side hung up', () => {
    const ends = [
      end('hangup', 'local'),
      end('hangup'),
      end('hangup', 'remote', { q850: 31 }),
      end('mediaTimeout', 'network'),
    ];
    assert.deepEqual(ends.map(hangUpOf), ['us', 'them', 'them Q.850 31', 'mediaTimeout']);
  });
});
