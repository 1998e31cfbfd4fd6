// Writes the generated files that are kept in git: the JSON Schemas of `media/schemas`, the bundles of `l10n`, the
// kinds of checks in `docs/checks.md`, and in `package.json` the commands, which are those with a title in
// `package.nls.json`, and the schemas of the agents' tools. Unit tests fail if one is outdated.
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
  readonly contributes: {
    commands: { readonly command: string; readonly category: string; readonly title: string }[];
    readonly menus: { commandPalette: { readonly command: string; readonly when: string }[] };
    readonly languageModelTools: { readonly name: string; inputSchema: object }[];
  };
};
const { contributes } = manifest;

const titles = JSON.parse(await readFile(path.join(root, 'package.nls.json'), 'utf8')) as object;
const names = Object.keys(titles).flatMap((key) => /^command\.(.+)/.exec(key)?.[1] ?? []);
/** Keeps the entries of commands that exist, and adds the missing ones. */
function completed<Entry extends { readonly command: string }>(
  entries: readonly Entry[],
  entryOf: (command: string, name: string) => Entry,
): Entry[] {
  const added = new Map(names.map((name) => [`dialtree.${name}`, entryOf(`dialtree.${name}`, name)]));
  const kept = entries.filter(({ command }) => added.has(command));
  for (const { command } of kept) added.delete(command);
  return [...kept, ...added.values()];
}
contributes.commands = completed(contributes.commands, (command, name) => ({
  command,
  category: 'Dialtree',
  title: `%command.${name}%`,
}));
contributes.menus.commandPalette = completed(contributes.menus.commandPalette, (command) => ({
  command,
  when: 'true',
}));

const tools = new Map<string, AgentTool>(bareTools().map((tool) => [tool.name, tool]));
for (const offered of contributes.languageModelTools) {
  const tool = tools.get(offered.name);
  if (tool) offered.inputSchema = toolSchema(tool);
}
await writeFile(manifestFile, `${JSON.stringify(manifest, undefined, 2)}\n`);

const toDo = await writeBundles();
for (const line of toDo) console.error(line);
process.exitCode = toDo.length === 0 ? 0 : 1;
