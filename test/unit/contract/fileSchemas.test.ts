import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'jsonc-parser';
import * as z from 'zod';
import { checkKinds } from '../../../src/contract/checks.ts';
import { fileKinds, fileSchemaText } from '../../../src/contract/fileSchemas.ts';

const media = fileURLToPath(new URL('../../../media', import.meta.url));

interface FileSchema {
  readonly definitions?: Record<string, object>;
  readonly if: {
    readonly properties: Record<string, { readonly description?: string; readonly suggestSortText: string }>;
    readonly required: string[];
  };
}

const schemaOf = (kind: (typeof fileKinds)[number]): FileSchema => JSON.parse(fileSchemaText(kind)) as FileSchema;

describe('the JSON Schemas of files', () => {
  it('match media/schemas (npm run generate writes them)', async () => {
    assert.deepEqual((await readdir(`${media}/schemas`)).sort(), fileKinds.map(({ schemaFile }) => schemaFile).sort());
    for (const kind of fileKinds)
      assert.equal(
        await readFile(`${media}/schemas/${kind.schemaFile}`, 'utf8'),
        fileSchemaText(kind),
        `${kind.schemaFile} is not fresh`,
      );
  });

  it('accept the samples and reject what the contract rejects', async () => {
    for (const kind of fileKinds) {
      // Read back from the JSON Schema: tests what editors use, not the schema it was made from.
      const { definitions, if: body } = schemaOf(kind);
      const schema = z.fromJSONSchema({ ...body, definitions }, { defaultTarget: 'draft-7' });
      const samples = (await readdir(`${media}/samples`)).filter((name) => name.endsWith(kind.suffix));
      assert.equal(samples.length, ['.probe.json', 'dialtree.env.json'].includes(kind.suffix) ? 0 : 3, kind.suffix);
      for (const name of samples) {
        const value = parse(await readFile(`${media}/samples/${name}`, 'utf8'), [], {
          allowTrailingComma: true,
        }) as object;
        assert.ok(schema.safeParse(value).success, `${name}: ${JSON.stringify(schema.safeParse(value).error?.issues)}`);
        assert.ok(!schema.safeParse({ ...value, colour: 1 }).success, `${name} with an unknown member`);
        assert.ok(!schema.safeParse({ ...value, name: 1 }).success, `${name} with a number for a name`);
      }
    }
  });

  it('only complete and describe, because Dialtree words the problems', () => {
    for (const kind of fileKinds)
      assert.deepEqual(
        Object.keys(schemaOf(kind)).filter((name) => name !== 'definitions'),
        ['$schema', 'title', 'allowComments', 'allowTrailingCommas', 'if'],
      );
  });

  it('list every kind of check with what it hears, also in other checks', () => {
    const mission = fileKinds.find(({ suffix }) => suffix === '.mission.json');
    assert.ok(mission);
    const [check] = Object.values(schemaOf(mission).definitions ?? {});
    const { kind } = (check as { properties: { kind: { enum: string[]; enumDescriptions: string[] } } }).properties;
    assert.deepEqual(
      kind.enum.map((name, index) => [name, kind.enumDescriptions[index]]),
      checkKinds.map(({ kind: name, hears, open }) => [name, `${hears} Inconclusive: ${open}`]),
    );
    assert.match(JSON.stringify(check), /"kind":false/, 'without a kind, editors suggest the members of all kinds');
  });

  it('describe each member of a file, and suggest the required ones first and $schema last', () => {
    for (const kind of fileKinds) {
      const { properties, required } = schemaOf(kind).if;
      for (const [name, { description }] of Object.entries(properties))
        assert.ok(description !== undefined || name === 'tree', `${kind.suffix} ${name}`);
      const names = Object.keys(properties).sort((one, other) =>
        properties[one]!.suggestSortText.localeCompare(properties[other]!.suggestSortText),
      );
      assert.deepEqual(names.slice(0, required.length).sort(), [...required].sort());
      assert.equal(names.at(-1), '$schema');
    }
  });
});
