import { randomBytes } from 'node:crypto';
import type { Resource, ResourceLink } from '@modelcontextprotocol/sdk/types.js';
import table from '../../../media/resources.json' with { type: 'json' };
import { codeBlock } from '../../base/codeBlock.ts';
import { count } from '../../base/count.ts';
import { HumanError } from '../../contract/errors.ts';
import type { OperationName } from '../../contract/operations.ts';
import type { MissionTestRun, RunResults } from '../../contract/testRuns.ts';
import type { TreeResponse } from '../../contract/tree.ts';
import { runText, turnLine } from '../../model/report/runText.ts';
import { treeLines, treeRows, treeText } from '../../model/tree/treeLines.ts';
import { enclosedText, markedJson, type Json, type Shown } from './markedText.ts';
import { invalidParams, notFound, type McpMethods } from './mcpMethods.ts';

/** Asks for an operation with the key, scopes and workspace of the request. */
export type Ask = (name: OperationName, input: object) => Promise<unknown>;
type Variables = Readonly<Record<string, string>>;
type Show = (output: never, variables: Variables, ask: Ask) => Shown | Promise<Shown>;

const scheme = 'dialtree://';
const pageSize = 50;
/** Titles of resources. */
const writtenByOthers = { 'dialtree/untrusted': ['title'] };
const longTreeCharacters = 20_000;
/** A launch can have a thousand runs. */
const mostLinks = 10;

/** The resources that aren't the JSON of an operation. */
const shows: Readonly<Record<string, Show>> = {
  outline: (response: TreeResponse, { page }) => outlineOf(response, page),
  async report(results: RunResults, { runId = '' }, ask) {
    const mission = results.runType === 'mission' ? await ask('getMissionTestRun', { runId }) : undefined;
    const text = runText({ results, mission: mission as MissionTestRun | undefined });
    return [`# Report of run ${runId}\n\nTranscript: ${scheme}runs/${runId}/transcript`, codeBlock(text)];
  },
  transcript: ({ transcript = [] }: RunResults) => ['Transcript:', transcript.map(turnLine).join('\n')],
  recording({ tree, audioUrl: ofCall }: Pick<TreeResponse, 'tree'> & Pick<RunResults, 'audioUrl'>, { stepId }) {
    const address = tree ? treeRows(tree).find(({ node }) => node.stepId === stepId)?.node.audioUrl : ofCall;
    if (address === undefined) throw notFound("This recording doesn't exist. The run or step may have no audio.");
    return [address];
  },
};

function outlineOf(response: TreeResponse, page = '1'): Shown {
  const { jobId, runNumber, status, tree } = response;
  if (!tree) return [`Mapping ${jobId} has no tree:`, treeText(response)];
  const lines = treeLines(tree).map(({ text }) => text);
  const shown = lines.slice((Number(page) - 1) * pageSize, Number(page) * pageSize);
  const pages = Math.ceil(lines.length / pageSize);
  if (!/^\d+$/.test(page) || shown.length === 0)
    throw invalidParams(`The outline has ${count(pages, 'page')}. Choose one of them.`);
  // Pages of one run fit together, even if a new run begins meanwhile.
  const address = (kind: string): string => `${scheme}mappings/${jobId}/${kind}?version=${String(runNumber)}`;
  const next = Number(page) < pages ? `\n\nNext page: ${address('outline')}&page=${String(Number(page) + 1)}` : '';
  const facts = `${count(lines.length, 'step')}, page ${page} of ${String(pages)}. All details: ${address('tree')}`;
  const title = `# Menu tree of mapping ${jobId}, run ${String(runNumber)} (${String(status)})`;
  return [`${title}\n\n${facts}${next}`, codeBlock(shown.join('\n'))];
}

const kinds = table.kinds.map((kind) => {
  const [path = '', query] = kind.uriTemplate.split(/\{\?(.*)\}$/);
  const variables = path.replaceAll(/\{(\w+)\}/g, String.raw`(?<$1>[\w.-]+)`);
  const parameters = query === undefined ? '' : String.raw`(?:\?(?:(?:${query.replaceAll(',', '|')})=[^&]*(?:&|$))*)?`;
  return { ...kind, pattern: new RegExp(`^${variables}${parameters}$`) };
});

function findKind(uri: string): (typeof kinds)[number] {
  const kind = kinds.find(({ pattern }) => pattern.test(uri));
  if (!kind) throw notFound("This resource doesn't exist. Use resources/templates/list to see which addresses exist.");
  return kind;
}

/** Returns the resource at this path, filled in with members of a value. Empty if the value doesn't have them. */
function resourcesOf(path: string, value: unknown): Resource[] {
  const members = new Map(Object.entries(value as Record<string, string | number>));
  const uri = scheme + path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => String(members.get(name) ?? ' '));
  if (uri.includes(' ')) return [];
  const { name, description, mimeType } = findKind(uri);
  return [{ uri, name, description, mimeType }];
}

/** Returns links to what a result, or each of its items, is about. */
export function resourceLinks(name: OperationName, value: unknown): ResourceLink[] {
  const path = new Map(Object.entries(table.links)).get(name) ?? ' ';
  const { items = [value] } = value as { readonly items?: readonly unknown[] };
  const resources = items.slice(0, mostLinks).flatMap((one) => resourcesOf(path, one));
  return resources.map((one) => ({ type: 'resource_link', ...one }));
}

/** Returns the text of a long tree: its outline. Undefined for other results, and if the client chose a format. */
export function outlineInstead(name: OperationName, given: unknown, value: unknown, nonce: string): string | undefined {
  if (name !== 'getMappingTree' || Object.hasOwn(given as object, 'format')) return undefined;
  if (JSON.stringify(value).length <= longTreeCharacters) return undefined;
  return `The tree is long, so this is its outline. To get all of it, give format.\n\n${enclosedText(outlineOf(value as TreeResponse), nonce)}`;
}

/** Returns a page of resources. Its cursor is the number of a list, and that list's cursor. */
async function listResources(ask: Ask, given: unknown = '0:'): Promise<{ resources: Resource[]; nextCursor?: string }> {
  const [, start, inside = ''] = /^([0-3]):(.*)$/s.exec(String(given)) ?? [];
  if (start === undefined) throw invalidParams('Give the nextCursor of the previous page as cursor.');
  const resources: Resource[] = [];
  for (const [index, { operation, input, path }] of table.listed.entries()) {
    if (index < Number(start)) continue;
    const limit = pageSize - resources.length;
    if (limit <= 0) return { resources, nextCursor: `${String(index)}:` };
    const cursor = index === Number(start) ? inside : '';
    const page = input ? { ...input, limit, ...(cursor !== '' && { cursor }) } : {};
    const { items, nextCursor } = (await ask(operation as OperationName, page).catch((error: unknown) => {
      // A key may have the scopes of some lists only.
      if (error instanceof HumanError && error.code === 'missing_scope') return { items: [] };
      throw error;
    })) as { items: { name?: string; title?: string }[]; nextCursor?: string };
    for (const item of items) {
      const title = (item.name ?? item.title)?.replaceAll(/[\s\p{C}]+/gu, ' ');
      resources.push(...resourcesOf(path, item).map((one) => ({ ...one, title, _meta: writtenByOthers })));
    }
    if (nextCursor !== undefined) return { resources, nextCursor: `${String(index)}:${nextCursor}` };
  }
  return { resources };
}

/** The methods of MCP that list and read resources. */
export const resourceMethods = (ask: Ask, outputOf: (name: OperationName) => Json): McpMethods => ({
  'resources/list': ({ cursor }) => listResources(ask, cursor),
  'resources/templates/list': () =>
    Promise.resolve({ resourceTemplates: table.kinds.map(({ operation: _by, show: _as, ...template }) => template) }),
  async 'resources/read'({ uri }) {
    if (typeof uri !== 'string') throw invalidParams('Give the address of a resource as uri.');
    const { pattern, mimeType, operation, show } = findKind(uri);
    const query = new URLSearchParams(uri.split('?')[1]);
    const variables = { ...Object.fromEntries(query), ...pattern.exec(uri)?.groups };
    const { page: _page, stepId: _stepId, ...input } = variables;
    const output = await ask(operation as OperationName, input);
    const nonce = randomBytes(12).toString('hex');
    const text = shows[show]
      ? enclosedText(await shows[show](output as never, variables, ask), nonce)
      : markedJson(outputOf(operation as OperationName), output, nonce);
    return { contents: [{ uri, mimeType, text }] };
  },
});
