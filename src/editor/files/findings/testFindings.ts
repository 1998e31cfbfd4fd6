import type { Node } from 'jsonc-parser';
import { findColumnProblems } from '../../../model/tests/columnUse.ts';
import { variablesOf } from '../../../model/tests/environment.ts';
import { maxProblems } from '../../../model/files/fileProblem.ts';
import type { TestRow } from '../../../model/tests/rowsFile.ts';
import { shownSentences, type L10n } from '../../basics/localise.ts';
import { unjudgedBlock } from '../../../model/report/planBlocks.ts';
import { nameIn } from '../../folders/fileName.ts';
import { turnIntoChecks } from '../assistance/turnIntoChecks.ts';
import type { FileContext } from '../reading/fileContext.ts';
import { entriesOf, membersOf, nodeAt, textAt, type ParsedFile } from '../../folders/parsedFile.ts';
import { isPhoneNumber, isPracticeNumber, routeOf } from '../reading/phoneNumbers.ts';
import { collectedNames, columnsOf, columnsUsed, inlineRows, readSteps, testRowsOf } from '../reading/testSteps.ts';
import { finding, meantAmong, replacing, type FileFinding, type Remedy } from './finding.ts';
import { missingFile } from './missingFile.ts';
import { stepFindings } from './stepFindings.ts';

export async function testFindings(file: ParsedFile, around: FileContext, l10n: L10n): Promise<FileFinding[]> {
  const found = [
    ...routeFindings(file, around, l10n),
    ...idFindings(file, around, l10n),
    ...criterionFindings(file, around, l10n),
    ...(await missingFile(nodeAt(file.root, ['ivr']), around, l10n, {})),
  ];
  if (file.kind !== 'calltest') return found;
  return [...found, ...stepFindings(file, l10n), ...(await rowFindings(file, around, l10n))];
}

function routeFindings({ root }: ParsedFile, { routes }: FileContext, l10n: L10n): FileFinding[] {
  const node = nodeAt(root, ['phoneNumber']);
  const number = textAt(root, 'phoneNumber');
  if (
    !node ||
    number === undefined ||
    routes === undefined ||
    !isPhoneNumber(number) ||
    isPracticeNumber(number) ||
    routeOf(number, routes)
  )
    return [];
  const message = l10n.t("No line serves {0}, so Dialtree can't call it. Add a line for it.", number);
  const add: Remedy = { kind: 'run', title: l10n.t('Add a line for {0}…', number), command: 'dialtree.line.add' };
  return [finding('warning', 'missing-route', node, message, { remedies: () => [add] })];
}

function idFindings({ root, uri }: ParsedFile, { filesWithId, newId }: FileContext, l10n: L10n): FileFinding[] {
  const node = nodeAt(root, ['id']);
  const id = textAt(root, 'id');
  if (!node || id === undefined || id === '') return [];
  const others = filesWithId(id).filter((other) => other.uri !== uri);
  if (others.length === 0) return [];
  const message = l10n.t(
    '{0} has the same ID. The service identifies a test by its ID, so each copy needs its own ID.',
    nameIn(others[0]?.uri ?? ''),
  );
  return [
    finding('error', 'duplicate-id', node, message, {
      related: others.map((other) => ({ uri: other.uri, message: l10n.t('The same ID is used here.') })),
      remedies: () => [replacing(l10n.t('Give this file its own ID'), node, JSON.stringify(newId()))],
    }),
  ];
}

function criterionFindings(
  { root, kind, text }: ParsedFile,
  { criterion, routes }: FileContext,
  l10n: L10n,
): FileFinding[] {
  const node = nodeAt(root, ['acceptance']);
  const acceptance = textAt(root, 'acceptance');
  if (kind !== 'mission' || !node || acceptance === undefined || nodeAt(root, ['checks'])) return [];
  const { unjudged, asChecks } = criterion(acceptance);
  const found: FileFinding[] = [];
  if (asChecks) {
    const turn = (): Remedy[] => [
      { kind: 'edit', title: l10n.t('Turn into Checks'), edits: turnIntoChecks(text, node, asChecks) },
    ];
    found.push(finding('hint', 'derivable', node, '', { isOffer: true, remedies: turn }));
  }
  const why = unjudgedBlock({ unjudged });
  if (!why) return found;
  const message = shownSentences(why, l10n);
  const choose: Remedy = { kind: 'run', title: l10n.t('Choose Language Model…'), command: 'dialtree.model.choose' };
  // A remote service uses the model of its operator.
  const isRemote = routes === undefined;
  return [...found, finding('warning', 'unjudged', node, message, isRemote ? {} : { remedies: () => [choose] })];
}

async function rowFindings(file: ParsedFile, around: FileContext, l10n: L10n): Promise<FileFinding[]> {
  const place = nodeAt(file.root, ['rowsFile']);
  const steps = readSteps(file);
  const header = [...columnsUsed(steps)];
  const content = `${header.length > 0 ? header.join(',') : 'column'}\n${header.map(() => '1').join(',') || '1'}\n`;
  const missing = await missingFile(place, around, l10n, { content });
  if (missing.length > 0) return missing;
  const read = await testRowsOf(file, around.read);
  const readBeside = async (path: string) => ({ text: await around.read(path), file: path });
  const variables = await variablesOf(readBeside, around.environment);
  return read
    ? [...unknownColumns(file, read.rows, variables, l10n), ...unusedColumns(file, place, read.rows, l10n)]
    : [];
}

function unknownColumns(
  file: ParsedFile,
  rows: readonly TestRow[] | undefined,
  variables: readonly string[],
  l10n: L10n,
): FileFinding[] {
  const steps = readSteps(file);
  const known = new Set([...columnsOf(rows), ...collectedNames(steps)]);
  const meantBy = meantAmong([...known]);
  return findColumnProblems(steps, rows).flatMap(({ path, message, column }, index): FileFinding[] => {
    const node = nodeAt(file.root, [...path]);
    if (!node || (column !== undefined && variables.includes(column))) return [];
    if (column === undefined) return node.value === '' ? [] : [finding('error', 'unknown-column', node, message)];
    const inBraces = `{${column}}`;
    // Each search reads the text of the step again.
    const within = index < maxProblems ? file.text.slice(node.offset, node.offset + node.length).indexOf(inBraces) : -1;
    const place = within < 0 ? node : { offset: node.offset + within, length: inBraces.length };
    const near = known.has(column) ? undefined : meantBy(column);
    const meant = `{${near ?? ''}}`;
    const remedies = (): Remedy[] => [replacing(l10n.t('Change to "{0}"', meant), place, meant)];
    return [finding('error', 'unknown-column', place, message, near === undefined ? {} : { remedies })];
  });
}

function unusedColumns(
  file: ParsedFile,
  rowsFile: Node | undefined,
  rows: readonly TestRow[] | undefined,
  l10n: L10n,
): FileFinding[] {
  const used = columnsUsed(readSteps(file));
  const inline = inlineRows(file) === undefined ? [] : entriesOf(nodeAt(file.root, ['rows']));
  const keys = new Map<string, Node>();
  for (const { name, key } of inline.flatMap(membersOf)) if (!keys.has(name)) keys.set(name, key);
  return columnsOf(rows)
    .filter((column) => !used.has(column))
    .flatMap((column): FileFinding[] => {
      const key = keys.get(column);
      const place = key ?? rowsFile;
      const message = l10n.t('No step uses the column "{0}".', column);
      return place ? [finding('information', 'unused-column', place, message, key && { isUnneeded: true })] : [];
    });
}
