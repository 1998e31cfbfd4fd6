import path from 'node:path';
import * as z from 'zod';
import { HumanError } from '../../contract/errors.ts';
import { missionTestRunSchema, type Verdict } from '../../contract/testRuns.ts';
import { factsOf } from '../../language/checks/heardCall.ts';
import { judge as judgeCall } from '../../language/judge/judge.ts';
import { problemText, type FileProblem } from '../../model/files/fileProblem.ts';
import { readJsonFile } from '../../model/files/jsonFile.ts';
import { secretsOf } from '../../model/secrets/missionSecrets.ts';
import { readTestFile } from '../../model/tests/testFile.ts';
import { readArguments, UsageError, type CliCommand } from '../command.ts';
import { envHelp, environmentOptions, readEnvironment } from '../settings/environment.ts';
import { jsonText, onOneLine } from '../terminal/controlCharacters.ts';
import { readInputFile } from '../terminal/inputFile.ts';
import { print } from '../terminal/output.ts';
import { paletteFor, type Palette } from '../terminal/palette.ts';
import { readBeside } from './testFiles.ts';

const { transcript, gaveUp, hangUp, postDialMs } = missionTestRunSchema.shape;
/** What is judged of a mission run. */
const callSchema = z.object({ transcript, gaveUp, hangUp, postDialMs });

const exitCodes: Readonly<Record<Verdict, number>> = { pass: 0, fail: 1, inconclusive: 2, error: 2 };
const marks: Readonly<Record<Verdict, readonly [sign: string, colour: keyof Palette]>> = {
  pass: ['✔', 'good'],
  fail: ['✖', 'bad'],
  inconclusive: ['?', 'unsure'],
  error: ['?', 'unsure'],
};

export const judgeCommand: CliCommand = {
  help: [
    'Calls nothing, and asks no language model. CALL.json is a mission run as getMissionTestRun returns it.',
    '--json      prints {verdict, reason, checks}',
    `--env NAME  ${envHelp}`,
    "Exit code: 0 pass, 1 fail, 2 inconclusive, wrong usage, or a file that can't be read.",
  ].join('\n'),
  async run(args) {
    const {
      values,
      positionals: [callFile, testFile, ...rest],
    } = readArguments(args, { json: { type: 'boolean' }, env: environmentOptions.env });
    if (callFile === undefined || testFile?.endsWith('.mission.json') !== true || rest.length > 0)
      throw new UsageError('Give two files: the JSON of a mission run, then a *.mission.json file.');
    const call = usable(readJsonFile(await textOf(callFile), callFile, callSchema)).value;
    const beside = (name: string) => readBeside(path.resolve(testFile), name, process.cwd());
    const environment = await readEnvironment({ env: values.env }, {});
    const source = usable(await readTestFile(await textOf(testFile), testFile, beside, environment));
    if (source.kind !== 'mission') throw new Error('a mission file without a mission');
    const { mission, acceptance = '', checks } = source.test;
    const judged = await judgeCall(factsOf(call), { mission, acceptance, checks }, { secrets: secretsOf(mission) });
    const { verdict, judgeReasoning: reason } = judged;
    if (values.json === true) print(jsonText({ verdict, reason, checks: judged.checks }, 2));
    else {
      const palette = paletteFor(process.stdout, process.env);
      const marked = (of: Verdict, text: string): string => palette[marks[of][1]](`${marks[of][0]} ${text}`);
      print(`${marked(verdict, verdict.toUpperCase())}  ${onOneLine(reason)}`);
      for (const { check, verdict: own, reason: why, evidence } of judged.checks)
        print(
          [
            `  ${marked(own, onOneLine(check))}`,
            palette.faint(`      ${onOneLine(why)}`),
            ...(evidence ? [`      “${onOneLine(evidence.quote)}”${atSecond(evidence.startMs)}`] : []),
          ].join('\n'),
        );
    }
    return exitCodes[verdict];
  },
};

const atSecond = (ms: number | undefined): string => (ms === undefined ? '' : ` (${(ms / 1000).toFixed(1)} s)`);

async function textOf(file: string): Promise<string> {
  const text = await readInputFile(file);
  if (typeof text !== 'string') throw new HumanError(`${file}: ${text.why}`, { status: 400 });
  return text;
}

interface Unusable {
  readonly problems: readonly FileProblem[];
}

function usable<Read extends object>(read: Read | Unusable): Exclude<Read, Unusable> {
  if ('problems' in read) throw new HumanError(read.problems.map(problemText).join('\n'), { status: 400 });
  return read as Exclude<Read, Unusable>;
}
