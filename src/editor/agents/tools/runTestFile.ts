import type { PlanCalls, PlannedCalls } from '../../../contract/callPlan.ts';
import { HumanError } from '../../../contract/errors.ts';
import { readTestFile } from '../../../model/tests/testFile.ts';
import type { Ending } from '../../../runner/runTest.ts';
import type { Failure } from '../../testing/failures.ts';
import type { ToolUse } from './agentTool.ts';
import type { Answer } from './answer.ts';
import { runsAnswer } from './runText.ts';
import type { ToolParts } from './toolParts.ts';

/** A practice IVR that hasn't started yet will answer somewhere on this machine. */
const somePractice = 'sip:practice@127.0.0.1';

/**
 * Returns the plan of `planOfFile`. A test's practice IVR starts before it is called, and the rules for other calls
 * don't apply to it.
 */
export async function plannedFile(
  parts: Pick<ToolParts, 'client' | 'testFile' | 'practice'>,
  path: string,
  kind: 'calltest' | 'mission',
  signal: AbortSignal,
): Promise<{ readonly name: string; readonly plan: PlannedCalls }> {
  const { name, subject } = await planOfFile(parts, path, kind);
  const plan = await parts.client.call('planCalls', subject, { signal });
  if (plan.phoneNumber !== somePractice) return { name, plan };
  const { refusal, ...rest } = plan;
  const isOfOthers =
    refusal !== undefined && ['number_not_allowed', 'consent_required', 'forbidden_key'].includes(refusal.code);
  return {
    name,
    plan: { ...rest, route: 'lab', needsConsent: false, forbiddenKeys: [], ...(refusal && !isOfOthers && { refusal }) },
  };
}

const held = {
  mission: 'mission: use dialtree_runMission',
  calltest: 'scripted test: use dialtree_runTest',
  probe: 'compliance probe, which only a person runs: in the Test Explorer, or with the command dialtree run',
} as const;

/** Returns what running the test of a file would call. @throws HumanError if the file contains no test */
async function planOfFile(
  { testFile, practice }: Pick<ToolParts, 'testFile' | 'practice'>,
  path: string,
  kind: 'calltest' | 'mission',
): Promise<{ readonly name: string; readonly subject: PlanCalls }> {
  const source = testFile(path);
  const read = await readTestFile(await source.read(), source.file, source.readBeside);
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
  const { ivr } = read.test;
  const phoneNumber =
    read.test.phoneNumber ??
    practice.running.find(({ file }) => ivr !== undefined && file.endsWith(ivr.replace(/^(?:\.{1,2}\/)+/, '')))?.uri ??
    somePractice;
  if (read.kind === 'calltest') {
    const { ivr: _ivr, ...test } = read.test;
    return { name: test.name, subject: { test: { ...test, phoneNumber } } };
  }
  const { ivr: _ivr, ...mission } = read.test;
  return { name: mission.name, subject: { mission: { ...mission, phoneNumber } } };
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
  await planOfFile(parts, path, kind);
  const { runner, testFile } = parts;
  const runs: Ending[] = [];
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
