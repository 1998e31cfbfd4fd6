import ts from 'typescript';

/** One small change of a source file that a test should notice. */
export interface Mutant {
  /** One-based. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
  /** The whole file including the change. */
  readonly source: string;
}

const { SyntaxKind } = ts;
const operators: Partial<Record<ts.SyntaxKind, readonly string[]>> = {
  [SyntaxKind.LessThanToken]: ['<=', '>='],
  [SyntaxKind.LessThanEqualsToken]: ['<', '>'],
  [SyntaxKind.GreaterThanToken]: ['>=', '<='],
  [SyntaxKind.GreaterThanEqualsToken]: ['>', '<'],
  [SyntaxKind.EqualsEqualsEqualsToken]: ['!=='],
  [SyntaxKind.ExclamationEqualsEqualsToken]: ['==='],
  [SyntaxKind.PlusToken]: ['-'],
  [SyntaxKind.MinusToken]: ['+'],
  [SyntaxKind.AsteriskToken]: ['/'],
  [SyntaxKind.SlashToken]: ['*'],
  [SyntaxKind.AmpersandAmpersandToken]: ['||'],
  [SyntaxKind.BarBarToken]: ['&&'],
  [SyntaxKind.QuestionQuestionToken]: ['&&'],
};
const methods: Readonly<Record<string, string>> = { max: 'min', min: 'max', some: 'every', every: 'some' };

/** Returns every mutant of a file: each changes one operator, literal, condition, statement or result. */
export function mutantsOf(source: string): Mutant[] {
  const file = ts.createSourceFile('mutated.ts', source, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isImportDeclaration(node)) return;
    for (const [at, after, shown = after] of changesOf(node)) {
      const [start, end] = [at.getStart(file), at.getEnd()];
      const changed = source.slice(0, start) + after + source.slice(end);
      const line = file.getLineAndCharacterOfPosition(start).line + 1;
      mutants.push({ line, before: source.slice(start, end), after: shown, source: changed });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return mutants;
}

type Change = readonly [at: ts.Node, after: string, shown?: string];

const changesOf = (node: ts.Node): Change[] => [
  ...changesOfStatement(node),
  ...changesOfLiteral(node),
  ...changesOfExpression(node),
  ...changesOfCondition(node),
];

function changesOfStatement(node: ts.Node): Change[] {
  if (ts.isExpressionStatement(node) || ts.isThrowStatement(node)) return [[node, ';']];
  const result = ts.isReturnStatement(node) || ts.isArrowFunction(node) ? resultOf(node) : undefined;
  return result && result.getText() !== 'undefined' ? [[result, 'undefined']] : [];
}

const resultOf = (node: ts.ReturnStatement | ts.ArrowFunction): ts.Expression | undefined =>
  ts.isReturnStatement(node) ? node.expression : ts.isBlock(node.body) ? undefined : node.body;

function changesOfLiteral(node: ts.Node): Change[] {
  if (node.kind === SyntaxKind.TrueKeyword) return [[node, 'false']];
  if (node.kind === SyntaxKind.FalseKeyword) return [[node, 'true']];
  if (ts.isNumericLiteral(node)) return [[node, Number(node.text) === 0 ? '1' : '0']];
  if (ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [[node, '``']];
  if (!ts.isStringLiteral(node) || ts.isExportDeclaration(node.parent)) return [];
  const isName = ts.isPropertyAssignment(node.parent) && node.parent.name === node;
  return isName ? [] : [[node, node.text === '' ? "'mutant'" : "''"]];
}

function changesOfExpression(node: ts.Node): Change[] {
  if (ts.isBinaryExpression(node)) {
    const { left, right, operatorToken } = node;
    const others = operators[operatorToken.kind] ?? [];
    const [one, two] = [left.getText(), right.getText()];
    return others.map((other) => [node, `((${one}) ${other} (${two}))`, `${one} ${other} ${two}`]);
  }
  const { parent } = node;
  const method = ts.isIdentifier(node) && ts.isPropertyAccessExpression(parent) ? methods[node.text] : undefined;
  return method !== undefined && ts.isPropertyAccessExpression(parent) && parent.name === node ? [[node, method]] : [];
}

/** The negation of a comparison is already among its operator changes. */
function changesOfCondition(node: ts.Node): Change[] {
  let condition: ts.Expression | undefined;
  if (ts.isIfStatement(node) || ts.isWhileStatement(node) || ts.isDoStatement(node)) condition = node.expression;
  else if (ts.isConditionalExpression(node) || ts.isForStatement(node)) condition = node.condition;
  const { AmpersandAmpersandToken, BarBarToken } = SyntaxKind;
  if (!condition) return [];
  const isComparison =
    ts.isBinaryExpression(condition) &&
    operators[condition.operatorToken.kind] &&
    ![AmpersandAmpersandToken, BarBarToken].includes(condition.operatorToken.kind);
  return isComparison ? [] : [[condition, `!(${condition.getText()})`]];
}
