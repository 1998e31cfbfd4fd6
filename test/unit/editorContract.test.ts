import assert from 'node:assert/strict';
import { forEditor } from '../../editorContract.mjs';

describe('the contract of the editor half', () => {
  it('leaves out descriptions and notes for JSON Schemas', () => {
    assert.equal(
      forEditor("const row = { digits: z.int().describe('How many').optional().meta({ default: 4 }).max(9) };"),
      'const row = { digits: z.int().optional().max(9) };',
    );
  });

  it('has only those members of an operation that the editor half reads', () => {
    assert.equal(
      forEditor(`const rows = {
        readRun: operation({ title: 'Read', description: 'Reads, once.', input, output, errors: [404], scope: 'a', tool, }),
      };`).replace(/\s+/g, ' '),
      'const rows = { readRun: operation({ output, tool, }), };',
    );
  });

  it('lets esbuild leave out constants that nothing uses', () => {
    assert.equal(
      forEditor("export const name = z.string().describe('A name');"),
      'export const name = /* @__PURE__ */ (() => z.string())();',
    );
  });

  it('keeps what a function makes', () => {
    const source = 'const made = (value) => { const inner = z.literal(value); return inner; };';
    assert.equal(forEditor(source), source);
  });
});
