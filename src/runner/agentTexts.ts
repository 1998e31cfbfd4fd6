import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { applyEdits, modify, parse, type ParseError } from 'jsonc-parser';
import { isRecord } from '../base/isRecord.ts';
import { HumanError } from '../contract/errors.ts';

/** A file's text. Undefined: it doesn't exist. */
export type Text = string | undefined;
/** Returns a file with Dialtree's part, or without it for `undo`. Null: a person changed that part, so it stays. */
type Edit = (before: Text, undo: boolean) => Text | null;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
const signed = (text: string): string => `${text}\n<!-- dialtree agents init ${hashOf(text)} -->\n`;

/** Writes a Markdown file. Its last line has the hash of the others, which shows whether a person changed them. */
export const editMarkdown =
  (shipped: string): Edit =>
  (before, undo) => {
    const plain = before?.replaceAll('\r\n', '\n');
    if (plain !== undefined && plain !== signed(plain.replace(/\n<!--[^\n]*\n$/, ''))) return null;
    const after = undo ? undefined : signed(shipped.trimEnd());
    return after === plain ? before : after;
  };

/** The command reads the key of the service itself, so no file contains it. */
const entry = { type: 'stdio', command: 'dialtree', args: ['mcp'] };
/** By default, Codex gives a server 10 s to start, which isn't enough on a busy machine. */
const table = '[mcp_servers.dialtree]\ncommand = "dialtree"\nargs = ["mcp"]\nstartup_timeout_sec = 60\n';

export const editToml: Edit = (before, undo) => {
  const text = before ?? '';
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const own = table.replaceAll('\n', newline);
  const rest = text.replace(own, '');
  if (/mcp_servers(\W+dialtree\b|\W*=)/.test(rest)) return null;
  if (undo === (rest === text)) return before;
  if (undo) return rest === '' ? undefined : text.replace(`${newline}${own}`, '');
  return rest === '' ? own : `${rest.trimEnd()}${newline}${newline}${own}`;
};

/** Keeps comments and other servers. `member` contains the servers. @throws HumanError if the JSON is broken */
export const editJson =
  (file: string, member: string): Edit =>
  (before, undo) => {
    const fresh = `${JSON.stringify({ [member]: { dialtree: entry } }, undefined, 2)}\n`;
    const text = before ?? '';
    if (text.trim() === '') return undo ? before : fresh;
    const errors: ParseError[] = [];
    const read: unknown = parse(text, errors, { allowTrailingComma: true });
    const servers = isRecord(read) ? (read[member] ?? {}) : undefined;
    if (errors.length > 0 || !isRecord(servers))
      throw new HumanError(`${file} isn't a valid MCP configuration. Correct it, then try again.`, { status: 400 });
    const found = servers['dialtree'];
    if (found !== undefined && !isDeepStrictEqual(found, entry)) return null;
    if (undo === (found === undefined)) return before;
    if (undo && text === fresh) return undefined;
    const path = undo && Object.keys(servers).length === 1 ? [member] : [member, 'dialtree'];
    const formattingOptions = { insertSpaces: !/^\t/m.test(text), tabSize: 2 };
    return applyEdits(text, modify(text, path, undo ? undefined : entry, { formattingOptions }));
  };
