import assert from 'node:assert/strict';
import { Inbox } from '../../../../src/engine/hearing/inbox.ts';
import { listen } from '../../../../src/engine/hearing/listen.ts';
import type { ActiveCall, ActiveCallEvent } from '../../../../src/engine/call/activeCall.ts';
import { patience } from '../../../../src/engine/hearing/patience.ts';
import { VirtualClock } from '../../../support/virtualClock.ts';
import { hangUp, ScriptedLine, speech, words } from './scriptedLine.ts';

const menu = words('For sales, press 1.', 500, 2000);

describe('engine: listening until a policy ends it', () => {
  it('asks after each event and when the answer changes, and not in between', async () => {
    const line = new ScriptedLine(menu);
    const text = await listen(line, 0, (heard) => heard.text !== '' && heard.isQuiet(5000) && heard.text);
    assert.deepEqual([text, line.nowMs, line.waits], ['For sales, press 1.', 7000, 4]);
  });

  it('ends at the earliest time of several', async () => {
    const line = new ScriptedLine([]);
    const over = await listen(line, 0, (heard) =>
      heard.isPast(3000) ? 'past' : heard.isHeardUntil(2500) ? 'heard' : heard.isQuiet(2750) && 'quiet',
    );
    assert.deepEqual([over, line.nowMs, line.waits], ['heard', 2500, 1]);
  });

  it('waits while the called side speaks, or while speech can still become text', async () => {
    const speaking = new ScriptedLine([[500, { type: 'speechStart', atMs: 500 }], hangUp(60_000)]);
    const quietAt = (line: ScriptedLine): Promise<number> =>
      listen(line, 0, (heard) => (heard.hasEnded || heard.isQuiet(700)) && line.nowMs);
    assert.equal(await quietAt(speaking), 60_000);
    assert.equal(await quietAt(new ScriptedLine(speech(500, 2000))), 2000 + patience.text.lost);
    assert.equal(await quietAt(new ScriptedLine(menu)), 2900);
  });

  it('settles at the pause before the called side continued', async () => {
    const line = new ScriptedLine([...menu, [4000, { type: 'speechStart', atMs: 4000 }], hangUp(60_000)]);
    assert.equal(await listen(line, 0, (heard) => heard.isSettled(2000) && line.nowMs), 4000);
  });

  it('asks again if recognition is behind the call', async () => {
    const line = new ScriptedLine([], 1000);
    await listen(line, 0, (heard) => heard.isQuiet(2000) || heard.isPast(9000));
    assert.equal(line.nowMs, 3000);
  });

  it('counts what was said from a given time', async () => {
    const line = new ScriptedLine([...menu, ...words('For help, press 2.', 4000, 5000)]);
    const text = await listen(line, 3000, (heard) => heard.spoke && heard.isQuiet(700) && heard.text);
    assert.equal(text, 'For help, press 2.');
  });

  it('asks again immediately if something happened while a slow policy read the log', async () => {
    const line = new ScriptedLine(menu);
    const text = await listen(line, 0, async (heard) => {
      await Promise.resolve();
      line.passUntil(3000);
      return heard.isQuiet(60_000) ? 'late' : heard.text !== '' && heard.text;
    });
    assert.deepEqual([text, line.nowMs, line.waits], ['For sales, press 1.', 3000, 0]);
  });

  it('continues if the policy says so, and rejects if the call is given up', async () => {
    const line = new ScriptedLine([]);
    const next = (timeoutMs: number): Promise<void> =>
      line.waits === 3 ? Promise.reject(new Error('Cancelled.')) : line.next(timeoutMs);
    await assert.rejects(
      listen({ log: line.log, next }, 0, () => undefined),
      /Cancelled/,
    );
    assert.equal(line.nowMs, 3 * patience.longestPrompt);
  });

  it('stops waiting for an event as soon as the run is cancelled', async () => {
    const clock = new VirtualClock();
    const run = new AbortController();
    const inbox = new Inbox({ listen: () => () => undefined } as unknown as ActiveCall, clock, run.signal);
    clock.setTimeout(() => run.abort('Cancelled.'), 300);
    const event: ActiveCallEvent | undefined = await clock.run(inbox.next(60_000));
    assert.deepEqual([event, clock.now()], [undefined, 300]);
    inbox.close();
  });
});
