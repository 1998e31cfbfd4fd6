import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { UsageError } from './command.ts';

const routesSchema = z.record(z.string(), z.string(), { error: 'The dial plan is a JSON object: a number, or a prefix with *, leads to a SIP address.' });

/** The dial plan, given as JSON or as a file that holds it. */
export async function readRoutes(text: string): Promise<Record<string, string>> {
  const inline = text.trimStart().startsWith('{');
  let json = text;
  if (!inline) {
    json = await readFile(text, 'utf8').catch(() => { throw new UsageError(`The dial plan ${text} cannot be read. Give a file that exists, or the JSON itself.`); });
  }
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new UsageError(`The dial plan${inline ? '' : ` ${text}`} is not valid JSON.`);
  }
  const routes = routesSchema.safeParse(value);
  if (!routes.success) throw new UsageError('The dial plan is a JSON object in which a number, or a prefix with *, leads to a SIP address.');
  return routes.data;
}
