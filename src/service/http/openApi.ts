import type * as z from 'zod';
import { operations } from '../../contract/operations.ts';
import { errorsOf, returnsSecret, type Operation } from '../../contract/operation.ts';
import { httpErrorSchema } from './errors.ts';
import { interfaceSchema, type Json } from './jsonSchema.ts';
import { serverVersion } from '../basics/version.ts';

/** Returns the OpenAPI 3.1 document of the REST side. Its schemas are JSON Schema 2020-12 from the contract. */
export function openApiDocument(baseUrl: string): Json {
  const paths: Record<string, Json> = {};
  const definitions: Json = {};
  for (const [name, operation] of Object.entries<Operation>(operations)) {
    (paths[operation.rest.path] ??= {})[operation.rest.method] = describe(name, operation, definitions);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Dialtree',
      version: serverVersion,
      description: 'Maps the menu trees (IVR) of phone numbers by calling them, and tests them.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    security: [{ apiKey: [] }, { bearer: [] }],
    paths: { ...paths, ...furtherPaths },
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
      schemas: { Error: schemaOf(httpErrorSchema, 'output'), ...definitions },
      parameters: {
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
          description:
            'A unique name for this request, such as a UUID. If you send the request again with the same name within a day, you get the first response, and nothing is done twice.',
        },
      },
      responses: {
        Error: errorResponse('What happened and what to do'),
        ...Object.fromEntries(Object.values(errors).map(({ name, description }) => [name, errorResponse(description)])),
      },
    },
  };
}

const errorResponse = (description: string): Json => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
});

/** The errors of operations, each with its name in the document's responses. */
const errors: Readonly<
  Record<ReturnType<typeof errorsOf>[number], { readonly name: string; readonly description: string }>
> = {
  400: { name: 'BadRequest', description: 'Some arguments are wrong; details lists which ones and why' },
  401: { name: 'Unauthorized', description: 'The API key is missing, wrong or revoked' },
  402: {
    name: 'CapacityExceeded',
    description: 'No minutes are left, or a budget would be exceeded; no call was placed',
  },
  403: {
    name: 'Forbidden',
    description: "The key lacks a scope, or the number can't be called. Without a body: too many requests this minute",
  },
  404: { name: 'NotFound', description: 'Not found in this workspace' },
  409: { name: 'Conflict', description: 'Conflict with the current state; code says which' },
  429: {
    name: 'TooMany',
    description:
      'Too many runs in progress, too many tries, or too much time of the server; with Retry-After if the time is known',
  },
  502: { name: 'ProviderFailed', description: "The provider of text messages didn't accept the message" },
  503: { name: 'Unavailable', description: "The service can't do this now" },
};

function describe(name: string, operation: Operation, definitions: Json): Json {
  const { title, description, input, output, rest, scope } = operation;
  const schema = schemaOf(input, 'input', definitions);
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Json>);
  const required = new Set((schema['required'] ?? []) as string[]);
  const inPath = new Set([...rest.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]));
  const inBody =
    rest.method === 'post' || rest.method === 'patch' ? properties.filter(([property]) => !inPath.has(property)) : [];
  const parameters: Json[] = properties
    .filter((property) => !inBody.includes(property))
    .map(([property, value]) => ({
      name: property,
      in: inPath.has(property) ? 'path' : 'query',
      required: inPath.has(property) || required.has(property),
      ...(value['description'] !== undefined && { description: value['description'] }),
      schema: value,
    }));
  if (rest.method === 'post' && scope !== 'open' && !returnsSecret(operation))
    parameters.push({ $ref: '#/components/parameters/IdempotencyKey' });
  return {
    operationId: name,
    summary: title,
    description: `${description} ${scope === 'open' ? 'Needs no key' : `Scope: ${scope}`}.`,
    ...(scope === 'open' && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(inBody.length > 0 && {
      requestBody: {
        required: inBody.some(([property]) => required.has(property)),
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: Object.fromEntries(inBody),
              required: inBody.map(([property]) => property).filter((property) => required.has(property)),
              additionalProperties: false,
            },
          },
        },
      },
    }),
    responses: {
      [String(rest.status)]: {
        description: title,
        content: { 'application/json': { schema: schemaOf(output, 'output', definitions) } },
      },
      ...refusals(...errorsOf(operation)),
      default: { $ref: '#/components/responses/Error' },
    },
  };
}

const refusals = (...statuses: readonly (keyof typeof errors)[]): Json =>
  Object.fromEntries(
    statuses.map((status) => [String(status), { $ref: `#/components/responses/${errors[status].name}` }]),
  );

const eventStream = { 'text/event-stream': { schema: { type: 'string' } } };
const furtherPaths: Json = {
  '/events': {
    get: {
      operationId: 'events',
      summary: 'Listen for changes',
      description:
        'Server-sent events of the workspace. Each event names the resource that changed; read that resource again. Scope: mapping:read.',
      responses: {
        200: { description: 'The stream', content: eventStream },
        ...refusals(401, 403),
        default: { $ref: '#/components/responses/Error' },
      },
    },
  },
  '/recordings/{runId}/{stepId}.wav': {
    get: {
      operationId: 'recording',
      summary: 'The audio of a step',
      description: 'Available only at the signed address in audioUrl; needs no key.',
      security: [],
      parameters: [
        ...['runId', 'stepId'].map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
        ...['expires', 'signature'].map((name) => ({ name, in: 'query', required: true, schema: { type: 'string' } })),
      ],
      responses: {
        200: { description: 'WAV, 8 kHz, 16 bit, mono', content: { 'audio/wav': {} } },
        206: { description: 'The requested range', content: { 'audio/wav': {} } },
        ...refusals(400, 403, 404),
        default: { $ref: '#/components/responses/Error' },
      },
    },
  },
};

/** Moves definitions to the document's components, because references start at the document's root. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', definitions: Json = {}): Json {
  const text = JSON.stringify(interfaceSchema(schema, io)).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { $defs, ...rest } = JSON.parse(text) as Json;
  Object.assign(definitions, $defs);
  return rest;
}
