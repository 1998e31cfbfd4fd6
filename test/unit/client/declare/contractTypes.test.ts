import assert from 'node:assert/strict';
import * as z from 'zod';
import { contractTypes } from '../../../../src/client/declare/contractTypes.ts';
import { typeText } from '../../../../src/client/declare/typeText.ts';
import { operation, reads } from '../../../../src/contract/operation.ts';

const colourSchema = z.enum(['red', 'blue']);
const leafSchema = z.object({ colour: colourSchema, size: z.int().min(1).default(3).describe('In mm') }).strict();
const stemSchema = z
  .object({
    leaves: z.array(leafSchema),
    note: z.string().nullable().optional(),
    get stems() {
      return z.array(stemSchema).optional();
    },
  })
  .strict();
const rest = { method: 'get', path: '/stems', status: 200 } as const;

/** Returns the declaration of one type. */
const declared = (text: string, name: string): string =>
  text.split('\n\n').find((block) => block.includes(`type ${name} =`)) ??
  assert.fail(`There is no ${name} in\n${text}`);

describe('contractTypes', () => {
  const text = contractTypes([{ colourSchema, leafSchema, stemSchema, notASchema: 1 }], {
    putStem: operation({
      title: 'Put',
      description: 'Puts a stem.',
      input: stemSchema,
      output: leafSchema,
      rest,
      scope: 'open',
      tool: reads,
    }),
    getStem: operation({
      title: 'Get',
      description: 'Gets a stem.',
      input: z.object({ limit: z.preprocess(Number, z.int()).optional() }).strict(),
      output: stemSchema,
      rest,
      scope: 'open',
      tool: reads,
    }),
  });

  it('names the types of each operation, with separate types for input and output', () => {
    assert.ok(text.includes('  /** Puts a stem. */\n  putStem: { input: StemInput; output: Leaf };\n'), text);
    assert.ok(text.includes('  getStem: { input: {\n    limit?: number | undefined;\n  }; output: Stem };\n'), text);
  });

  it('declares a member with a default as optional in input, and required in output', () => {
    assert.equal(
      declared(text, 'Leaf').trim(),
      'export type Leaf = {\n  colour: Colour;\n  /** In mm. Default: 3 */\n  size: number;\n};',
    );
    assert.equal(
      declared(text, 'LeafInput').trim(),
      'export type LeafInput = {\n  colour: Colour;\n  /** In mm. Default: 3 */\n  size?: number | undefined;\n};',
    );
    assert.equal(declared(text, 'Colour').trim(), 'export type Colour = "red" | "blue";');
    assert.ok(!text.includes('ColourInput'));
  });

  it('declares a recursive type', () =>
    assert.equal(
      declared(text, 'StemInput').trim(),
      'export type StemInput = {\n  leaves: Array<LeafInput>;\n  note?: string | null | undefined;\n  stems?: Array<StemInput> | undefined;\n};',
    ));

  it('rejects a schema that it has no type for', () => {
    assert.throws(() => typeText({ type: 'tuple' }, (name) => name), /Can't convert this JSON Schema/);
    assert.throws(() => typeText({ not: {} } as object, (name) => name), /Can't convert this JSON Schema/);
  });
});
