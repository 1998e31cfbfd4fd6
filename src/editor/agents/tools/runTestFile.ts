import type { PlannedCalls } from '../../../contract/callPlan.ts';
import { HumanError } from '../../../contract/errors.ts';
import type { TestFile } from '../../../model/tests/testFile.ts';
import { readTest as readSource } from '../../folders/testSource.ts';
import { planAt } from '../../../runner/planAt.ts';
import { subjectOf, type RunEnding } from '../../../runner/runTest.ts';
import { testIdOf } from '../../../runner/testId.ts';
import type { Failure } from '../../testing/failures.ts';
import type { ToolUse } from './agentTool.ts';
import type { Answer } from './answer.ts';
import { runsAnswer } from '../../../model/report/runText.ts';
import type { ToolParts } from './toolParts.ts';

/** Returns the plan of a test of a file. @throws HumanError if the file contains no test of this kind */
export async function plannedFile(
  parts: Pick<ToolParts, 'client' | 'testFile' | 'practice'>,
  path: string,
  kind: 'calltest' | 'mission',
  signal: AbortSignal,
): Promise<{ readonly name: string; readonly plan: PlannedCalls }> {
  const file = await readTest(parts, path, kind);
  const { id: ownId, name, phoneNumber, ivr } = file.test;
  const id = await testIdOf(ownId, parts.testFile(path).path);
  const isPlayed = (place: string): boolean => ivr !== undefined && place.endsWith(ivr.replace(/^(?:\.{1,2}\/)+/, ''));
  const called = phoneNumber ?? parts.practice.running.find((running) => isPlayed(running.file))?.uri;
  const plan = await planAt(called, (number) =>
    parts.client.call('planCalls', subjectOf({ file, id, phoneNumber: number }), { signal }),
  );
  return { name, plan };
}

const held = {
  mission: 'mission: use dialtree_runMission',
  calltest: 'scripted test: use dialtree_runTest',
  probe: 'compliance probe, which only a person runs: in the Test Explorer, or with the command dialtree run',
} as const;

async function readTest(
  { testFile }: Pick<ToolParts, 'testFile'>,
  path: string,
  kind: 'calltest' | 'mission',
): Promise<TestFile> {
  const source = testFile(path);
  const read = await readSource(source);
  if ('problems' in read) {
    // The problems can quote the file.
    const problems = read.problems.map(({ line, message }) => `line ${String(line)}: ${message}`).join('; ');
    throw new HumanError(`The file ${path} isn't a test: “${problems}” Correct it, then try again.`, {
      status: 400,
      code: 'bad_file',
      quotes: [problems],
    });
  }
  if (read.kind !== kind)
    throw new HumanError(`The file ${path} holds a ${held[read.kind]}.`, { status: 400, code: 'bad_file' });
  return read;
}

/**
 * Runs the test of a file as the Test Explorer does, and reports its results.
 * @throws HumanError if the file contains no test of this kind
 */
export async function runFileTest(
  parts: Pick<ToolParts, 'runner' | 'testFile' | 'practice'>,
  path: string,
  kind: 'calltest' | 'mission',
  { signal, report }: ToolUse,
): Promise<Answer> {
  await readTest(parts, path, kind);
  const { runner, testFile } = parts;
  const runs: RunEnding[] = [];
  const wrong: string[] = [];
  const reportFailures = (failures: readonly Failure[]): void => {
    wrong.push(...failures.map(({ message, at }) => (at ? `line ${String(at.line)}: ${message}` : message)));
  };
  await runner.run(
    [{ source: testFile(path), item: path, rows: new Map() }],
    {
      started: () => undefined,
      passed: () => undefined,
      skipped: () => undefined,
      launched: () => undefined,
      ran: (_item, _file, ending) => {
        runs.push(ending);
      },
      output: (_item, text) => report(text.replaceAll(/\s+/g, ' ').trim()),
      failed: (_item, failures) => reportFailures(failures),
      errored: (_item, failures) => reportFailures(failures),
      undecided: (_item, failures) => reportFailures(failures),
    },
    { signal, repeat: 1 },
  );
  signal.throwIfAborted();
  if (runs.length === 0) {
    const problems = wrong.join('; ');
    throw new HumanError(`The test did not run: “${problems}”`, { status: 400, code: 'not_run', quotes: [problems] });
  }
  const [fullest, ...briefer] = runsAnswer(runs);
  const failures = wrong.length === 0 ? '' : `${[...new Set(wrong)].join('\n')}\n\n`;
  return [() => `${failures}${fullest()}`, ...briefer];
}
