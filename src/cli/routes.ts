import { readFile } from 'node:fs/promises';
import { routesSchema } from '../contract/dialPlan.ts';
import type { Routes } from '../contract/dialPlan.ts';
import { describeIssues } from '../contract/errors.ts';
import { UsageError } from './command.ts';

/** The dial plan, given as JSON or as a file that holds it. */
export async function readRoutes(text: string): Promise<Routes> {
  const inline = text.trimStart().startsWith('{');
  let json = text;
  if (!inline) {
    json = await readFile(text, 'utf8').catch(() => { throw new UsageError(`The dial plan ${text} cannot be read. Give a file that exists, or the JSON itself.`); });
  }
  const name = `The dial plan${inline ? '' : ` ${text}`}`;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new UsageError(`${name} is not valid JSON.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new UsageError(`${name} is no JSON object in which a number, or a prefix with *, leads to a SIP address.`);
  const routes = routesSchema.safeParse(value);
  if (!routes.success) throw new UsageError(`${name} is wrong. ${describeIssues(routes.error)}`);
  return routes.data;
}
