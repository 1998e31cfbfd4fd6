import type { Edit, Node } from 'jsonc-parser';

/** Edits properties of JSON with comments. All other characters stay: comments, indentation, trailing commas. */

interface JsonLayout {
  readonly eol: string;
  /** One level of indentation. */
  readonly unit: string;
}

function layoutOf(text: string): JsonLayout {
  return { eol: /\r\n|\n|\r/.exec(text)?.[0] ?? '\n', unit: /^([ \t]+)["{[]/m.exec(text)?.[1] ?? '  ' };
}

/** Where to put a new property: first, or after a property. By default, last. */
type MemberPlace = 'first' | Node | undefined;

/** Inserts a property. `value` is JSON on one line, or a function that writes it for the line's indentation. */
export function insertMember(
  text: string,
  object: Node,
  name: string,
  value: string | ((indent: string) => string),
  place?: MemberPlace,
): Edit[] {
  const layout = layoutOf(text);
  const members = object.children ?? [];
  const written = (indent: string): string =>
    `${JSON.stringify(name)}: ${typeof value === 'string' ? value : value(indent)}`;
  const [first] = members;
  if (!first) return [intoEmpty(text, object, written, layout)];
  const indent = ownLineIndent(text, first);
  if (place === 'first') {
    if (indent === undefined)
      return [{ offset: first.offset, length: 0, content: `${written(lineIndent(text, first.offset))}, ` }];
    return [
      { offset: restOfLine(text, object.offset + 1), length: 0, content: `${layout.eol}${indent}${written(indent)},` },
    ];
  }
  const before = place ?? members.at(-1) ?? first;
  const end = before.offset + before.length;
  const comma = commaAfter(text, end);
  const after = comma === undefined ? end : comma + 1;
  const line = restOfLine(text, after);
  // Only a property on its own line gets a neighbour on the next line.
  if (indent === undefined || !/^[\r\n]/.test(text.slice(line, line + 1))) {
    const inline = written(lineIndent(text, before.offset));
    return [{ offset: after, length: 0, content: comma === undefined ? `, ${inline}` : ` ${inline},` }];
  }
  const added = `${layout.eol}${indent}${written(indent)}`;
  if (comma !== undefined) return [{ offset: line, length: 0, content: `${added},` }];
  return line === end
    ? [{ offset: end, length: 0, content: `,${added}` }]
    : [
        { offset: end, length: 0, content: ',' },
        { offset: line, length: 0, content: added },
      ];
}

/** Removes a property from its object, with what follows it on its line. Comments on separate lines stay. */
export function removeMember(text: string, member: Node): Edit[] {
  const members = member.parent?.children ?? [];
  const at = members.indexOf(member);
  const end = member.offset + member.length;
  const comma = commaAfter(text, end);
  const after = comma === undefined ? end : comma + 1;
  const previous = members[at - 1];
  const orphan = comma === undefined && previous ? commaAfter(text, previous.offset + previous.length) : undefined;
  const line = restOfLine(text, after);
  const start = member.offset - lineIndent(text, member.offset).length;
  if (ownLineIndent(text, member) !== undefined && /^(?:\r|\n|$)/.test(text.slice(line, line + 1))) {
    const stop = line + (/^(?:\r\n|\n|\r)?/.exec(text.slice(line, line + 2))?.[0].length ?? 0);
    return [
      ...(orphan === undefined ? [] : [{ offset: orphan, length: 1, content: '' }]),
      { offset: start, length: stop - start, content: '' },
    ];
  }
  if (orphan !== undefined) {
    // There can be a comment in between, and a line comment needs its line end.
    const between = text.slice(orphan + 1, member.offset).trimEnd();
    const from = /\/\/[^\r\n]*$/.test(between) ? start : orphan + 1 + between.length;
    return [
      { offset: orphan, length: 1, content: '' },
      { offset: from, length: end - from, content: '' },
    ];
  }
  const blank = /^[ \t]*/.exec(text.slice(after))?.[0].length ?? 0;
  return [{ offset: member.offset, length: after + blank - member.offset, content: '' }];
}

/** White space and comments. */
const trivia = /(?:\s|\/\/[^\r\n]*|\/\*(?:[^*]|\*(?!\/))*\*\/)*/y;

/** Returns where the next token begins. */
export function skipTrivia(text: string, offset: number): number {
  trivia.lastIndex = offset;
  trivia.test(text);
  return Math.max(offset, trivia.lastIndex);
}

function commaAfter(text: string, offset: number): number | undefined {
  const next = skipTrivia(text, offset);
  return text[next] === ',' ? next : undefined;
}

/** Returns the end of the comments on the same line after an offset. */
function restOfLine(text: string, offset: number): number {
  const same = /(?:[ \t]*\/\*(?:[^*\r\n]|\*(?!\/))*\*\/)*(?:[ \t]*\/\/[^\r\n]*)?/y;
  same.lastIndex = offset;
  const end = same.test(text) ? same.lastIndex : offset;
  const blank = /[ \t]*(?=[\r\n]|$)/y;
  blank.lastIndex = end;
  return blank.test(text) ? blank.lastIndex : end;
}

function lineIndent(text: string, offset: number): string {
  const start = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

/** Returns the indentation of a node that begins its line, or undefined if something precedes it. */
function ownLineIndent(text: string, { offset }: Node): string | undefined {
  const indent = lineIndent(text, offset);
  const before = text[offset - indent.length - 1];
  return before === '\n' || before === '\r' ? indent : undefined;
}

function intoEmpty(text: string, object: Node, written: (indent: string) => string, { eol, unit }: JsonLayout): Edit {
  const inner = object.offset + 1;
  const close = object.offset + object.length - 1;
  const outer = lineIndent(text, object.offset);
  const within = text.slice(inner, close);
  if (!/[\r\n]/.test(text)) return { offset: inner, length: 0, content: ` ${written('')} ` };
  const trimmedLength = within.trimEnd().length;
  return {
    offset: inner + trimmedLength,
    length: within.length - trimmedLength,
    content: `${eol}${outer}${unit}${written(outer + unit)}${eol}${outer}`,
  };
}
