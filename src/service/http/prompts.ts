import { join } from 'node:path';
import * as z from 'zod';
import { JsonFolder } from '../basics/jsonFolder.ts';
import { parseArguments } from './issueWords.ts';
import { invalidParams, type McpMethods } from './mcpMethods.ts';

const promptSchema = z.strictObject({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  arguments: z.array(z.strictObject({ name: z.string(), description: z.string(), required: z.boolean() })),
  lines: z.array(z.string()).min(1).describe('Markdown. A line whose {argument} has no value is left out'),
});
type Prompt = z.output<typeof promptSchema>;

/** As long as the longest SIP address. */
const argumentSchema = z.string().regex(/^[^\p{C}\p{Zl}\p{Zp}]{1,320}$/u, 'Give one line of 1 to 320 characters.');
const placeholders = /\{(\w+)\}/g;

/** @throws ZodError if an argument is missing, unknown or too long */
function textOf({ lines, arguments: known }: Prompt, given: unknown): string {
  const members = known.map(({ name, required }) => [name, required ? argumentSchema : argumentSchema.optional()]);
  const values = new Map(Object.entries(parseArguments(z.strictObject(Object.fromEntries(members)), given) as object));
  return lines
    .filter((line) => [...line.matchAll(placeholders)].every(([, name = '']) => values.has(name)))
    .map((line) => line.replaceAll(placeholders, (_all, name: string) => String(values.get(name))))
    .join('\n');
}

/** The methods of MCP for the files in `prompts/` of a folder. They need no key: nothing is from a workspace. */
export function promptMethods(mediaDir: string): McpMethods {
  const files = new JsonFolder(join(mediaDir, 'prompts'), promptSchema, ({ name }) => name);
  return {
    'prompts/list': async () => ({ prompts: (await files.read()).map(({ lines: _lines, ...prompt }) => prompt) }),
    async 'prompts/get'({ name, arguments: given = {} }) {
      const prompt = (await files.read()).find((one) => one.name === name);
      if (!prompt) throw invalidParams("This prompt doesn't exist. List the prompts to find the right one.");
      const content = { type: 'text', text: textOf(prompt, given) };
      return { description: prompt.description, messages: [{ role: 'user', content }] };
    },
  };
}
