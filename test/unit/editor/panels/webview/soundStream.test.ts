import assert from 'node:assert/strict';
import { ConflictError, ConnectionError, RateLimitError } from '../../../../../src/client/errors.ts';
import type { SoundMessage } from '../../../../../src/contract/handPanel.ts';
import { EventStream } from '../../../../../src/engine/eventStream.ts';
import { SoundStream } from '../../../../../src/editor/panels/webview/soundStream.ts';
import { english, recordingLogger, settle, uuid } from '../../fakes.ts';

/** A page that can listen until `page` aborts, and the call that it hears, unless the service refuses. */
function listener(refusal?: Error) {
  const [page, posted, calls] = [new AbortController(), [] as SoundMessage[], [] as AbortSignal[]];
  const heard = new EventStream<Int16Array<ArrayBuffer>>();
  const client = {
    async *sound(_runId: string, signal: AbortSignal) {
      calls.push(signal);
      if (refusal) throw refusal;
      yield* heard;
    },
  };
  const parts = { client, l10n: english, log: recordingLogger() };
  const stream = new SoundStream(uuid(7), (message) => posted.push(message), parts);
  const listen = (on: boolean): Promise<void> => stream.listen(on, page.signal);
  const say = async (...samples: number[]): Promise<void> => {
    heard.push(Int16Array.from(samples));
    await settle();
  };
  return { page, posted, calls, heard, listen, say, isOpen: () => calls.some(({ aborted }) => !aborted) };
}

describe('SoundStream', () => {
  it('reaches each page that listens, until it listens no more or ends', async () => {
    const [one, other] = [listener(), listener()];
    assert.equal(one.calls.length, 0, 'nothing is streamed before a page asks');
    for (const page of [one, other]) {
      void page.listen(true);
      await page.say(1, 2);
      assert.deepEqual(page.posted, [{ type: 'sound', pcm: Int16Array.of(1, 2) }]);
    }
    await one.listen(false);
    await one.say(3);
    assert.deepEqual([one.posted.length, one.isOpen(), other.isOpen()], [1, false, true]);
    other.page.abort();
    await other.say(3);
    assert.deepEqual([other.posted.length, other.isOpen()], [1, false]);
  });

  it('ends with the call, and says why if the service refuses or is lost', async () => {
    const over = listener();
    void over.listen(true);
    over.heard.close();
    await settle();
    assert.deepEqual(over.posted, [{ type: 'sound' }]);
    const reasons = [
      [new ConflictError('x', { status: 409 }), 'This run has no call to listen to at the moment.'],
      [new RateLimitError('x', { status: 429 }), 'Too many pages listen. Turn off Listen on another page.'],
      [new ConnectionError('Lost.', { preFlight: false }), 'Lost.'],
    ] as const;
    for (const [refusal, error] of reasons) {
      const refused = listener(refusal);
      await refused.listen(true);
      assert.deepEqual(refused.posted, [{ type: 'sound', error }]);
    }
  });
});
