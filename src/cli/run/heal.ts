import path from 'node:path';
import { applyEdits } from 'jsonc-parser';
import { HumanError } from '../../contract/errors.ts';
import { placeIn } from '../../model/files/fileProblem.ts';
import { repairsOf } from '../../model/tests/repairs.ts';
import { readService, serviceOptions } from '../calling/serviceChoice.ts';
import { readArguments, UsageError, type CliCommand } from '../command.ts';
import { environmentOptions, readEnvironment } from '../settings/environment.ts';
import { onOneLine } from '../terminal/controlCharacters.ts';
import { readInputFile } from '../terminal/inputFile.ts';
import { note, print } from '../terminal/output.ts';
import { deliver, prepareFiles } from '../terminal/outputFile.ts';
import { runTests, type TestReport } from './callTests.ts';
import { refusePractice, withCalls } from './run.ts';
import { loadTests } from './testFiles.ts';

export const heal: CliCommand = {
  help: `Runs the test, and once more if it fails. Then says what has changed since it passed, and proposes an edit of the
file if the test keeps its meaning. --write writes it, and runs the test once more. The other options are those of run.
Exit code 0: the test passes now; 1: it doesn't; 2: wrong usage, or an invalid file.`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      ...serviceOptions,
      ...environmentOptions,
      write: { type: 'boolean' },
    });
    const [name = '', ...others] = positionals;
    if (!name.endsWith('.calltest.json') || others.length > 0) throw new UsageError('Give one *.calltest.json file.');
    const environment = await readEnvironment(values, process.env);
    const service = { ...(await readService(values)), hidden: environment.values };
    const file = path.resolve(name);
    const tests = await loadTests([file], process.cwd(), environment);
    refusePractice(tests, service);
    const isWriting = values.write === true;
    await prepareFiles([isWriting ? file : undefined]);
    return withCalls(tests, service, async (options) => {
      const [report] = (await runTests(tests, { ...options, repeat: 2, endsRun: passes })).tests;
      const code = report && passes(report) ? 0 : 1;
      const failed = report?.calls.findLast(({ results }) => results && results.outcome !== 'PASS')?.results;
      if (code === 0 && !failed) print('The test passed, so there is nothing to repair.');
      const { source } = report?.test ?? {};
      if (!failed || options.signal.aborted || source?.kind !== 'calltest') return code;
      const { finding, reason, changes, steps } = await options.client.call('healTest', { runId: failed.id });
      print(onOneLine(`${finding}: ${reason}`));
      for (const { step, kind, before = '', now = '', reason: why } of changes)
        print(onOneLine(`  step ${String(step + 1)}, ${kind}: ${why} “${before}” → “${now}”`));
      if (!steps) return code;
      const text = await readInputFile(file);
      const edits = typeof text === 'string' && repairsOf(text, source.test.steps, steps, source.resolve);
      if (!edits) throw new HumanError(`${name} has changed in the meantime. Nothing was written.`, { status: 409 });
      for (const { offset, length, content } of edits) {
        // The same line can have secrets, so only the member is shown.
        const old = text.slice(offset, offset + length);
        print([`${name}:${String(placeIn(text, offset).line)}`, `- ${old}`, `+ ${content}`].map(onOneLine).join('\n'));
      }
      if (!isWriting) note('Nothing was written. To write this into the file, add --write.');
      if (!isWriting || !(await deliver(applyEdits(text, [...edits]), file))) return 1;
      const [read] = await loadTests([file], process.cwd(), environment);
      const again = tests.map((test) => ({ ...test, source: read?.source ?? test.source }));
      const isRepaired = (await runTests(again, { ...options, repeat: 1 })).tests.every(passes);
      print(`The file was written, ${isRepaired ? 'and the test passes' : "but the test doesn't pass yet"}.`);
      return isRepaired ? 0 : 1;
    });
  },
};

/** The newest call of each row passed. */
const passes = ({ calls }: TestReport): boolean =>
  calls.length > 0 &&
  calls.every(({ repetition, results }) => repetition !== calls.at(-1)?.repetition || results?.outcome === 'PASS');
