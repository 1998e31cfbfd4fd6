import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { withoutUndefined } from '../../base/withoutUndefined.ts';
import { dialTargetSchema } from '../../contract/common.ts';
import { describeIssues, HumanError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { mappingConfigSchema, mappingModeSchema, type MappingJob } from '../../contract/mapping.ts';
import { calltreeOf, calltreeSuffix, calltreeText } from '../../model/tree/calltree.ts';
import { treeText } from '../../model/tree/treeLines.ts';
import { consentHelp, consentOption, readConsents } from '../calling/consents.ts';
import { loadService, withOwnService } from '../calling/ownService.ts';
import { count } from '../../base/count.ts';
import { integerOption, readArguments, UsageError, type CliCommand } from '../command.ts';
import { loadIvrFile } from '../ivr/ivrFile.ts';
import { withPractice } from '../ivr/playedIvrs.ts';
import { linesHelp, linesOption, readGivenLines } from '../settings/lines.ts';
import { readRoutes } from '../settings/routes.ts';
import { jsonText } from '../terminal/controlCharacters.ts';
import { note, print } from '../terminal/output.ts';
import { interruption } from '../terminal/signals.ts';
import { mapOnce, type MapRun } from './mapRun.ts';

const options = {
  ivr: { type: 'string' },
  'max-depth': { type: 'string' },
  'max-calls': { type: 'string' },
  'max-call-seconds': { type: 'string' },
  'ring-seconds': { type: 'string' },
  concurrency: { type: 'string' },
  mode: { type: 'string' },
  allow: { type: 'string', multiple: true },
  'press-unsure': { type: 'boolean' },
  routes: { type: 'string' },
  out: { type: 'string' },
  save: { type: 'string' },
  json: { type: 'boolean' },
  ...linesOption,
  ...consentOption,
} as const;
type Values = ReturnType<typeof readArguments<typeof options>>['values'];

export const map: CliCommand = {
  help: [
    '--ivr FILE       starts this practice IVR on loopback UDP for the run; you can then leave out the number',
    '--routes FILE|JSON  dial plan: {"+12025550100": "sip:practice@127.0.0.1:5070"}',
    `--lines FILE|JSON  ${linesHelp}`,
    `--consent TARGET ${consentHelp}`,
    `--max-depth N    ${String(limits.maxDepth.min)} to ${String(limits.maxDepth.max)}, default ${String(limits.maxDepth.default)}`,
    `--max-calls N    ${String(limits.maxCalls.min)} to ${String(limits.maxCalls.max)}, default ${String(limits.maxCalls.default)}`,
    `--max-call-seconds N  longest call, ${String(limits.maxCallSeconds.min)} to ${String(limits.maxCallSeconds.max)} s, default ${String(limits.maxCallSeconds.default)}`,
    `--ring-seconds N how long a call may ring, ${String(limits.ringSeconds.min)} to ${String(limits.ringSeconds.max)} s, default ${String(limits.ringSeconds.default)}`,
    `--concurrency N  simultaneous calls, ${String(limits.concurrency.min)} to ${String(limits.concurrency.max)}, default ${String(limits.concurrency.default)}`,
    '--mode MODE      dtmf, voice or hybrid (default)',
    '--allow LABEL    on live numbers, also presses the option with this label (* stands for any text); ' +
      'can be repeated',
    "--press-unsure   on live numbers, also presses options that Dialtree doesn't understand",
    '--json           prints the tree response (format tree) instead of a drawing',
    '--out FILE       also writes that JSON to a file',
    `--save FILE      writes the tree as a *${calltreeSuffix} file, a baseline for \`dialtree diff\``,
    'Ctrl+C hangs up all calls and keeps what was found. The exit code is 1 if the run failed or reached a limit.',
  ].join('\n'),
  async run(args) {
    const { values, positionals } = readArguments(args, options);
    const target = readTarget(positionals, values);
    const config = readConfig(values);
    const routes = values.routes === undefined ? {} : await readRoutes(values.routes);
    const given = await readGivenLines(values.lines, process.env);
    const consents = await readConsents(values.consent, routes, given.lines);
    const ivr = values.ivr === undefined ? undefined : await loadIvrFile(path.resolve(values.ivr), process.cwd());
    // While the practice IVR loads its voice. If it fails, the service reports it.
    loadService().catch(() => undefined);
    const mapped = await withPractice(ivr ? [ivr] : [], (addressOf) => {
      const { phoneNumber, plan } = calledAt(target, ivr && addressOf(ivr));
      const asked = withoutUndefined({ phoneNumber, config, name: ivr?.ivr.name });
      const signal = interruption();
      return withOwnService({ ...given, routes: { ...routes, ...plan }, consents, callsSoon: true }, (client) =>
        mapOnce(client, asked, signal),
      );
    });
    await saveTree(mapped, values);
    print(values.json ? jsonText(mapped.tree, 2) : treeText(mapped.tree, { width: process.stdout.columns || 100 }));
    return tellRun(mapped.job);
  },
};

/** Returns a number or a SIP URI, or undefined if only a practice IVR is named. */
function readTarget(positionals: readonly string[], { ivr, save }: Values): string | undefined {
  if (positionals.length > 1) throw new UsageError('Give one number or SIP URI.');
  const [target] = positionals;
  if (target === undefined && ivr === undefined)
    throw new UsageError('Give a number or a SIP URI, or a practice IVR with --ivr.');
  const checked = dialTargetSchema.optional().safeParse(target);
  if (!checked.success) throw new UsageError(`"${target ?? ''}" can't be called. ${describeIssues(checked.error)}`);
  if (save !== undefined && !save.endsWith(calltreeSuffix))
    throw new UsageError(`--save takes a file name that ends with ${calltreeSuffix}.`);
  return target;
}

function readConfig(values: Values) {
  const mode = mappingModeSchema.optional().safeParse(values.mode);
  if (!mode.success) throw new UsageError('--mode takes dtmf, voice or hybrid.');
  const allowed = mappingConfigSchema.shape.allowedLabels.unwrap().optional().safeParse(values.allow);
  if (!allowed.success) throw new UsageError(`--allow: ${describeIssues(allowed.error)}`);
  type Number = 'max-depth' | 'max-calls' | 'max-call-seconds' | 'ring-seconds' | 'concurrency';
  const within = (name: Number, { min, max }: { min: number; max: number }) =>
    integerOption(values[name], name, min, max);
  return withoutUndefined({
    maxDepth: within('max-depth', limits.maxDepth),
    maxCalls: within('max-calls', limits.maxCalls),
    maxCallSeconds: within('max-call-seconds', limits.maxCallSeconds),
    ringSeconds: within('ring-seconds', limits.ringSeconds),
    concurrency: within('concurrency', limits.concurrency),
    mappingMode: mode.data,
    allowedLabels: allowed.data,
    pressUnsure: values['press-unsure'],
  });
}

/**
 * Returns the target to call if a practice IVR answers at `uri`: that address, or the number, which `plan` routes
 * there.
 */
function calledAt(target: string | undefined, uri: string | undefined) {
  if (uri === undefined) return { phoneNumber: target ?? '', plan: {} };
  return target?.startsWith('+') === true
    ? { phoneNumber: target, plan: { [target]: uri } }
    : { phoneNumber: uri, plan: {} };
}

async function saveTree({ job, tree }: MapRun, { out, save }: Values): Promise<void> {
  if (out !== undefined) await write(out, `${JSON.stringify(tree, null, 2)}\n`);
  if (save === undefined) return;
  if (tree.tree) await write(save, calltreeText(calltreeOf(job, job.currentRun, tree.tree)));
  else note(`The run found no tree, so ${save} wasn't written.`);
}

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (cause) {
    throw new HumanError(
      `Couldn't write ${file}. Check the path, its permissions and the free disk space. With --json, you also get the tree on stdout.`,
      { cause },
    );
  }
}

/** Prints how the run ended to stderr. Returns the exit code. */
function tellRun({ currentRun: run }: MappingJob): number {
  if (!run) {
    note('The job has no run.');
    return 1;
  }
  note(run.reason === undefined ? run.status : `${run.status}: ${run.reason}`);
  const higher = run.limitReason === undefined ? undefined : higherLimits[run.limitReason];
  if (higher !== undefined) note(`Run the mapping again with a higher ${higher}.`);
  note(summary(run.stats));
  return run.status === 'completed' ? 0 : 1;
}

const higherLimits: Readonly<Record<string, string>> = {
  max_calls: `--max-calls, up to ${String(limits.maxCalls.max)}`,
  time: `--max-call-seconds, up to ${String(limits.maxCallSeconds.max)}`,
  max_depth: `--max-depth, up to ${String(limits.maxDepth.max)}`,
};

function summary({
  callsPlaced,
  callSeconds,
  nodesDiscovered,
  terminalNodes,
  linkedMenus,
  limit,
}: NonNullable<MappingJob['stats']>): string {
  const against = limit
    ? `, ${limit.elapsedSeconds.toFixed(0)} s (${limit.ratio.toFixed(2)} × the minimum of ${limit.minimumWallSeconds.toFixed(0)} s)`
    : '';
  return `${count(nodesDiscovered, 'step')}, ${count(terminalNodes, 'end')}, ${count(linkedMenus, 'link')}; ${count(callsPlaced, 'call')}, ${callSeconds.toFixed(0)} call seconds${against}`;
}
