import assert from 'node:assert/strict';
import * as z from 'zod';
import { anthropic } from '../../../../src/language/model/anthropic.ts';
import type { Ask, LanguageModel } from '../../../../src/language/model/languageModel.ts';
import type { Clock } from '../../../../src/base/clock.ts';
import { ModelError } from '../../../../src/language/model/modelError.ts';
import type { ModelErrorKind } from '../../../../src/language/model/modelError.ts';
import { openAiCompatible } from '../../../../src/language/model/openAiCompatible.ts';
import { startChatServer } from '../../../support/chatServer.ts';
import type { ChatReply, ChatServer } from '../../../support/chatServer.ts';
import { waitingClock } from './waits.ts';

const apiKey = 'sk-test-5f0c1d2e3b4a';
const schema = z.object({ verdict: z.enum(['pass', 'fail']), reason: z.string().min(3) });
const question: Ask<z.output<typeof schema>> = {
  name: 'weather',
  system: 'Judge.',
  parts: [
    { kind: 'text', text: 'Did it work?' },
    { kind: 'data', title: 'Transcript', text: 'hello' },
  ],
  schema,
};
const good = { verdict: 'pass', reason: 'it worked' };

interface Adapter {
  readonly title: string;
  readonly path: string;
  readonly make: (url: string, clock?: Clock) => LanguageModel;
}

const adapters: readonly Adapter[] = [
  {
    title: 'openAiCompatible',
    path: '/v1/chat/completions',
    make: (baseUrl, clock) => openAiCompatible({ baseUrl, model: 'loopback', apiKey, ...(clock ? { clock } : {}) }),
  },
  {
    title: 'anthropic',
    path: '/v1/messages',
    make: (baseUrl, clock) => anthropic({ baseUrl, model: 'claude-test', apiKey, ...(clock ? { clock } : {}) }),
  },
];

const openServers: ChatServer[] = [];
const serve = async (...replies: ChatReply[]): Promise<ChatServer> => {
  const server = await startChatServer(replies);
  openServers.push(server);
  return server;
};

/**
 * Returns an ask's error, and asserts that no part of it contains a key, an address with its path, or text of the
 * question.
 */
async function failing(ask: Promise<unknown>, kind: ModelErrorKind): Promise<ModelError> {
  const error: unknown = await ask.then(
    () => assert.fail('it answered'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ModelError, String(error));
  assert.equal(error.kind, kind, error.message);
  const everything = JSON.stringify([error.message, error.cause, Object.values(error), String(error.stack)]);
  for (const secret of [apiKey, 'Did it work', '/v1/', 'u:pw'])
    assert.ok(!everything.includes(secret), `${secret} is in ${everything}`);
  return error;
}

for (const { title, path, make } of adapters) {
  describe(`${title} over HTTP`, () => {
    afterEach(async () => {
      await Promise.all(openServers.splice(0).map((server) => server.close()));
    });

    it('sends key, schema, question and marked data, and returns the validated object', async () => {
      const server = await serve({ answer: good });
      assert.deepEqual(await make(server.url).ask({ ...question, tokens: 321 }), good);
      const [request] = server.requests;
      assert.ok(request);
      assert.equal(request.path, path);
      assert.equal(
        path.endsWith('messages') ? request.headers['x-api-key'] : request.headers.authorization,
        path.endsWith('messages') ? apiKey : `Bearer ${apiKey}`,
      );
      assert.equal(request.body.max_tokens, 321);
      const sent = JSON.stringify(request.body);
      assert.match(sent, /<data-[0-9a-f]{24}>\\nhello\\n<\/data-/);
      assert.match(sent, /"verdict":\{/);
      assert.doesNotMatch(
        JSON.stringify(request.body.response_format ?? request.body.output_config ?? request.body.tools),
        /minLength/,
      );
    });

    it('shows the model its mistake once, and accepts the corrected answer', async () => {
      const server = await serve({ answer: 'I think it passed.' }, { answer: good });
      assert.deepEqual(await make(server.url).ask(question), good);
      assert.match(JSON.stringify(server.requests[1]?.body.messages), /I think it passed\..*held no whole JSON object/);
    });

    it("names the field that doesn't fit", async () => {
      const server = await serve({ answer: { verdict: 'perhaps', reason: 'x' } }, { answer: good });
      await make(server.url).ask(question);
      assert.match(JSON.stringify(server.requests[1]?.body.messages), /verdict: .*reason: /);
    });

    it("reports nonsense after the second invalid answer, and doesn't ask a third time", async () => {
      const server = await serve({ answer: 'no' });
      await failing(make(server.url).ask(question), 'nonsense');
      assert.equal(server.requests.length, 2);
    });

    it('asks for a shorter answer after a truncated one', async () => {
      const server = await serve({ answer: '{"verdict":"pa', ended: 'cut' }, { answer: good });
      await make(server.url).ask(question);
      assert.match(JSON.stringify(server.requests[1]?.body.messages), /cut off/);
    });

    it("reports a filtered answer as refused, and doesn't ask again", async () => {
      const server = await serve({ answer: good, ended: 'filtered' });
      await failing(make(server.url).ask(question), 'refused');
      assert.equal(server.requests.length, 1);
    });

    it('reports a refusal in words as refused', async () => {
      const server = await serve({ refusal: 'I cannot help with that.' });
      await failing(make(server.url).ask(question), 'refused');
    });

    it('reports 401 and 403 as unauthorized, even if the endpoint repeats the key', async () => {
      for (const status of [401, 403]) {
        const server = await serve({
          status,
          message: `Incorrect API key provided: ${apiKey}. Ask https://u:pw@host.example/keys?k=${apiKey}`,
        });
        const error = await failing(make(server.url).ask(question), 'unauthorized');
        assert.match(error.message, /Set a valid key/);
        assert.equal(server.requests.length, 1);
      }
    });

    it('waits as long as Retry-After says, and then succeeds', async () => {
      const server = await serve({ status: 429, headers: { 'retry-after': '7' } }, { answer: good });
      const clock = waitingClock(50_000);
      assert.deepEqual(await make(server.url, clock).ask(question), good);
      assert.deepEqual(clock.waits, [7000]);
    });

    it("doesn't wait beyond its time limit: 429 is then refused and says when to retry", async () => {
      const server = await serve({ status: 429, headers: { 'retry-after': '3600' } });
      const error = await failing(make(server.url, waitingClock(50_000)).ask(question), 'refused');
      assert.equal(error.retryAfterSeconds, 3600);
      assert.equal(server.requests.length, 1);
    });

    it('retries 500 twice with growing waits, and then reports unreachable', async () => {
      const server = await serve({ status: 500, raw: '<html>oops' });
      const clock = waitingClock(50_000);
      await failing(make(server.url, clock).ask(question), 'unreachable');
      assert.deepEqual([server.requests.length, clock.waits], [3, [500, 1000]]);
    });

    it('names the model after a 404, and asks for the address', async () => {
      const server = await serve({ status: 404, message: 'no such model' });
      assert.match(
        (await failing(make(server.url).ask(question), 'refused')).message,
        /Check the model's name.*no such model/,
      );
    });

    it('reports garbage and a web page as nonsense', async () => {
      for (const raw of ['{"choices": [', '<!doctype html><title>Hello</title>', '{"answer": 42}', '[]', 'null']) {
        const server = await serve({ raw });
        await failing(make(server.url).ask(question), 'nonsense');
      }
    });

    it('retries a broken connection, and then reports unreachable', async () => {
      for (const broken of ['body', 'head'] as const) {
        const server = await serve({ broken });
        await failing(make(server.url, waitingClock(50_000)).ask(question), 'unreachable');
        assert.equal(server.requests.length, 3);
      }
    });

    it('reports unreachable if nothing listens', async () => {
      const server = await serve({ answer: good });
      await server.close();
      openServers.length = 0;
      assert.match(
        (await failing(make(server.url, waitingClock(50_000)).ask(question), 'unreachable')).message,
        /nothing listens there/,
      );
    });

    it('gives up a silent endpoint at its time limit, and closes the connection', async () => {
      const server = await serve({ silent: true });
      await failing(make(server.url).ask({ ...question, timeoutMs: 60 }), 'timedOut');
      await server.givenUp;
    });

    it('ends immediately with the reason of an abort, and closes the connection', async () => {
      const abort = new AbortController();
      const server = await startChatServer((_, index) => {
        if (index === 0) setImmediate(() => abort.abort(new Error('stopped')));
        return { silent: true };
      });
      openServers.push(server);
      await assert.rejects(make(server.url).ask({ ...question, signal: abort.signal }), /^Error: stopped$/);
      await server.givenUp;
    });

    it("follows no redirect, so the key isn't forwarded", async () => {
      const elsewhere = await serve({ answer: good });
      const server = await serve({ status: 307, headers: { location: `${elsewhere.url}${path.slice(3)}` } });
      await failing(make(server.url).ask(question), 'refused');
      assert.equal(elsewhere.requests.length, 0);
    });

    it('limits the size of a body', async () => {
      const server = await serve({ raw: `{"a":"${'x'.repeat(6_000_000)}"}` });
      await failing(make(server.url, waitingClock(50_000)).ask(question), 'unreachable');
    });

    it('counts an answer without usage, too', async () => {
      const server = await serve({ answer: good, usage: 'none' });
      assert.deepEqual(await make(server.url).ask(question), good);
    });
  });
}

describe('openAiCompatible, at an endpoint with fewer features', () => {
  afterEach(async () => {
    await Promise.all(openServers.splice(0).map((server) => server.close()));
  });

  it('learns the request format from refusals, and remembers it', async () => {
    const server = await startChatServer(({ body }) => {
      if ('max_tokens' in body)
        return { status: 400, message: 'Unsupported parameter: max_tokens. Use max_completion_tokens instead.' };
      if ('temperature' in body) return { status: 400, message: 'temperature does not support 0 with this model' };
      if (body.response_format?.type === 'json_schema')
        return { status: 400, message: 'response_format json_schema is not supported' };
      if (body.response_format) return { status: 422, message: 'unknown field response_format' };
      return { answer: '```json\n{"verdict":"pass","reason":"it worked"}\n```' };
    });
    openServers.push(server);
    const model = openAiCompatible({ baseUrl: server.url, model: 'small' });
    assert.deepEqual(await model.ask({ ...question, temperature: 0, tokens: 77 }), good);
    assert.equal(server.requests.length, 5);
    await model.ask({ ...question, temperature: 0, tokens: 77 });
    assert.equal(server.requests.length, 6);
    assert.equal(server.requests[5]?.body.max_completion_tokens, 77);
    assert.equal(server.requests[5]?.headers.authorization, undefined);
  });

  it('reports another refusal of the request, with its sentence', async () => {
    const server = await serve({ status: 400, message: 'context length exceeded' });
    const error = await failing(
      openAiCompatible({ baseUrl: server.url, model: 'small', apiKey }).ask(question),
      'refused',
    );
    assert.match(error.message, /context length exceeded/);
  });

  it("sends the address's query, and accepts an address with the whole path", async () => {
    const server = await serve({ answer: good });
    await openAiCompatible({ baseUrl: `${server.url}/chat/completions?api-version=2025-01-01`, model: 'small' }).ask(
      question,
    );
    assert.equal(server.requests[0]?.path, '/v1/chat/completions?api-version=2025-01-01');
  });

  it('rejects an address that is invalid or contains a password, without repeating it', () => {
    for (const baseUrl of [
      '',
      'api.openai.com',
      'file:///etc/passwd',
      'https://user:hunter2@example.com/v1',
      'javascript:alert(1)',
    ]) {
      assert.throws(
        () => openAiCompatible({ baseUrl, model: 'm' }),
        (error) => error instanceof ModelError && error.kind === 'refused' && !error.message.includes('hunter2'),
      );
    }
  });
});

describe('anthropic, without a key', () => {
  it('fails as unauthorized before it sends anything', async () => {
    const server = await startChatServer([{ answer: good }]);
    try {
      await failing(anthropic({ baseUrl: server.url, model: 'claude-test' }).ask(question), 'unauthorized');
      assert.equal(server.requests.length, 0);
    } finally {
      await server.close();
    }
  });
});
