import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'jsonc-parser';
import { describe, it } from 'mocha';
import * as z from 'zod';
import { fileKinds, fileSchemaText } from '../../../src/contract/fileSchemas.ts';

const media = fileURLToPath(new URL('../../../media', import.meta.url));

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
      const {
        $schema: _dialect,
        anyOf: _one,
        not: _both,
        ...body
      } = JSON.parse(fileSchemaText(kind)) as Record<string, unknown>;
      const schema = z.fromJSONSchema(body, { defaultTarget: 'draft-7' });
      const samples = (await readdir(`${media}/samples`)).filter((name) => name.endsWith(kind.suffix));
      assert.equal(samples.length, 3, kind.suffix);
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

  it('describe the members that matter to authors', () => {
    for (const kind of fileKinds.filter(({ suffix }) => suffix !== '.ivr.json')) {
      const { suffix } = kind;
      const { properties } = JSON.parse(fileSchemaText(kind)) as {
        properties: Record<string, { description?: string }>;
      };
      assert.ok(Object.keys(properties).includes('$schema'));
      // A tree contains only what was found at a number: no IDs of the service, and nothing about playing an IVR.
      for (const member of ['phoneNumber', ...(suffix === '.calltree.json' ? ['mappedAt', 'status'] : ['id', 'ivr'])])
        assert.notEqual(properties[member]?.description, undefined, `${kind.suffix} ${member}`);
    }
  });
});
