import assert from 'node:assert/strict';
import { CallLog } from '../../../../src/engine/hearing/callLog.ts';
import type { Talk, TalkEvent } from '../../../../src/engine/call/talk.ts';
import { ManualClock } from '../../../support/manualClock.ts';

describe('engine: the log of a call', () => {
  it('takes in all that was told at once before it says how long it has been quiet', async () => {
    const listeners = new Set<(event: TalkEvent) => void>();
    let heardMs = 0;
    const tell = (...events: TalkEvent[]): void => {
      for (const event of events) for (const listener of listeners) listener(event);
    };
    const talk = {
      now: () => heardMs,
      heardMs: () => heardMs,
      listen: (listener: (event: TalkEvent) => void) => {
        listeners.add(listener);
        return () => {
          listeners.delete(listener);
        };
      },
    } as unknown as Talk;
    const log = new CallLog(talk, new ManualClock(), () => undefined);
    heardMs = 3300;
    tell(
      { type: 'speechStart', atMs: 100 },
      { type: 'speechPause', atMs: 3000 },
      {
        type: 'utterance',
        utterance: { startMs: 100, endMs: 3000, text: 'For sales, press 1.', rawText: '', words: [] },
      },
    );
    await log.next(0);
    assert.deepEqual([log.heardSince(0).text, log.quietMs(0)], ['For sales, press 1.', 300]);
    // Two seconds come together: the next sentence began in them.
    heardMs = 5300;
    tell({ type: 'sound', sound: 'silence', sinceMs: 3000, atMs: 3300 }, { type: 'speechStart', atMs: 3400 });
    assert.equal(log.quietMs(0), 0);
    log.close();
    assert.equal(listeners.size, 0);
  });
});
