import * as z from 'zod';
import { parsedJson } from '../../base/parsedJson.ts';
import { linesSchema, type Lines } from '../../contract/lines.ts';
import { passwordVariable } from '../../model/calls/linePlan.ts';
import { UsageError } from '../command.ts';
import { readJson } from './routes.ts';

/** The option and the environment with which a command gets lines. */
export const linesOption = { lines: { type: 'string' } } as const;
export const linesHelp =
  'lines for calls, by name: {"office": {"kind": "pbx", "host": "pbx.example.com", "user": "201", "register": true}}; ' +
  'passwords come from the environment: DIALTREE_LINE_PASSWORD_OFFICE';

/** The lines of a service, with the passwords of those that log in. */
export interface GivenLines {
  readonly lines: Lines;
  readonly linePasswords: Readonly<Record<string, string>>;
}

export async function readGivenLines(
  given: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<GivenLines> {
  if (given === undefined) return { lines: {}, linePasswords: {} };
  const lines = await readLines(given);
  return { lines, linePasswords: readLinePasswords(environment, lines) };
}

export const readLines = (text: string): Promise<Lines> =>
  readJson(text, { what: 'The list of lines', form: 'that maps names to lines', schema: linesSchema });

const passwordsSchema = z.record(z.string(), z.string());

/**
 * Returns the passwords of these lines from the environment: one per variable, or all in one as JSON. They never come
 * from the command line, which every process can read.
 */
export function readLinePasswords(
  environment: Readonly<Record<string, string | undefined>>,
  lines: Lines,
): Readonly<Record<string, string>> {
  const all = environment['DIALTREE_LINE_PASSWORDS'];
  const together = all === undefined || all === '' ? {} : parsePasswords(all);
  return Object.fromEntries(
    Object.keys(lines).flatMap((name) => {
      const password =
        environment[passwordVariable(name)] ?? (Object.hasOwn(together, name) ? together[name] : undefined);
      return password === undefined || password === '' ? [] : [[name, password]];
    }),
  );
}

function parsePasswords(text: string): Readonly<Record<string, string>> {
  const passwords = passwordsSchema.safeParse(parsedJson(text));
  // The message must not repeat any of it.
  if (!passwords.success)
    throw new UsageError(
      'DIALTREE_LINE_PASSWORDS isn\'t a JSON object that maps the names of lines to their passwords, such as {"main": "…"}.',
    );
  return passwords.data;
}
