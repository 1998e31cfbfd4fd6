import type * as z from 'zod';
import { isRecord } from '../../base/isRecord.ts';
import { parsedJson } from '../../base/parsedJson.ts';
import { routesSchema, type Routes } from '../../contract/dialPlan.ts';
import { describeIssues, HumanError } from '../../contract/errors.ts';
import { UsageError } from '../command.ts';
import { readBytes } from '../terminal/inputFile.ts';

export async function readRoutes(text: string): Promise<Routes> {
  return readJson(text, {
    what: 'The dial plan',
    form: 'that maps a number, or a prefix with *, to a SIP address',
    schema: routesSchema,
  });
}

/** Reads a JSON object, given as text or as a file. */
export async function readJson<Schema extends z.ZodType>(
  text: string,
  { what, form, schema }: { readonly what: string; readonly form: string; readonly schema: Schema },
): Promise<z.output<Schema>> {
  const inline = text.trimStart().startsWith('{');
  let json = text;
  if (!inline) {
    const bytes = await readBytes(text).catch((cause: unknown) => {
      if (cause instanceof HumanError) throw cause;
      throw new UsageError(`${what} ${text} can't be read. Give the path of an existing file, or the JSON itself.`);
    });
    json = bytes.toString('utf8');
  }
  const name = `${what}${inline ? '' : ` ${text}`}`;
  const value = parsedJson(json);
  if (value === undefined) throw new UsageError(`${name} isn't valid JSON. Correct it.`);
  if (!isRecord(value)) throw new UsageError(`${name} isn't a JSON object ${form}.`);
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new UsageError(`${name} isn't valid. ${describeIssues(parsed.error)}`);
  return parsed.data;
}
