import { applyEdits, modify, parseTree } from 'jsonc-parser';

/** The text of a file with `id` as its first member, or after `$schema`; comments and layout as they were. */
export function withId(text: string, id: string): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const body = text.slice(mark.length);
  const [first] = parseTree(body, [], { allowTrailingComma: true })?.children ?? [];
  // A comment at the end of the line of $schema stays there.
  const afterFirst = first?.children?.[0]?.value === '$schema' && !/^[ \t]*,?[ \t]*\//.test(body.slice(first.offset + first.length));
  const indent = /^([ \t]+)"/m.exec(body)?.[1] ?? '  ';
  const edits = modify(body, ['id'], id, {
    getInsertionIndex: () => (afterFirst ? 1 : 0),
    formattingOptions: { insertSpaces: !indent.startsWith('\t'), tabSize: indent.startsWith('\t') ? 1 : indent.length, eol: /\r\n|\r|\n/.exec(body)?.[0] ?? '\n' },
  });
  return mark + applyEdits(body, edits);
}
