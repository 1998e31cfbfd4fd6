import { isDeepStrictEqual } from 'node:util';
import { applyEdits, modify, parse, type ParseError } from 'jsonc-parser';
import { isRecord } from '../../base/isRecord.ts';
import { HumanError } from '../../contract/errors.ts';

/**
 * Returns a file with Dialtree's part, or without it. `after` is undefined if the file isn't needed. Returns undefined
 * if a person changed that part.
 */
export type Edit = (before: string | undefined, undo: boolean) => { readonly after: string | undefined } | undefined;

/** The command reads the key of the service itself, so no file contains it. */
const server = { command: 'dialtree', args: ['mcp'] };

/** Edits a JSON configuration, and keeps its comments and other servers. */
export const withJsonServer =
  (file: string, member: 'servers' | 'mcpServers'): Edit =>
  (before, undo) => {
    const entry = { type: 'stdio', ...server };
    const fresh = `${JSON.stringify({ [member]: { dialtree: entry } }, undefined, 2)}\n`;
    const text = before ?? '';
    if (text.trim() === '') return { after: undo ? before : fresh };
    const errors: ParseError[] = [];
    const config: unknown = parse(text, errors, { allowTrailingComma: true });
    const servers = isRecord(config) ? (config[member] ?? {}) : undefined;
    if (errors.length > 0 || !isRecord(servers))
      throw new HumanError(
        `${file} isn't a valid MCP configuration: ${errors.length > 0 ? 'its JSON is broken' : `it needs an object with an object “${member}”`}. Correct it, then try again. Nothing was written.`,
        { status: 400, code: 'bad_file' },
      );
    const found = servers['dialtree'];
    if (undo ? found === undefined : isDeepStrictEqual(found, entry)) return { after: before };
    if (found !== undefined && !isDeepStrictEqual(found, entry)) return undefined;
    if (undo && text.replaceAll('\r\n', '\n') === fresh) return { after: undefined };
    const isLast = undo && Object.keys(servers).length === 1;
    const edits = modify(text, isLast ? [member] : [member, 'dialtree'], undo ? undefined : entry, {
      formattingOptions: {
        insertSpaces: !/^\t/m.test(text),
        tabSize: 2,
        eol: text.includes('\r\n') ? '\r\n' : '\n',
      },
    });
    return { after: applyEdits(text, edits) };
  };

/** Codex gives a server 10 s to start by default. Opening the store can take longer on a busy machine. */
const table = `[mcp_servers.dialtree]
command = ${JSON.stringify(server.command)}
args = ${JSON.stringify(server.args)}
startup_timeout_sec = 60
`;

/** Edits the TOML of Codex: appends the table, and removes it if it is unchanged. */
export const withTomlServer: Edit = (before, undo) => {
  const text = (before ?? '').replaceAll('\r\n', '\n');
  const at = text.indexOf(table);
  const rest = text.slice(at + table.length);
  // A further line before the next table belongs to this one.
  if (at >= 0 && /^(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*(?:\[|#[^\n]*$|$)/.test(rest)) {
    if (!undo) return { after: before };
    const left = `${text.slice(0, at).trimEnd()}\n${rest}`.replace(/^\n+|\n+$/g, '');
    return { after: left === '' ? undefined : `${left}\n` };
  }
  if (/^\s*(?:\[\s*["']?mcp_servers["']?\s*\.\s*["']?dialtree["']?\s*[.\]]|["']?mcp_servers["']?\s*[.=])/m.test(text))
    return undefined;
  if (undo) return { after: before };
  return { after: `${text === '' ? '' : `${text.trimEnd()}\n\n`}${table}` };
};
