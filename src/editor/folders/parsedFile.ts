import { parseTree, type JSONPath, type Node } from 'jsonc-parser';
import { nodeAt } from '../../model/files/nodeAt.ts';

export { nodeAt };

export type FileKindName = 'mission' | 'calltest' | 'probe' | 'ivr' | 'calltree';

/** A file that people edit, parsed as far as possible: incomplete JSON has the properties that can be recognised. */
export interface ParsedFile {
  readonly kind: FileKindName;
  readonly uri: string;
  readonly text: string;
  /** Undefined if nothing can be parsed, or the text is too long to check during typing. */
  readonly root: Node | undefined;
}

const kinds: readonly FileKindName[] = ['mission', 'calltest', 'probe', 'ivr', 'calltree'];
/** In UTF-16 units. */
const longest = 2_000_000;

export const isTooLong = (text: string): boolean => text.length > longest;

export const kindOf = (path: string): FileKindName | undefined => kinds.find((kind) => path.endsWith(`.${kind}.json`));

export function parseFile(kind: FileKindName, uri: string, text: string): ParsedFile {
  return { kind, uri, text, root: isTooLong(text) ? undefined : rootOf(text) };
}

function rootOf(text: string): Node | undefined {
  try {
    return parseTree(text, [], { allowTrailingComma: true });
  } catch (error) {
    // The parser recurses for each level.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Returns true if a path matches a pattern of names joined by dots. `*` is any one name or index, `**` any number of
 * them.
 */
export const isAt = (path: JSONPath, pattern: string): boolean => fits(path, pattern.split('.'));

function fits(path: JSONPath, pattern: readonly string[]): boolean {
  const [[first, ...rest], [name, ...names]] = [path, pattern];
  if (name === '**') return fits(path, names) || (first !== undefined && fits(rest, pattern));
  if (name === undefined || first === undefined) return name === first;
  return (name === '*' || name === first) && fits(rest, names);
}

export function textAt(root: Node | undefined, ...path: JSONPath): string | undefined {
  const node = nodeAt(root, path);
  return node?.type === 'string' ? String(node.value) : undefined;
}

export function numberAt(root: Node | undefined, ...path: JSONPath): number | undefined {
  const value: unknown = nodeAt(root, path)?.value;
  return typeof value === 'number' ? value : undefined;
}

interface Member {
  readonly name: string;
  readonly key: Node;
  /** Undefined while it is being typed. */
  readonly value: Node | undefined;
  /** Key and value. */
  readonly node: Node;
}

/** Returns the properties of an object, or an empty list for anything else. */
export function membersOf(object: Node | undefined): Member[] {
  if (object?.type !== 'object') return [];
  return (object.children ?? []).flatMap((node) => {
    const [key, value] = node.children ?? [];
    return key ? [{ name: String(key.value), key, value, node }] : [];
  });
}

export const entriesOf = (array: Node | undefined): readonly Node[] =>
  array?.type === 'array' ? (array.children ?? []) : [];

export const contains = (
  { offset, length }: { readonly offset: number; readonly length: number },
  at: number,
): boolean => at >= offset && at <= offset + length;
