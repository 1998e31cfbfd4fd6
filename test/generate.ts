// Writes the generated files that are kept in git: the JSON Schemas of `media/schemas`, the bundles of `l10n`, the
// kinds of checks in `docs/checks.md`, and the schemas of the agents' tools in `package.json`. Unit tests fail if one is outdated.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileKinds, fileSchemaText } from '../src/contract/fileSchemas.ts';
import { checksPage, withCheckKinds } from './support/checksPage.ts';
import { writeBundles } from './support/l10nStrings.ts';
import type { AgentTool } from '../src/editor/agents/tools/agentTool.ts';
import { bareTools, toolSchema } from './support/toolSchemas.ts';

const root = path.resolve(import.meta.dirname, '..');

for (const kind of fileKinds) await writeFile(path.join(root, 'media/schemas', kind.schemaFile), fileSchemaText(kind));

await writeFile(checksPage, withCheckKinds(await readFile(checksPage, 'utf8')));

const manifestFile = path.join(root, 'package.json');
const manifest = JSON.parse(await readFile(manifestFile, 'utf8')) as {
  readonly contributes: { readonly languageModelTools: { readonly name: string; inputSchema: object }[] };
};
const tools = new Map<string, AgentTool>(bareTools().map((tool) => [tool.name, tool]));
for (const offered of manifest.contributes.languageModelTools) {
  const tool = tools.get(offered.name);
  if (tool) offered.inputSchema = toolSchema(tool);
}
await writeFile(manifestFile, `${JSON.stringify(manifest, undefined, 2)}\n`);

const toDo = await writeBundles();
for (const line of toDo) console.error(line);
process.exitCode = toDo.length === 0 ? 0 : 1;
