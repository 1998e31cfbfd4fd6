import { BranchCoverage, FileCoverage, Position, Range, StatementCoverage, TestCoverageCount, Uri } from 'vscode';
import type { FileCoverageDetail, TestItem, TestRun, TestRunProfile } from 'vscode';
import type { FilePlace } from '../../../model/files/fileProblem.ts';
import type { Walk } from '../../../model/tests/pathCoverage.ts';
import { workspaceFile } from '../../folders/workspaceFile.ts';
import { coverableTree, type CoveredStep } from './coverageDetails.ts';
import type { WalkedCalls } from './walkedCalls.ts';

/** The source of each coverage, for as long as the editor keeps it. */
const loaders = new WeakMap<FileCoverage, (only?: TestItem) => FileCoverageDetail[]>();

/** Adds the coverage of each of these mapped trees: which steps and branches the calls of a run went through. */
export async function addCoverage(
  run: TestRun,
  calls: WalkedCalls<TestItem>,
  trees: readonly string[],
): Promise<FileCoverage[]> {
  const coverages: FileCoverage[] = [];
  for (const uri of trees) {
    const coverage = await coverageOf(Uri.parse(uri), calls);
    if (!coverage) continue;
    run.addCoverage(coverage);
    coverages.push(coverage);
  }
  return coverages;
}

/** Details are created when the editor requests them. */
export function loadDetails(profile: TestRunProfile): void {
  profile.loadDetailedCoverage = (_run, coverage) => Promise.resolve(loaders.get(coverage)?.() ?? []);
  profile.loadDetailedCoverageForTest = (_run, coverage, item) => Promise.resolve(loaders.get(coverage)?.(item) ?? []);
}

async function coverageOf(uri: Uri, calls: WalkedCalls<TestItem>): Promise<FileCoverage | undefined> {
  const source = workspaceFile(uri);
  const tree = coverableTree(await source.read(), source.file);
  const walked = tree ? calls.through(tree.calltree) : [];
  if (!tree || walked.length === 0) return undefined;
  const cover = (walks: readonly Walk[]): FileCoverageDetail[] => tree.cover(walks).map(detail);
  const details = cover(walked.map(({ walk }) => walk));
  const whole = FileCoverage.fromDetails(uri, details);
  const coverage = new FileCoverage(
    uri,
    whole.statementCoverage,
    whole.branchCoverage ?? new TestCoverageCount(0, 0),
    undefined,
    [...new Set(walked.map(({ item }) => item))],
  );
  loaders.set(coverage, (only) =>
    only ? cover(walked.filter(({ item }) => item.id === only.id).map(({ walk }) => walk)) : details,
  );
  return coverage;
}

const detail = ({ executed, from, to, ways }: CoveredStep): StatementCoverage =>
  new StatementCoverage(
    executed,
    new Range(position(from), position(to)),
    ways.map((way) => new BranchCoverage(way.executed, position(way.at), way.label)),
  );
const position = ({ line, column }: FilePlace): Position => new Position(line - 1, column - 1);
