import { parseTree, type Node, type ParseError } from 'jsonc-parser';
import * as z from 'zod';
import { didYouMean } from './didYouMean.ts';
import { fileMessage } from './fileMessage.ts';
import { firstProblems, maxProblems, placeIn, placesIn, type FileProblem, type FilePlace } from './fileProblem.ts';
import { skipTrivia } from './jsonMembers.ts';
import { nodeAt } from './nodeAt.ts';

type Path = readonly PropertyKey[];

export interface JsonFile<Value> {
  readonly value: Value;
  /** Returns the position of a property or an entry. If it isn't in the file, returns that of its nearest parent. */
  readonly placeOf: (path: Path) => FilePlace;
  readonly problemAt: (path: Path, message: string) => FileProblem;
}

/** Returns a parsed value without its references, and notes those that have a problem. `secret`: this one has no value. */
export type Resolve = (value: unknown, note: (path: Path, message: string, secret?: string) => void) => unknown;

/** Parses JSON with comments and trailing commas. `file` is its name in the problems, which are in text order. */
export function readJsonFile<Schema extends z.ZodType>(
  given: string,
  file: string,
  schema: Schema,
  resolve?: Resolve,
): JsonFile<z.output<Schema>> | { readonly problems: readonly FileProblem[] } {
  try {
    return readNested(given, file, schema, resolve);
  } catch (error) {
    // Parser and schema recurse with the text; no legitimate file nests this deeply.
    if (error instanceof RangeError)
      return {
        problems: [
          {
            file,
            line: 1,
            column: 1,
            length: 1,
            message: 'Lists and objects are nested too deeply. Use fewer levels.',
          },
        ],
      };
    throw error;
  }
}

function readNested<Schema extends z.ZodType>(
  given: string,
  file: string,
  schema: Schema,
  resolve?: Resolve,
): JsonFile<z.output<Schema>> | { readonly problems: readonly FileProblem[] } {
  // A byte order mark isn't a column.
  const text = given.replace(/^\uFEFF/, '');
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (skipTrivia(text, 0) >= text.length)
    return { problems: [{ file, ...placeIn(text, 0), length: 1, message: emptyMessage(schema) }] };
  if (error || !root) return { problems: [syntaxProblem(text, file, error)] };
  const place = placesIn(text);
  const at = (node: Node, message: string): FileProblem => {
    const { offset, length } = markOf(node);
    return { file, ...place(offset), length: Math.max(1, length), message };
  };
  const twice = repeated(root).map((node) =>
    at(node, `"${String(node.value)}" occurs twice in the same object. Remove one.`),
  );
  if (twice.length > 0) return { problems: firstProblems(twice) };

  const problemAt = (path: Path, message: string): FileProblem => at(nearest(root, path), withPath(path, message));
  const unresolved: FileProblem[] = [];
  const note = (path: Path, message: string, secret?: string): void => {
    if (unresolved.length < maxProblems)
      unresolved.push({ ...problemAt(path, message), ...(secret !== undefined && { secret }) });
  };
  const value = resolve ? resolve(valueOf(root), note) : valueOf(root);
  if (unresolved.length > 0) return { problems: unresolved };
  const known = new Map<string, readonly string[]>();
  const result = schema.safeParse(value, {
    error: (issue) => {
      if (issue.code === 'unrecognized_keys' && issue.inst instanceof z.ZodObject)
        known.set(pathKey(issue.path ?? []), Object.keys(issue.inst.shape));
      return fileMessage(issue);
    },
  });
  if (!result.success) {
    const issues = result.error.issues
      .flatMap((issue) => inOwnType(issue))
      .flatMap(({ issue, within }): { readonly path: Path; readonly message: string; readonly unknown?: Unknown }[] => {
        const path = [...within, ...issue.path];
        if (issue.code !== 'unrecognized_keys') return [{ ...issue, path }];
        const names = known.get(pathKey(issue.path)) ?? [];
        return issue.keys.map((key) => ({ ...issue, path, unknown: { key, names } }));
      });
    const found = issues
      .slice(0, maxProblems)
      .map(({ path, message, unknown }): NodeProblem =>
        unknown === undefined ? { node: nearest(root, path), message, path } : unknownMember(root, path, unknown),
      );
    // A property with a wrong name is one mistake, not two.
    const meant = new Set(found.flatMap(({ meant: name }) => name ?? []));
    const problems = found.filter(
      ({ path, meant: name }) => name !== undefined || !(meant.has(pathKey(path)) && !nodeAt(root, segments(path))),
    );
    return {
      problems: firstProblems(
        problems
          .sort((a, b) => a.node.offset - b.node.offset)
          .map(({ node, path, message }) => at(node, withPath(path, message))),
        issues.length,
      ),
    };
  }
  return { value: result.data, problemAt, placeOf: (path) => place(nearest(root, path).offset) };
}

interface NodeProblem {
  readonly node: Node;
  readonly message: string;
  readonly path: Path;
  readonly meant?: string;
}

/** Returns the problems of the one type that a value of several possible types has; their paths begin at `within`. */
function inOwnType(
  issue: z.core.$ZodIssue,
  within: Path = [],
): { readonly issue: z.core.$ZodIssue; readonly within: Path }[] {
  const branches = issue.code === 'invalid_union' ? issue.errors : [];
  const own = branches.filter(
    (issues) => !issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0),
  );
  const [only] = own;
  return only === undefined || own.length > 1
    ? [{ issue, within }]
    : only.flatMap((inner) => inOwnType(inner, [...within, ...issue.path]));
}

interface Unknown {
  readonly key: string;
  /** What the object may contain. */
  readonly names: readonly string[];
}

function unknownMember(root: Node, path: Path, { key, names }: Unknown): NodeProblem {
  const value = nodeAt(root, segments([...path, key]));
  const near = didYouMean(key, names);
  const advice =
    near !== undefined ? `Did you mean "${near}"?` : `Allowed: ${names.map((name) => `"${name}"`).join(', ')}.`;
  return {
    node: value?.parent?.children?.[0] ?? nearest(root, path),
    path,
    message: `The member "${key}" isn't allowed here. ${advice}`,
    ...(near !== undefined && { meant: pathKey([...path, near]) }),
  };
}

/** Entries are counted from 1, like steps and rows in reports. */
const withPath = (path: Path, message: string): string =>
  path.length === 0
    ? message
    : `${path.map((part) => (typeof part === 'number' ? String(part + 1) : String(part))).join('.')}: ${message}`;

const pathKey = (path: Path): string => path.map(String).join('/');
const segments = (path: Path): (string | number)[] =>
  path.map((part) => (typeof part === 'number' ? part : String(part)));

function nearest(root: Node, path: Path): Node {
  let node = root;
  for (const part of segments(path)) {
    const next = nodeAt(node, [part]);
    if (!next) break;
    node = next;
  }
  return node;
}

/** Unlike jsonc-parser's own function, keeps properties called `__proto__`. */
function valueOf(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(valueOf);
  if (node.type !== 'object') return node.value;
  return Object.fromEntries(
    (node.children ?? []).map(({ children: [name, value] = [] }) => [String(name?.value), value && valueOf(value)]),
  );
}

/** Returns properties whose name their object already has. */
function repeated(node: Node): Node[] {
  const names = new Set<unknown>();
  return (node.children ?? []).flatMap((child) => {
    const name = node.type === 'object' ? child.children?.[0] : undefined;
    const again = name !== undefined && names.has(name.value);
    names.add(name?.value);
    return [...(again ? [name] : []), ...repeated(child)];
  });
}

/** An object or a list is marked at its property, or else at its bracket. All of it would be hard to read. */
function markOf(node: Node): Pick<Node, 'offset' | 'length'> {
  if (node.type !== 'object' && node.type !== 'array') return node;
  const key = node.parent?.type === 'property' ? node.parent.children?.[0] : undefined;
  return key ?? { offset: node.offset, length: 1 };
}

const emptyMessage = (schema: z.ZodType): string =>
  [
    'The file is empty.',
    ...(schema.safeParse({}, { error: fileMessage }).error?.issues ?? []).map((issue) => issue.message),
  ].join(' ');

/** By the numbers of jsonc-parser's ParseErrorCode. */
const syntax: Readonly<Record<number, string>> = {
  1: "This isn't a JSON value. Put text in double quotes.",
  2: "This isn't a number.",
  3: 'A name in double quotes is missing here.',
  4: 'A value is missing here.',
  5: 'A colon is missing before this.',
  6: 'A comma is missing before this.',
  7: 'A closing } is missing.',
  8: 'A closing ] is missing.',
  9: 'There is content after the end of the JSON. Remove it.',
  10: "This isn't a comment. Use // or /* */.",
  11: "This comment isn't closed. Add */ at its end.",
  12: "This text isn't closed. Add a double quote at its end.",
  13: "This isn't a number.",
  14: "This isn't an escape. Use \\u and four hexadecimal digits.",
  15: "This isn't an escape. Write \\\\ for a backslash.",
  16: "This character isn't allowed in text. Write \\n, \\t or \\u and four hexadecimal digits.",
};

/** Reports only the first error, because the others follow from it. */
const syntaxProblem = (text: string, file: string, error: ParseError | undefined): FileProblem => ({
  file,
  ...placeIn(text, error?.offset ?? 0),
  length: Math.max(1, error?.length ?? 1),
  message: `Not valid JSON. ${syntax[error?.error ?? 0] ?? ''}`.trim(),
  isSyntax: true,
});
