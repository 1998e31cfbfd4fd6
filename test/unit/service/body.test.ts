import assert from 'node:assert/strict';
import { parseJson, readBodyText } from '../../../src/service/http/body.ts';

const posted = (body: ReadableStream<Uint8Array> | string): Request =>
  new Request('http://127.0.0.1/', { method: 'POST', body, duplex: 'half' });
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("a request's body", () => {
  it('can come in chunks, with a character split between two', async () => {
    const [head, tail] = [bytes('£').subarray(0, 1), bytes('£').subarray(1)];
    assert.equal(
      await readBodyText(
        posted(
          new ReadableStream({
            start(controller) {
              controller.enqueue(bytes('1 '));
              controller.enqueue(head);
              controller.enqueue(tail);
              controller.close();
            },
          }),
        ),
      ),
      '1 £',
    );
    assert.equal(await readBodyText(new Request('http://127.0.0.1/')), '');
    assert.equal(await readBodyText(posted('1234'), 4), '1234');
  });

  it('stops at its limit, without a wait for its copy', async () => {
    let pulled = 0;
    const endless = posted(
      new ReadableStream({
        pull(controller) {
          pulled += 1;
          controller.enqueue(bytes('x'.repeat(100)));
        },
      }),
    );
    await assert.rejects(readBodyText(endless.clone(), 1000), { status: 413, code: 'body_too_large' });
    assert.ok(pulled < 20, String(pulled));
  });

  it('fails if it is nested deeper than any request, whatever its strings contain', () => {
    const nested = (levels: number): string => `${'['.repeat(levels)}"\\"[{"${']'.repeat(levels)}`;
    assert.deepEqual(parseJson('{"a":[{"b":"}]\\\\"}]}'), { a: [{ b: '}]\\' }] });
    assert.doesNotThrow(() => parseJson(nested(100)));
    for (const levels of [101, 400_000])
      assert.throws(() => parseJson(nested(levels)), { status: 400, code: 'invalid_request' });
  });

  it('blames the sender if it breaks off', async () => {
    const broken = posted(
      new ReadableStream({
        start(controller) {
          controller.enqueue(bytes('{'));
          controller.error(new Error('aborted'));
        },
      }),
    );
    await assert.rejects(readBodyText(broken), { status: 400, code: 'body_incomplete' });
  });
});
