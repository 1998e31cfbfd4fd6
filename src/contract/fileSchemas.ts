import * as z from 'zod';
import { callTestFileSchema } from './callTestFile.ts';
import { calltreeFileSchema } from './calltreeFile.ts';
import { ivrFileSchema } from './ivrFile.ts';
import { missionFileSchema } from './missionFile.ts';
import { untrustedKeyword } from './untrusted.ts';

/** A kind of file that people edit, recognised by the end of its name. */
interface FileKind {
  readonly suffix: string;
  /** The file of the JSON Schema in media/schemas. */
  readonly schemaFile: string;
  readonly title: string;
  readonly schema: z.ZodType;
  /** The parts of a refinement that JSON Schema can express. */
  readonly rules?: Readonly<Record<string, unknown>>;
}

const oneTarget = { anyOf: [{ required: ['phoneNumber'] }, { required: ['ivr'] }] };

export const fileKinds: readonly FileKind[] = [
  {
    suffix: '.calltest.json',
    schemaFile: 'calltest.schema.json',
    title: 'Scripted test of a phone menu',
    schema: callTestFileSchema,
    rules: { ...oneTarget, not: { anyOf: [{ required: ['rows', 'rowsFile'] }, { required: ['phoneNumber', 'ivr'] }] } },
  },
  {
    suffix: '.mission.json',
    schemaFile: 'mission.schema.json',
    title: 'Mission test of a phone menu',
    schema: missionFileSchema,
    rules: { ...oneTarget, not: { required: ['phoneNumber', 'ivr'] } },
  },
  { suffix: '.ivr.json', schemaFile: 'ivr.schema.json', title: 'Practice IVR', schema: ivrFileSchema },
  {
    suffix: '.calltree.json',
    schemaFile: 'calltree.schema.json',
    title: 'Mapped tree of a phone menu',
    schema: calltreeFileSchema,
  },
];

/** Returns the JSON Schema (draft 7, which editors read) of a kind of file, as text. */
export function fileSchemaText({ schema, title, rules }: FileKind): string {
  const { $schema, ...body } = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-7',
    override: ({ jsonSchema }) => {
      Reflect.deleteProperty(jsonSchema, untrustedKeyword);
    },
  });
  return `${JSON.stringify({ $schema, title, allowComments: true, allowTrailingCommas: true, ...body, ...rules }, null, 2)}\n`;
}
