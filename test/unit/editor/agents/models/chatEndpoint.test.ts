import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { request } from 'node:http';
import * as z from 'zod';
import { chatBounds, ChatEndpoint } from '../../../../../src/editor/agents/models/chatEndpoint.ts';
import type { OpenEndpoint } from '../../../../../src/editor/agents/models/chatEndpoint.ts';
import { ChatModelError } from '../../../../../src/editor/agents/models/chatModels.ts';
import type { ChatMessage, ChatModels } from '../../../../../src/editor/agents/models/chatModels.ts';
import { openAiCompatible } from '../../../../../src/language/model/openAiCompatible.ts';
import { ModelBudget } from '../../../../../src/language/model/modelBudget.ts';
import type { LanguageModel } from '../../../../../src/language/model/languageModel.ts';
import { FakeClock, recordingLogger, settle } from '../../fakes.ts';

const model = 'copilot/gpt-4.1';
const answerSchema = z.object({ verdict: z.enum(['pass', 'fail']), reason: z.string().max(100) }).strict();
const ask = {
  name: 'verdict',
  system: 'You are a judge.',
  parts: [
    { kind: 'text' as const, text: 'Was it told?' },
    { kind: 'data' as const, title: 'Transcript', text: 'we are open from nine' },
  ],
  schema: answerSchema,
};

/** An editor's models that answer what a test says. */
class FakeModels implements ChatModels {
  readonly asked: { id: string; messages: readonly ChatMessage[]; signal: AbortSignal }[] = [];
  allowed = true;
  answers: ((signal: AbortSignal) => AsyncIterable<string>)[] = [];

  list() {
    return Promise.resolve([]);
  }
  isAllowed() {
    return Promise.resolve(this.allowed);
  }
  async *ask(id: string, messages: readonly ChatMessage[], signal: AbortSignal): AsyncIterable<string> {
    this.asked.push({ id, messages, signal });
    const answer = this.answers.shift() ?? says('{"verdict":"pass","reason":"told"}');
    yield* answer(signal);
  }
}

const says = (...parts: string[]) =>
  async function* () {
    for (const part of parts) yield await Promise.resolve(part);
  };
const fails = (error: Error) =>
  async function* (): AsyncIterable<string> {
    yield await Promise.reject<string>(error);
  };
/** Continues until the reader stops. */
const waits = () =>
  async function* (signal: AbortSignal): AsyncIterable<string> {
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    yield 'too late';
  };

describe("the editor's models for the service", () => {
  let models: FakeModels, clock: FakeClock, endpoint: ChatEndpoint, open: OpenEndpoint, agreed: string | undefined;
  let log = recordingLogger();

  beforeEach(async () => {
    models = new FakeModels();
    clock = new FakeClock();
    log = recordingLogger();
    agreed = model;
    endpoint = new ChatEndpoint({ models, agreed: () => agreed, clock, log });
    open = await endpoint.open();
  });
  afterEach(() => endpoint.dispose());

  const service = (token = open.token, name = model): LanguageModel =>
    openAiCompatible({ baseUrl: open.url, model: name, apiKey: token });
  const post = (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${open.url}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${open.token}`, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const messageIn = async (response: Response): Promise<string> =>
    ((await response.json()) as { error: { message: string } }).error.message;
  const question = { model, messages: [{ role: 'user', content: 'hello' }] };

  it('answer the service in the form it requires, through its own adapter', async () => {
    models.answers = [says('{"verdict":', '"pass",', '"reason":"told"}')];
    assert.deepEqual(await service().ask(ask), { verdict: 'pass', reason: 'told' });
    const [asked] = models.asked;
    assert.deepEqual(
      [models.asked.length, asked?.id, asked?.messages.map(({ role }) => role)],
      [1, model, ['user', 'user']],
    );
    assert.match(
      asked?.messages[0]?.text ?? '',
      /^You are a judge\..*JSON Schema.*Answer with one JSON object and nothing else/s,
    );
    assert.match(asked?.messages[1]?.text ?? '', /Was it told\?.*we are open from nine/s);
  });

  it('strip text and fences around an object, and leave a repair to the service', async () => {
    models.answers = [says('Sure! Here it is:\n```json\n{"verdict":"fail","reason":"no"}\n```\nAnything else?')];
    assert.deepEqual(await service().ask(ask), { verdict: 'fail', reason: 'no' });
    models.answers = [says('I would say that it passed.'), says('{"verdict":"pass","reason":"told"}')];
    assert.deepEqual(await service().ask(ask), { verdict: 'pass', reason: 'told' });
    const repair = models.asked.at(-1)?.messages ?? [];
    assert.deepEqual(
      repair.map(({ role }) => role),
      ['user', 'user', 'assistant', 'user'],
    );
    assert.match(repair.at(-1)?.text ?? '', /no whole JSON object/);
  });

  it('count no tokens, so that the service estimates them for its budget', async () => {
    const budget = new ModelBudget({ tokens: 10_000, milliseconds: 60_000 });
    await service().ask({ ...ask, budget });
    assert.ok(budget.spent.tokens > 50);
  });

  it('end an endless answer, and say that it is truncated', async () => {
    let parts = 0;
    models.answers = [
      async function* () {
        for (;;) {
          parts += 1;
          yield await Promise.resolve('x'.repeat(100));
        }
      },
    ];
    const { choices } = (await (await post({ ...question, max_tokens: 50 })).json()) as {
      choices: [{ finish_reason: string; message: { content: string } }];
    };
    assert.deepEqual([choices[0].finish_reason, choices[0].message.content.length, parts], ['length', 400, 5]);
  });

  it("explain why the editor's model gives no answer, in a sentence that reaches the run", async () => {
    models.allowed = false;
    await assert.rejects(service().ask(ask), {
      code: 'model_refused',
      message: /copilot\/gpt-4\.1 at 127\.0\.0\.1:\d+ doesn't accept the request.*Choose Language Model/,
    });
    assert.deepEqual(models.asked, [], 'nobody is asked in the background');
    models.allowed = true;
    models.answers = [fails(new ChatModelError('blocked', 'The provider declines for now.'))];
    await assert.rejects(service().ask(ask), { code: 'model_refused', message: /The provider declines for now/ });
    models.answers = [fails(new ChatModelError('missing', 'The editor has no such model any more.'))];
    await assert.rejects(service().ask(ask), { code: 'model_refused', message: /no such model any more/ });
    models.answers = [fails(new TypeError('secret words of the question'))];
    const response = await post(question);
    assert.deepEqual(
      [response.status, await messageIn(response)],
      [500, 'Internal error. See the log in the editor for details.'],
    );
  });

  it("use no model that the person hasn't agreed to", async () => {
    await assert.rejects(service(open.token, 'copilot/other').ask(ask), { message: /hasn't agreed/ });
    agreed = undefined;
    await assert.rejects(service().ask(ask), { message: /hasn't agreed/ });
    assert.deepEqual(models.asked, []);
  });

  it('stop asking when the service has enough', async () => {
    models.answers = [waits()];
    const stop = new AbortController();
    const answer = service().ask({ ...ask, signal: stop.signal });
    while (models.asked.length === 0) await settle();
    stop.abort();
    await assert.rejects(answer, { name: 'AbortError' });
    const signal = models.asked[0]?.signal;
    if (signal?.aborted === false) await once(signal, 'abort');
  });

  it('give up an answer that takes too long, even from a model that ignores cancellation', async () => {
    models.answers = [
      async function* () {
        await new Promise(() => undefined);
        yield 'never';
      },
    ];
    const answer = post(question);
    while (models.asked.length === 0) await settle();
    clock.advance(chatBounds.answerMs);
    const response = await answer;
    assert.deepEqual([response.status, await messageIn(response)], [503, "The editor's model didn't answer in time."]);
    assert.equal(models.asked[0]?.signal.aborted, true);
    assert.equal((await post(question)).status, 200);
    assert.equal(clock.pending, 0);
  });

  it('limit the number of simultaneous questions', async () => {
    models.answers = Array.from({ length: chatBounds.atOnce }, waits);
    const stop = new AbortController();
    const waiting = Array.from({ length: chatBounds.atOnce }, () =>
      fetch(`${open.url}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${open.token}` },
        body: JSON.stringify(question),
        signal: stop.signal,
      }).catch(() => undefined),
    );
    while (models.asked.length < chatBounds.atOnce) await settle();
    const refused = await post(question);
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '1']);
    stop.abort();
    await Promise.all(waiting);
    for (const { signal } of models.asked) if (!signal.aborted) await once(signal, 'abort');
    await settle();
    assert.equal((await post(question)).status, 200);
  });

  describe('serve only the service of this start', () => {
    it('accept only the newest token', async () => {
      const before = open;
      open = await endpoint.open();
      assert.deepEqual([before.url, before.token === open.token], [open.url, false]);
      await assert.rejects(service(before.token).ask(ask), { code: 'model_unauthorized' });
      for (const authorization of ['', 'Bearer', 'Bearer x', `bearer${open.token}`, `Basic ${open.token}`])
        assert.equal((await post(question, { authorization })).status, 401, authorization);
      assert.equal((await post(question)).status, 200);
      assert.equal(open.token.length, 43);
    });

    it('listen on loopback, under their own address, and serve no web page', async () => {
      const { hostname, port } = new URL(open.url);
      assert.equal(hostname, '127.0.0.1');
      const asking = (
        headers: Record<string, string>,
        path = '/v1/chat/completions',
        method = 'POST',
      ): Promise<number | undefined> =>
        new Promise((resolve, reject) => {
          request(
            {
              host: hostname,
              port,
              path,
              method,
              headers: { authorization: `Bearer ${open.token}`, 'content-type': 'application/json', ...headers },
            },
            (response) => {
              response.resume();
              resolve(response.statusCode);
            },
          )
            .on('error', reject)
            .end(JSON.stringify(question));
        });
      assert.equal(await asking({}), 200);
      assert.equal(await asking({ host: `evil.example.com:${port}` }), 421);
      assert.equal(await asking({ host: `localhost:${port}` }), 421);
      assert.equal(await asking({ origin: `http://127.0.0.1:${port}` }), 403);
      assert.equal(await asking({}, '/v1/models'), 404);
      assert.equal(await asking({}, '//evil'), 404);
      assert.equal(await asking({}, '/v1/chat/completions', 'PUT'), 405);
    });

    it('reject invalid or oversized questions, and continue', async () => {
      for (const body of [
        '',
        '{',
        '[]',
        {},
        { model, messages: [] },
        { model, messages: [{ role: 'tool', content: 'x' }] },
        { ...question, stream: true },
        { ...question, max_tokens: -1 },
      ]) {
        assert.equal((await post(body)).status, 400, JSON.stringify(body));
      }
      const large = { model, messages: [{ role: 'user', content: 'x'.repeat(chatBounds.bodyBytes) }] };
      assert.equal((await post(large)).status, 413);
      assert.equal(models.asked.length, 0);
      assert.equal(
        (await post({ ...question, messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }] })).status,
        200,
      );
      assert.equal(models.asked[0]?.messages[0]?.text, 'hello');
    });

    it('stop reading an oversized body without a length', async () => {
      const { port } = new URL(open.url);
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => undefined);
      let answer = '';
      socket.on('data', (data: Buffer) => {
        answer += data.toString();
      });
      socket.write(
        `POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${open.token}\r\nTransfer-Encoding: chunked\r\n\r\n`,
      );
      const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
      for (let sent = 0; sent <= chatBounds.bodyBytes + 0x10000 && !socket.destroyed; sent += 0x10000)
        socket.write(chunk);
      await once(socket, 'close');
      assert.match(answer, /^HTTP\/1\.1 413/);
    });

    it('close with the window', async () => {
      endpoint.dispose();
      await assert.rejects(service().ask({ ...ask, timeoutMs: 5000 }), {
        code: 'model_unreachable',
        message: /isn't reachable/,
      });
      await assert.rejects(endpoint.open(), /closed/);
    });

    it('log nothing of a question, an answer or the token', async () => {
      models.answers = [fails(new TypeError('broken'))];
      await post({ model, messages: [{ role: 'user', content: 'what was said on the call' }] });
      assert.ok(log.lines.length > 0);
      for (const line of log.lines) assert.ok(!line.includes(open.token) && !line.includes('what was said'));
    });
  });
});
