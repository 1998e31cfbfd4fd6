import { posix } from 'node:path';
import type { L10n } from '../../basics/localise.ts';
import type { FolderContent, FileContext } from '../reading/fileContext.ts';
import { findFileProblems } from '../../../model/files/findFileProblems.ts';
import { lineStarts, maxProblems, problemText } from '../../../model/files/fileProblem.ts';
import { isTooLong, nodeAt, type ParsedFile } from '../../folders/parsedFile.ts';
import type { TextSpan } from '../reading/span.ts';
import { finding, type FileFinding, type FindingCode, type Remedy, type Severity } from './finding.ts';
import { ivrFindings } from './ivrFindings.ts';
import { testFindings } from './testFindings.ts';
import { treeFindings } from './treeFindings.ts';

/** Returns the problems of a file, and advice, in text order. */
export async function checkFile(file: ParsedFile, around: FileContext, l10n: L10n): Promise<FileFinding[]> {
  if (isTooLong(file.text)) return [tooLong(l10n)];
  const advice = firstOf(await allOf(file, { ...around, list: once(around.list) }, l10n), l10n);
  const problems = await problemsOf(file, around, advice, l10n);
  // A problem that comes with a fix is shown once.
  const others = problems.filter(
    ({ offset, length, message }) =>
      !advice.some(
        (one) =>
          one.severity === 'error' &&
          one.offset >= offset &&
          one.offset + one.length <= offset + length &&
          (!outside.has(one.code) || message.endsWith(one.message)),
      ),
  );
  return [...others, ...advice].sort((one, other) => one.offset - other.offset);
}

const ranks: readonly Severity[] = ['error', 'warning', 'information', 'hint'];

/** Returns the most severe findings and, if there are more, how many. A file can have one in every few characters. */
function firstOf(findings: readonly FileFinding[], l10n: L10n): readonly FileFinding[] {
  if (findings.length <= maxProblems) return findings;
  const ranked = findings.toSorted(
    (one, other) => ranks.indexOf(one.severity) - ranks.indexOf(other.severity) || one.offset - other.offset,
  );
  const more = ranked.slice(maxProblems, maxProblems + 1).map(({ severity, code, ...span }) => {
    const message = l10n.t('More problems in this file: {0}', findings.length - maxProblems);
    return finding(severity, code, span, message);
  });
  return [...ranked.slice(0, maxProblems), ...more];
}

/** Returns what prevents the file from being used, in the words that every command has for it. */
async function problemsOf(
  file: ParsedFile,
  { read, environment }: FileContext,
  advice: readonly FileFinding[],
  l10n: L10n,
): Promise<FileFinding[]> {
  const rowsFile = nodeAt(file.root, ['rowsFile']);
  const problems = await findFileProblems(
    file.text,
    file.uri,
    async (path) => {
      const known = advice.find(({ code, offset }) => outside.has(code) && offset === rowsFile?.offset);
      if (known) throw new Error(known.message);
      return { text: await read(path), file: path };
    },
    environment,
  );
  const starts = lineStarts(file.text);
  // The first problem of the rows is shown where the file names them.
  const beside = problems.find((problem) => problem.file !== file.uri);
  return [
    ...problems
      .filter((problem) => problem.file === file.uri && problem.isSyntax !== true)
      .map(({ line, column, length, message, secret }) => {
        const offset = Math.min((starts[line - 1] ?? 0) + column - 1, file.text.length);
        const place = { offset, length: Math.min(length, file.text.length - offset) };
        return secret === undefined
          ? invalid(place, message)
          : finding('error', 'missing-secret', place, message, { remedies: () => [setting(secret, l10n)] });
      }),
    ...(beside && rowsFile ? [invalid(rowsFile, problemText(beside))] : []),
  ];
}

const invalid = (place: TextSpan, message: string): FileFinding => finding('error', 'invalid', place, message);

/** The way to give a secret its value. */
const setting = (name: string, l10n: L10n): Remedy => ({
  kind: 'run',
  title: l10n.t('Set the secret {0}…', name),
  command: 'dialtree.secret.set',
  argument: { name },
});

/** Problems that can't be found in the file's own text. */
const outside: ReadonlySet<FindingCode> = new Set<FindingCode>(['missing-file', 'outside-file', 'duplicate-id']);

/** Reports that this file is too long for the checks that other files get. */
const tooLong = (l10n: L10n): FileFinding =>
  finding(
    'information',
    'too-long',
    { offset: 0, length: 1 },
    l10n.t('This file is too long to be checked in the editor. Split it, or shorten it to 2 million characters.'),
  );

function allOf(file: ParsedFile, around: FileContext, l10n: L10n): Promise<FileFinding[]> | FileFinding[] {
  switch (file.kind) {
    case 'ivr':
      return ivrFindings(file, around, l10n);
    case 'calltree':
      return treeFindings(file, l10n);
    case 'mission':
    case 'probe':
    case 'calltest':
      return testFindings(file, around, l10n);
  }
}

/** Many recordings can be in one folder, so it is listed once. */
function once(list: FileContext['list']): FileContext['list'] {
  const known = new Map<string, Promise<FolderContent | undefined>>();
  return (path) => {
    // A folder has many names, such as "a" and "b/../a".
    const folder = posix.normalize(path);
    const content = known.get(folder) ?? list(folder);
    known.set(folder, content);
    return content;
  };
}
