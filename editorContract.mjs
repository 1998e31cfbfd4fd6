import { readFile } from 'node:fs/promises';
import ts from 'typescript';

/**
 * Builds the contract as the editor half needs it. The editor half validates values, and reads the route and the output
 * of an operation. Descriptions and the inputs of operations are for the service, its documents and the JSON Schemas of
 * files. Making JSON Schemas is a part of Zod that the editor half doesn't need either.
 */
export const editorContract = {
  name: 'contract of the editor',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/]contract[\\/]\w+\.ts$/ }, async ({ path: file }) => ({
      contents: forEditor(await readFile(file, 'utf8')),
      loader: 'ts',
    }));
    // Every schema has methods that these files make. The editor half doesn't call them.
    onLoad(
      { filter: /[\\/]zod[\\/]v4[\\/]core[\\/](?:to-json-schema|json-schema-processors)\.js$/ },
      async ({ path: file }) => ({
        contents: withoutContent(await readFile(file, 'utf8')),
      }),
    );
    // Through the index, esbuild can't see which of these functions are used.
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/ }, async ({ path: file }) => ({
      contents: (await readFile(file, 'utf8'))
        .replace('import { util } from "../core/index.js"', 'import * as util from "../core/util.js"')
        .replaceAll('core.util.', 'util.')
        // Formats as methods of strings are older names of functions, and use the schemas of all formats.
        .replace(/(?<=core\.\$constructor\("ZodString", [^]*?\}), \{[^]*?\n\}\);/, ');'),
    }));
  },
};

/** Returns a module with the same exports, all of which do nothing. */
const withoutContent = (source) =>
  [...source.matchAll(/^export (?:const|function) (\w+)/gm)]
    .map(([, name]) => `export { nothing as ${name} };`)
    .concat('const nothing = () => undefined;')
    .join('\n');

/** Members of an operation that the editor half doesn't read. */
const serviceMembers = new Set(['title', 'description', 'input', 'errors', 'scope', 'brief']);

/**
 * Returns a module of the contract without descriptions and other notes for JSON Schemas, and without the members of
 * operations that only the service reads. Constants that a call makes are marked as pure, so that esbuild leaves out
 * the unused ones.
 */
export function forEditor(source) {
  const file = ts.createSourceFile('contract.ts', source, ts.ScriptTarget.Latest, true);
  let [result, end] = ['', 0];
  const replace = (from, to, text) => {
    result += source.slice(end, from) + text;
    end = to;
  };
  const visit = (node) => {
    if (isNote(node)) {
      visit(node.expression.expression);
      replace(node.expression.expression.end, node.end, '');
    } else if (isServiceMember(node)) {
      const comma = source.indexOf(',', node.end);
      replace(node.getStart(file), comma + 1, '');
    } else if (isMadeConstant(node)) {
      const { initializer } = node;
      replace(initializer.getStart(file), initializer.getStart(file), '/* @__PURE__ */ (() => ');
      visit(initializer);
      replace(initializer.end, initializer.end, ')()');
    } else {
      ts.forEachChild(node, visit);
    }
  };
  visit(file);
  return result + source.slice(end);
}

const isNote = (node) =>
  ts.isCallExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  ['describe', 'meta', 'register'].includes(node.expression.name.text) &&
  node.arguments.length > 0;

const isServiceMember = (node) =>
  serviceMembers.has(node.name?.text) &&
  ts.isObjectLiteralExpression(node.parent) &&
  ts.isCallExpression(node.parent.parent) &&
  ['operation', 'reading', 'calling'].includes(node.parent.parent.expression.getText());

const isMadeConstant = (node) =>
  ts.isVariableDeclaration(node) &&
  ts.isVariableStatement(node.parent.parent) &&
  ts.isSourceFile(node.parent.parent.parent) &&
  node.initializer !== undefined &&
  ts.isCallExpression(node.initializer);
