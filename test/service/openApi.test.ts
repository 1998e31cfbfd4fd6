import assert from 'node:assert/strict';
import type { Operation } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/operations.ts';
import { openApiDocument } from '../../src/service/http/openApi.ts';
import { listed } from '../support/listed.ts';

interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema: { readonly $ref?: string } }>>;
}
interface Document {
  readonly openapi: string;
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly operationId: string; readonly responses: Readonly<Record<string, Response>> }>>
    >
  >;
  readonly components: { readonly responses: Readonly<Record<string, Response>> };
}
describe('service: the OpenAPI document', () => {
  const document = openApiDocument('http://127.0.0.1:8021/v1') as unknown as Document;

  it('lists every operation and its errors, each with the schema of an error', () => {
    const statusesOf = ({ rest }: Operation): string[] =>
      Object.keys(document.paths[rest.path]?.[rest.method]?.responses ?? {});
    for (const [name, operation] of Object.entries<Operation>(operations)) {
      for (const status of operation.scope === 'open' ? ['400', '401', '429'] : ['400', '401', '403', '429'])
        assert.ok(statusesOf(operation).includes(status), `${name} ${status}`);
    }
    assert.deepEqual(statusesOf(operations.startMapping), listed('202 400 401 402 403 404 409 429 default'));
    assert.deepEqual(statusesOf(operations.getMapping), listed('200 400 401 403 404 429 default'));
    assert.equal(document.openapi, '3.1.0');
    for (const [name, { rest }] of Object.entries<Operation>(operations))
      assert.equal(document.paths[rest.path]?.[rest.method]?.operationId, name);
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const { operationId, responses } of Object.values(methods)) {
        for (const [status, { $ref = '' }] of Object.entries(responses).filter(([code]) => !code.startsWith('2'))) {
          const response = document.components.responses[$ref.replace('#/components/responses/', '')];
          assert.equal(
            response?.content?.['application/json']?.schema.$ref,
            '#/components/schemas/Error',
            `${path} ${operationId} ${status}`,
          );
        }
      }
    }
  });
});
