import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DialtreeClient } from '../client/client.ts';
import type { Routes } from '../contract/dialPlan.ts';
import { describeIssues, HumanError } from '../contract/errors.ts';
import { limits } from '../contract/limits.ts';
import { dialTargetSchema } from '../contract/common.ts';
import { mappingConfigSchema, mappingModeSchema, type MappingJob } from '../contract/mapping.ts';
import type { TreeResponse } from '../contract/tree.ts';
import { calltreeOf, calltreeSuffix, calltreeText } from '../model/tree/calltree.ts';
import { treeText } from '../model/tree/treeText.ts';
import { startPractice, type PracticeServer } from '../practice/server.ts';
import { integer, note, print, readArguments, UsageError, type Command } from './command.ts';
import { jsonText } from './controlCharacters.ts';
import { consentHelp, consentOption, readConsents, recordConsents } from './consents.ts';
import { readRoutes } from './routes.ts';
import { loadIvrFile } from './runFiles.ts';
import { secretValues } from './secretValues.ts';
import { interruption } from './signals.ts';
import { withSpeech } from './speech.ts';

const options = {
  ivr: { type: 'string' },
  'max-depth': { type: 'string' },
  'max-calls': { type: 'string' },
  concurrency: { type: 'string' },
  mode: { type: 'string' },
  allow: { type: 'string', multiple: true },
  'press-unsure': { type: 'boolean' },
  routes: { type: 'string' },
  out: { type: 'string' },
  save: { type: 'string' },
  json: { type: 'boolean' },
  ...consentOption,
} as const;

export const map: Command = {
  usage:
    'map NUMBER|sip:URI [--ivr FILE] [--max-depth N] [--max-calls N] [--concurrency N] [--mode MODE] [--allow LABEL]… [--press-unsure] [--routes FILE|JSON] [--consent TARGET] [--json] [--out FILE] [--save FILE.calltree.json]',
  summary: 'Phones an IVR, maps its menu tree and prints it.',
  help: [
    '--ivr FILE       plays that practice IVR on loopback UDP for the call; the number may then be left out',
    '--routes FILE|JSON  dial plan: {"+12025550100": "sip:practice@127.0.0.1:5070"}',
    `--consent TARGET ${consentHelp}`,
    `--max-depth N    ${String(limits.maxDepth.min)} to ${String(limits.maxDepth.max)}, default ${String(limits.maxDepth.default)}`,
    `--max-calls N    ${String(limits.maxCalls.min)} to ${String(limits.maxCalls.max)}, default ${String(limits.maxCalls.default)}`,
    `--concurrency N  parallel calls, ${String(limits.concurrency.min)} to ${String(limits.concurrency.max)}, default ${String(limits.concurrency.default)}`,
    '--mode MODE      dtmf, voice or hybrid (default)',
    '--allow LABEL    on live numbers also presses the option with this label (* stands for any text); may be repeated',
    '--press-unsure   on live numbers also presses options that were not understood',
    '--json           prints the tree response (format tree) instead of a drawing',
    '--out FILE       writes that JSON to a file as well',
    `--save FILE      writes the tree as a *${calltreeSuffix} file, a baseline for \`dialtree diff\``,
    'Ctrl+C hangs up every call and keeps what was found. Exit code 1: the run failed or was limited.',
  ].join('\n'),
  async run(args) {
    const { values, positionals } = readArguments(args, options);
    if (positionals.length > 1) throw new UsageError('Give one number or SIP URI.');
    const target = positionals[0];
    if (target === undefined && values.ivr === undefined)
      throw new UsageError('Give a number or a SIP URI, or a practice IVR with --ivr.');
    if (target !== undefined) checkTarget(target);
    if (values.save !== undefined && !values.save.endsWith(calltreeSuffix))
      throw new UsageError(`The name of a file for --save ends with ${calltreeSuffix}.`);
    const mode = mappingModeSchema.optional().safeParse(values.mode);
    if (!mode.success) throw new UsageError('--mode is dtmf, voice or hybrid.');
    const allowed = mappingConfigSchema.shape.allowedLabels.unwrap().optional().safeParse(values.allow);
    if (!allowed.success) throw new UsageError(`--allow: ${describeIssues(allowed.error)}`);
    const config = {
      ...pick('maxDepth', integer(values['max-depth'], 'max-depth', limits.maxDepth.min, limits.maxDepth.max)),
      ...pick('maxCalls', integer(values['max-calls'], 'max-calls', limits.maxCalls.min, limits.maxCalls.max)),
      ...pick(
        'concurrency',
        integer(values.concurrency, 'concurrency', limits.concurrency.min, limits.concurrency.max),
      ),
      ...pick('mappingMode', mode.data),
      ...pick('allowedLabels', allowed.data),
      ...pick('pressUnsure', values['press-unsure']),
    };
    const routes = values.routes === undefined ? {} : await readRoutes(values.routes);
    const consents = await readConsents(values.consent, routes);
    const work = async (practice?: PracticeServer, name?: string): Promise<number> => {
      const uri = practice?.targets[0]?.uri;
      const number = target?.startsWith('+') === true ? target : undefined;
      const plan = uri !== undefined && number !== undefined ? { ...routes, [number]: uri } : routes;
      const dialled = uri !== undefined && number === undefined ? uri : (target ?? '');
      const { job, tree } = await mapOnce({ phoneNumber: dialled, config, ...pick('name', name) }, plan, consents);
      if (values.out !== undefined) await save(values.out, `${JSON.stringify(tree, null, 2)}\n`);
      if (values.save !== undefined) {
        if (tree.tree) await save(values.save, calltreeText(calltreeOf(job, job.currentRun, tree.tree)));
        else note(`There is no tree to save: ${values.save} was not written.`);
      }
      print(values.json ? jsonText(tree, 2) : treeText(tree, process.stdout.columns || 100));
      const run = job.currentRun;
      note(`${run?.status ?? 'no run'}${run?.reason === undefined ? '' : `: ${run.reason}`}`);
      const limit =
        run?.limitReason === 'max_calls'
          ? ['max-calls', limits.maxCalls.max]
          : run?.limitReason === 'max_depth'
            ? ['max-depth', limits.maxDepth.max]
            : undefined;
      if (limit) note(`Repeat it with a higher --${limit.join(', up to ')}.`);
      if (run) note(summary(run.stats));
      return run?.status === 'completed' ? 0 : 1;
    };
    if (values.ivr === undefined) return work();
    const source = await loadIvrFile(path.resolve(values.ivr), process.cwd());
    return withSpeech(async (speech) => {
      const practice = await startPractice([source], { port: 0, speech });
      try {
        return await work(practice, source.ivr.name);
      } finally {
        await practice.close();
      }
    });
  },
};

const pick = <Key extends string, Value>(key: Key, value: Value | undefined): Partial<Record<Key, Value>> =>
  value === undefined ? {} : ({ [key]: value } as Record<Key, Value>);

function checkTarget(target: string): void {
  const checked = dialTargetSchema.safeParse(target);
  if (!checked.success) throw new UsageError(`"${target}" cannot be called. ${describeIssues(checked.error)}`);
}

/** One run on a service of its own, whose data goes away with it. */
async function mapOnce(
  asked: { readonly phoneNumber: string; readonly name?: string; readonly config: object },
  routes: Routes,
  consents: readonly string[],
): Promise<{ job: MappingJob; tree: TreeResponse }> {
  // Loaded when it is needed: the other commands start faster without the service.
  const [{ startService }, { createLog }] = await Promise.all([
    import('../service/service.ts'),
    import('../service/basics/log.ts'),
  ]);
  const dataDir = await mkdtemp(path.join(tmpdir(), 'dialtree-map-'));
  const cancel = interruption();
  try {
    const service = await startService({
      dataDir,
      routes,
      log: createLog(undefined, 'error', secretValues(process.env)),
    });
    try {
      const client = new DialtreeClient(service);
      await recordConsents(client, consents);
      const { id } = await client.call('createMapping', asked);
      await client.call('startMapping', { id });
      const stop = (): void => {
        void client.call('cancelMapping', { id }).catch(() => undefined);
      };
      cancel.addEventListener('abort', stop, { once: true });
      const job = await client.waitForRun(id, {
        onChange: (state) => {
          progress(state);
        },
      });
      return { job, tree: await client.call('getMappingTree', { id }) };
    } finally {
      await service.close();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

let told = '';
function progress({ currentRun }: MappingJob): void {
  if (!currentRun) return;
  const { stats, inFlightCount } = currentRun;
  const line = `${String(stats.nodesDiscovered)} found, ${String(stats.callsPlaced)} calls (${String(inFlightCount)} now)`;
  if (line === told) return;
  told = line;
  note(line);
}

function summary({
  callsPlaced,
  callSeconds,
  nodesDiscovered,
  terminalNodes,
  linkedMenus,
  limit,
}: NonNullable<MappingJob['stats']>): string {
  const against = limit
    ? `, ${limit.elapsedSeconds.toFixed(0)} s (${limit.ratio.toFixed(2)} × the limit of ${limit.minimumWallSeconds.toFixed(0)} s)`
    : '';
  return `${String(nodesDiscovered)} steps, ${String(terminalNodes)} leaves, ${String(linkedMenus)} links; ${String(callsPlaced)} calls, ${callSeconds.toFixed(0)} call seconds${against}`;
}

async function save(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (cause) {
    throw new HumanError(
      `Cannot write ${file}. Check the path, its permissions and the space left; the tree is not lost with --json on stdout.`,
      { cause },
    );
  }
}
