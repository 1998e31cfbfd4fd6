// Compares the texts of the interface, the arguments of `l10n.t` in src/ and `t` in webview/, with the bundles of
// l10n/.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';

export interface Text {
  readonly message: string;
  /** `FILE:LINE` */ readonly place: string;
}

export interface FoundTexts {
  readonly texts: readonly Text[];
  /** Places where the message isn't a literal, so that it can't be translated. */
  readonly unreadable: readonly string[];
}

export type Bundle = Readonly<Record<string, string>>;

const root = path.resolve(import.meta.dirname, '../..');
const folder = path.join(root, 'l10n');
export const languages = ['de'] as const;
const english = path.join(folder, 'bundle.l10n.json');
const fileOf = (language: string): string => path.join(folder, `bundle.l10n.${language}.json`);

/** The keys of the English bundle are its texts, as the editor requires. */
export const readEnglish = (): Promise<Bundle> => readBundle(english);
export const readTranslation = (language: (typeof languages)[number]): Promise<Bundle> => readBundle(fileOf(language));

export async function findTexts(): Promise<FoundTexts> {
  const files = await sourceFiles(['src', 'webview']);
  const found = await Promise.all(files.map(async (file) => textsIn(await parse(file), path.relative(root, file))));
  return { texts: found.flatMap(({ texts }) => texts), unreadable: found.flatMap(({ unreadable }) => unreadable) };
}

/** Returns the files that can show texts in the editor. */
export async function sourceFiles(folders = ['src/editor', 'webview']): Promise<string[]> {
  const found = await Promise.all(
    folders.map(async (base) =>
      (await readdir(path.join(root, base), { recursive: true })).map((name) => path.join(root, base, name)),
    ),
  );
  return found
    .flat()
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .sort();
}

export async function parse(file: string): Promise<ts.SourceFile> {
  return ts.createSourceFile(path.relative(root, file), await readFile(file, 'utf8'), ts.ScriptTarget.Latest, true);
}

export function textsIn(source: ts.SourceFile, name: string): FoundTexts {
  const texts: Text[] = [];
  const unreadable: string[] = [];
  const placeOf = (node: ts.Node): string =>
    `${name}:${String(source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1)}`;
  const look = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isLocalising(node)) {
      const place = placeOf(node);
      const [message] = node.arguments;
      if (message && ts.isStringLiteralLike(message)) texts.push({ message: message.text, place });
      // The tag of the sentence has the literal.
      else if (message?.getText() !== 'template') unreadable.push(place);
    }
    const template = sentenceIn(node);
    // A text without a template stays as it is.
    if (template !== undefined && template !== '{0}') texts.push({ message: template, place: placeOf(node) });
    ts.forEachChild(node, look);
  };
  look(source);
  return { texts, unreadable };
}

/** Returns the template of a sentence that the service leaves to its clients to show: `{0}`, `{1}` … for the values. */
function sentenceIn(node: ts.Node): string | undefined {
  if (!ts.isTaggedTemplateExpression(node) || node.tag.getText() !== 'sentence') return undefined;
  const { template } = node;
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text;
  return template.templateSpans.reduce(
    (before, { literal }, index) => `${before}{${String(index)}}${literal.text}`,
    template.head.text,
  );
}

/** Returns the reasons of results that are English text, so that a client can't show them in its language. */
export function englishReasonsIn(source: ts.SourceFile): string[] {
  const found: string[] = [];
  const look = (node: ts.Node): void => {
    const text =
      ts.isPropertyAssignment(node) && node.name.getText() === 'reason' && !isEndOfCall(node.parent)
        ? node.initializer
        : ts.isCallExpression(node) && node.expression.getText() === 'sentencesOf'
          ? node.arguments[0]
          : undefined;
    if (text && hasText(text)) found.push(`${source.fileName} ${text.getText()}`);
    ts.forEachChild(node, look);
  };
  look(source);
  return found;
}

/** The reason of a SIP call's end is in terms of SIP. */
const isEndOfCall = (object: ts.ObjectLiteralExpression): boolean =>
  object.properties.some(({ name }) => name?.getText() === 'kind');
const hasText = (node: ts.Node): boolean =>
  !ts.isTaggedTemplateExpression(node) &&
  ((ts.isStringLiteralLike(node) && node.text !== '') ||
    ts.isTemplateExpression(node) ||
    ts.forEachChild(node, hasText) === true);

/** Returns true for `l10n.t(…)` on any object, and for `t(…)` of the pages. */
export function isLocalising({ expression }: ts.CallExpression): boolean {
  if (ts.isIdentifier(expression)) return expression.text === 't';
  if (!ts.isPropertyAccessExpression(expression) || expression.name.text !== 't') return false;
  const holder = ts.isPropertyAccessExpression(expression.expression)
    ? expression.expression.name
    : expression.expression;
  return /^#?l10n$/.test(holder.getText());
}

async function readBundle(file: string): Promise<Bundle> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Bundle;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

async function writeBundle(file: string, bundle: Bundle): Promise<void> {
  await writeFile(file, `${JSON.stringify(bundle, undefined, 2)}\n`);
}

/**
 * Updates the English bundle, and removes unused texts from the others. Returns what is left to do: texts to translate,
 * and places where the text isn't a literal.
 */
export async function writeBundles(): Promise<readonly string[]> {
  const { texts, unreadable } = await findTexts();
  const places = new Map(texts.map(({ message, place }) => [message, place]));
  const wanted = [...places.keys()];
  const toDo = unreadable.map((place) => `${place}: the text is not a literal`);
  await writeBundle(english, Object.fromEntries(wanted.map((message) => [message, message])));
  for (const language of languages) {
    const bundle = await readTranslation(language);
    const translated = wanted.flatMap((message) => {
      const text = bundle[message];
      if (text !== undefined) return [[message, text] as const];
      toDo.push(`${places.get(message) ?? ''}: ${language} lacks ${JSON.stringify(message)}`);
      return [];
    });
    // In the order of the sources, so that related texts are adjacent.
    await writeBundle(fileOf(language), Object.fromEntries(translated));
  }
  return toDo;
}
