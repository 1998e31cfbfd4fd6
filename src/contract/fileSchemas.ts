import * as z from 'zod';
import { callTestFileSchema } from './callTestFile.ts';
import { calltreeFileSchema } from './calltreeFile.ts';
import { environmentFileName, environmentFileSchema } from './environmentFile.ts';
import { ivrFileSchema } from './ivrFile.ts';
import { missionFileSchema } from './missionFile.ts';
import { probeFileSchema } from './probeFile.ts';
import { untrustedKeyword } from './untrusted.ts';

/** A kind of file that people edit, recognised by the end of its name. */
interface FileKind {
  readonly suffix: string;
  /** The file of the JSON Schema in media/schemas. */
  readonly schemaFile: string;
  readonly title: string;
  readonly schema: z.ZodType;
}

export const fileKinds: readonly FileKind[] = [
  {
    suffix: '.calltest.json',
    schemaFile: 'calltest.schema.json',
    title: 'Scripted test of a phone menu',
    schema: callTestFileSchema,
  },
  {
    suffix: '.mission.json',
    schemaFile: 'mission.schema.json',
    title: 'Mission test of a phone menu',
    schema: missionFileSchema,
  },
  { suffix: '.probe.json', schemaFile: 'probe.schema.json', title: 'Compliance probe', schema: probeFileSchema },
  { suffix: '.ivr.json', schemaFile: 'ivr.schema.json', title: 'Practice IVR', schema: ivrFileSchema },
  {
    suffix: '.calltree.json',
    schemaFile: 'calltree.schema.json',
    title: 'Mapped tree of a phone menu',
    schema: calltreeFileSchema,
  },
  {
    suffix: environmentFileName,
    schemaFile: 'env.schema.json',
    title: 'Environments of tests',
    schema: environmentFileSchema,
  },
];

/**
 * Returns the JSON Schema (draft 7, which editors read) of a kind of file, as text. It completes and describes. Inside
 * `if`, it reports nothing, because `model/files` finds the problems and words them.
 */
export function fileSchemaText({ schema, title }: FileKind): string {
  const { $schema, definitions, ...body } = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-7',
    override: ({ jsonSchema }) => {
      Reflect.deleteProperty(jsonSchema, untrustedKeyword);
    },
  });
  const root = { $schema, title, allowComments: true, allowTrailingCommas: true, definitions, if: body };
  return `${JSON.stringify(root, (_name, value: unknown) => withKinds(sorted(value)), 2)}\n`;
}

/**
 * Lists the kinds of several alternatives beside them. Otherwise, editors suggest only the kinds that need no other
 * property. Without a kind, another alternative applies, so that editors suggest the kind and no member of any.
 */
function withKinds(schema: unknown): unknown {
  const { oneOf = [] } = (schema ?? {}) as { readonly oneOf?: readonly z.core.JSONSchema.ObjectSchema[] };
  const kinds = oneOf.flatMap(({ properties: { kind } = {} }) => (typeof kind === 'object' ? [kind] : []));
  if (kinds.length === 0) return schema;
  const kind = { enum: kinds.map((one) => one.const), enumDescriptions: kinds.map((one) => one.description ?? '') };
  const without = { type: 'object', properties: { kind: false } };
  return { ...(schema as object), oneOf: [...oneOf, without], properties: { kind } };
}

/** Suggests the required properties of an object first, then what must happen and the target of a test, and `$schema` last. */
function sorted(schema: unknown): unknown {
  const { properties, required = [] } = (schema ?? {}) as z.core.JSONSchema.ObjectSchema;
  if (typeof properties !== 'object') return schema;
  const first = [...required, 'checks', 'acceptance', 'phoneNumber', 'ivr'];
  for (const [name, property] of Object.entries(properties))
    if (typeof property === 'object') {
      const place = first.indexOf(name);
      property['suggestSortText'] = name === '$schema' ? 'last' : place < 0 ? 'in between' : String(place);
    }
  return schema;
}
