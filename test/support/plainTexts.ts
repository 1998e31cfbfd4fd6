import ts from 'typescript';
import { isLocalising } from './l10nStrings.ts';
import { listed } from './listed.ts';

/** Calls whose text is for the log or a programmer, or isn't text. */
const quietCalls =
  /(^|\.)(#?log|#?parts\.log|#?options\.log|console)\.\w+$|^(new )?Error$|matchMedia|querySelector(All)?$|closest$|startsWith$|execCommand$/;
/** Attributes of elements and members of objects that aren't shown. */
const quietNames = new Set(
  listed(`
  class d d2 viewBox style id transform patternTransform patternUnits slot aria-labelledby aria-describedby points
  group kind type key code page
`),
);

/** Returns texts that seem to be for a person and can't be translated, each with its place. */
export function plainTextsIn(source: ts.SourceFile): string[] {
  const found: string[] = [];
  const look = (node: ts.Node): void => {
    if (isText(node) && readsAsWords(textOf(node)) && !isQuiet(node)) {
      found.push(
        `${source.fileName}:${String(source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1)} ${JSON.stringify(textOf(node))}`,
      );
    }
    ts.forEachChild(node, look);
  };
  look(source);
  return found;
}

type TextNode = ts.StringLiteralLike | ts.TemplateExpression;
const isText = (node: ts.Node): node is TextNode => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
const textOf = (node: TextNode): string =>
  ts.isTemplateExpression(node)
    ? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…')
    : node.text;

/** Two adjacent words, one beside a value, or one that begins like a sentence; but no units or class names. */
function readsAsWords(text: string): boolean {
  const isClasses = text.includes('-') && /^[a-z…-]+( [a-z…-]+)*$/.test(text);
  return (
    !isClasses &&
    /\p{L}{2,}[,;:.!?]? \p{L}|^\p{Lu}\p{Ll}{2,}\b|… \p{Ll}{2,}|\p{Ll}{2,} …/u.test(
      text.replaceAll(/(?<=… )(ms|min)\b/g, ''),
    )
  );
}

function isQuiet(node: ts.Node): boolean {
  for (let at = node, { parent } = node; parent; at = parent, { parent } = parent) {
    if (
      ts.isImportDeclaration(parent) ||
      ts.isExportDeclaration(parent) ||
      ts.isTypeNode(parent) ||
      (ts.isCaseClause(parent) && parent.expression === at)
    )
      return true;
    if (ts.isBinaryExpression(parent) && /^[!=]==$/.test(parent.operatorToken.getText())) return true;
    if (ts.isPropertyAssignment(parent) && (parent.name === at || quietNames.has(nameOf(parent.name)))) return true;
    if (ts.isElementAccessExpression(parent) && parent.argumentExpression === at) return true;
    if (
      ts.isCallExpression(parent) &&
      ((isLocalising(parent) && parent.arguments[0] === at) || quietCalls.test(parent.expression.getText()))
    )
      return true;
    if (ts.isNewExpression(parent) && quietCalls.test(`new ${parent.expression.getText()}`)) return true;
    if (ts.isFunctionLike(parent)) return false;
  }
  return false;
}

const nameOf = (name: ts.PropertyName): string =>
  ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? name.text : '';
