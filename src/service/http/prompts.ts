import { join } from 'node:path';
import * as z from 'zod';
import { JsonFolder } from '../basics/jsonFolder.ts';
import { invalidParams, type McpMethods } from './mcpMethods.ts';

const promptSchema = z.strictObject({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  arguments: z.array(z.strictObject({ name: z.string(), description: z.string(), required: z.boolean() })),
  lines: z.array(z.string()).min(1).describe('Markdown. A line whose {argument} has no value is left out'),
});
type Prompt = z.output<typeof promptSchema>;
export type PromptFolder = Pick<JsonFolder<Prompt>, 'read'>;

/** @param mediaDir contains `prompts/`, one file per prompt */
export const promptFolder = (mediaDir: string): PromptFolder =>
  new JsonFolder(join(mediaDir, 'prompts'), promptSchema, ({ name }) => name);

/** As long as the longest SIP address. */
const argumentSchema = z.string().regex(/^[^\p{C}]{1,320}$/u, 'Give one line of 1 to 320 characters.');
const placeholders = /\{(\w+)\}/g;

/** @throws ZodError if an argument is missing, unknown or too long */
function textOf({ lines, arguments: known }: Prompt, given: unknown): string {
  const members = known.map(({ name, required }) => [name, required ? argumentSchema : argumentSchema.optional()]);
  const values = new Map(Object.entries(z.strictObject(Object.fromEntries(members)).parse(given)));
  return lines
    .filter((line) => [...line.matchAll(placeholders)].every(([, name = '']) => values.has(name)))
    .map((line) => line.replaceAll(placeholders, (_all, name: string) => String(values.get(name))))
    .join('\n');
}

/** The methods of MCP that list and write prompts. They need no key, because they contain nothing of a workspace. */
export const promptMethods = (folder: PromptFolder): McpMethods => ({
  'prompts/list': async () => ({ prompts: (await folder.read()).map(({ lines: _lines, ...prompt }) => prompt) }),
  async 'prompts/get'({ name, arguments: given }) {
    const prompt = (await folder.read()).find((one) => one.name === name);
    if (!prompt) throw invalidParams("This prompt doesn't exist. List the prompts to find the right one.");
    const text = textOf(prompt, given ?? {});
    return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
  },
});
