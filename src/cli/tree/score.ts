import { parsedJson } from '../../base/parsedJson.ts';
import { describeIssues, HumanError } from '../../contract/errors.ts';
import { treeResponseSchema, type TreeResponse } from '../../contract/tree.ts';
import { scoreTree, type TreeScore } from '../../model/tree/treeScore.ts';
import { readArguments, UsageError, type CliCommand } from '../command.ts';
import { print } from '../terminal/output.ts';
import { jsonText } from '../terminal/controlCharacters.ts';
import { readNamed } from '../terminal/inputFile.ts';

export const score: CliCommand = {
  help: 'T.json comes from `dialtree practice FILE --truth`, R.json from `dialtree map … --json`.\nThe exit code is 0 if every option and end is right and no menu was wrongly merged or missed. Otherwise, it is 1.',
  async run(args) {
    const { values } = readArguments(args, {
      truth: { type: 'string' },
      tree: { type: 'string' },
      json: { type: 'boolean' },
    });
    if (values.truth === undefined || values.tree === undefined) throw new UsageError('Give both --truth and --tree.');
    const result = scoreTree(await readTree(values.truth), await readTree(values.tree));
    print(values.json ? jsonText(result, 2) : describe(result));
    return result.options.f1 === 1 &&
      result.falseMerges.length === 0 &&
      result.missedLinks.length === 0 &&
      result.ends.wrong.length === 0
      ? 0
      : 1;
  },
};

async function readTree(file: string): Promise<TreeResponse> {
  const message = `Couldn't read ${file} as JSON. Check the path and the content.`;
  const value = parsedJson((await readNamed(file, message)).toString('utf8'));
  const result = treeResponseSchema.safeParse(value);
  if (result.success) return result.data;
  const problem = value === undefined ? message : `${file} isn't a tree response: ${describeIssues(result.error)}`;
  throw new HumanError(problem, { status: 400 });
}

function describe({ options, hidden, falseMerges, missedLinks, ends, calls, limitRatio, mistakes }: TreeScore): string {
  const percent = (value: number): string => value.toFixed(3);
  return [
    `options   F1 ${percent(options.f1)}  precision ${percent(options.precision)}  recall ${percent(options.recall)}  (${String(options.right)} of ${String(options.truth)})`,
    `hidden    ${String(hidden.found)} of ${String(hidden.truth)} found`,
    `ends      ${String(ends.right)} of ${String(ends.truth)} right`,
    `merges    ${String(falseMerges.length)} false, ${String(missedLinks.length)} missed`,
    ...(calls
      ? [`calls     ${String(calls.placed)} for ${String(calls.leaves)} ends (${calls.ratio.toFixed(2)})`]
      : []),
    ...(limitRatio === undefined ? [] : [`time      ${limitRatio.toFixed(2)} × the minimum`]),
    ...[...mistakes, ...falseMerges, ...missedLinks, ...ends.wrong].map((line) => `  - ${line}`),
  ].join('\n');
}
