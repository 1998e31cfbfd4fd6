import { applyEdits, parseTree } from 'jsonc-parser';
import { insertMember } from './jsonMembers.ts';

/** Returns the text of a file with `id` as its first property, or after `$schema`. Comments and layout stay. */
export function withId(text: string, id: string): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const body = text.slice(mark.length);
  const root = parseTree(body, [], { allowTrailingComma: true });
  if (root?.type !== 'object') return text;
  const [first] = root.children ?? [];
  // A comment at the end of the line of $schema stays there.
  const afterFirst =
    first?.children?.[0]?.value === '$schema' && !/^[ \t]*,?[ \t]*\//.test(body.slice(first.offset + first.length));
  return mark + applyEdits(body, insertMember(body, root, 'id', JSON.stringify(id), afterFirst ? first : 'first'));
}
