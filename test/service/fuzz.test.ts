import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import * as z from 'zod';
import type { Operation } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/operations.ts';
import { undeclaredError } from '../support/declaredErrors.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly format?: string;
  readonly additionalProperties?: Schema | boolean;
}

const nasty = [
  '',
  ' ',
  '\u0000',
  '%00',
  '\u202e',
  '💥',
  '\ud800',
  "'; DROP TABLE workspaces; --",
  '../../etc/passwd',
  '{{7*7}}',
  '+12025550101',
  'sip:a@127.0.0.1:5070',
  '2026-01-01T00:00:00Z',
  'x'.repeat(9000),
  '-1',
  '1e999',
  'null',
  '__proto__',
];
const text = fc.oneof(
  fc.constantFrom(...nasty),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ maxLength: 20 }),
);

/** Values that match a JSON schema, nearly match it, or don't match it at all. */
function valueFor(schema: Schema, depth = 0): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 9, arbitrary: fitting(schema, depth) },
    { weight: 1, arbitrary: fc.oneof(text, fc.anything({ maxDepth: 2 })) },
  );
}

function fitting(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices && depth < 5) return fc.oneof(...choices.map((choice) => valueFor(choice, depth + 1)));
  switch (schema.type) {
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer({ min: -5, max: 2000 }), fc.double(), fc.constantFrom(0, -0, 1e308, 2 ** 53));
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(valueFor(schema.items ?? {}, depth + 1), { maxLength: 4 });
    case 'object':
      return fc
        .record(
          Object.fromEntries(
            Object.entries(schema.properties ?? {}).map(([name, member]) => [name, valueFor(member, depth + 1)]),
          ),
          { requiredKeys: fc.sample(fc.boolean(), 1)[0] === true ? [...(schema.required ?? [])] : [] },
        )
        .chain((members) => (schema.properties ? fc.constant(members) : fc.dictionary(text, text, { maxKeys: 3 })));
    case 'string':
      return schema.format === 'uuid'
        ? fc.oneof(fc.uuid(), fc.constantFrom(randomUUID(), '11111111-1111-4111-8111-111111111111'))
        : text;
    default:
      return fc.anything({ maxDepth: 2 });
  }
}

/** Values that JSON can't express become nothing. */
function textOf(value: unknown): string {
  const json = JSON.stringify(value) as string | undefined;
  return json ?? '';
}

const cases = 5200;

describe('service: hostile arguments', function () {
  const fixture = new ServiceFixture();
  after(() => fixture.close());

  it(`answers ${String(cases)} requests made from the schemas without an internal failure`, async () => {
    const service = await fixture.start({
      parts: {
        openDialer: () => Promise.reject(new Error('no calls here')),
        rateLimit: { take: () => Promise.resolve(0), takeVisit: () => Promise.resolve(0) },
      },
    });
    const rows = Object.entries<Operation>(operations).filter(([name]) => name !== 'startMapping');
    const each = Math.ceil(cases / (rows.length + rows.filter(([, { tool }]) => tool).length));
    const headers = { 'x-api-key': service.apiKey, 'content-type': 'application/json' };
    const wrong: string[] = [];
    let answered = 0;
    const look = async (what: string, response: Response): Promise<void> => {
      const body = await response.text();
      if (response.status !== 403 || body !== '') answered += 1;
      if (response.status >= 500 && !/"code":"sms_unavailable"/.test(body))
        wrong.push(`${what}: ${String(response.status)} ${body.slice(0, 200)}`);
      if (/(?:\\n|^)\s*at \S+ \(|node:internal|\.ts:\d+|\.js:\d+/m.test(body))
        wrong.push(`${what}: a stack trace: ${body.slice(0, 200)}`);
    };
    for (const [name, { input, rest, tool }] of rows) {
      const schema = z.toJSONSchema(input, { io: 'input' }) as Schema;
      for (const given of fc.sample(valueFor(schema), { numRuns: each, seed: 20261121 })) {
        const members = (typeof given === 'object' && given !== null ? given : { id: given }) as Readonly<
          Record<string, unknown>
        >;
        const path = rest.path.replaceAll(
          /\{(\w+)\}/g,
          (_place, member: string) =>
            encodeURIComponent(textOf(members[member]).slice(0, 300).toWellFormed().replaceAll('"', '')) || 'none',
        );
        const reading = rest.method === 'get' || rest.method === 'delete';
        const query = reading
          ? `?${new URLSearchParams(Object.entries(members).map(([member, value]): [string, string] => [member.toWellFormed(), typeof value === 'string' ? value.toWellFormed() : textOf(value)])).toString().slice(0, 6000)}`
          : '';
        const body = reading ? undefined : textOf(given);
        const asked = `${service.baseUrl}${path}${query}`;
        const told = await fetch(asked, {
          method: rest.method.toUpperCase(),
          headers,
          ...(body !== undefined && { body }),
        });
        const undeclared = undeclaredError(rest.method, asked, told.status);
        if (undeclared !== undefined) wrong.push(undeclared);
        await look(`${rest.method} ${path}${query} ${body ?? ''}`.slice(0, 300), told);
        if (!tool) continue;
        const message = JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name, arguments: given },
        });
        const response = await fetch(service.mcpUrl, {
          method: 'POST',
          headers: { ...headers, accept: 'application/json, text/event-stream' },
          body: message,
        });
        const reply = (await response
          .clone()
          .json()
          .catch(() => ({}))) as {
          result?: { isError?: boolean; structuredContent?: { status?: number; code?: string } };
        };
        if (
          reply.result?.isError === true &&
          (reply.result.structuredContent?.status ?? 0) >= 500 &&
          reply.result.structuredContent?.code !== 'sms_unavailable'
        )
          wrong.push(`tool ${name}: ${message.slice(0, 300)}`);
        await look(`tool ${name}`, response);
      }
    }
    assert.deepEqual(wrong.slice(0, 5), []);
    assert.ok(answered >= 5000, `${String(answered)} requests`);
    await service.client.call('getWorkspaceUsage', {});
  });
});
