import * as z from 'zod';
import { isLoopback } from '../../base/loopback.ts';
import { routesSchema } from '../../contract/dialPlan.ts';
import type { Routes } from '../../contract/dialPlan.ts';
import { describeIssues } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { linesSchema } from '../../contract/lines.ts';
import type { Lines } from '../../contract/lines.ts';
import { allowedLabelSchema } from '../../contract/mapping.ts';

/** What is needed of `vscode.workspace.getConfiguration('dialtree')`. */
export interface Configuration {
  get(key: string): unknown;
}

export interface ServiceSettings {
  readonly mode: 'embedded' | 'remote';
  /** REST address of the remote service; undefined where none is set or what is set is none. */
  readonly url: string | undefined;
}

/** Who decides and judges in missions. */
export interface ModelSettings {
  readonly provider: 'rules' | 'openai' | 'anthropic' | 'editor';
  readonly name: string;
  /** Undefined: that of the maker, or a model of the editor. */
  readonly url: string | undefined;
}

/** How a new mapping is configured unless its creator says otherwise. */
export interface MappingDefaults {
  readonly maxDepth: number;
  readonly maxCalls: number;
  readonly concurrency: number;
  readonly allowedLabels: string[];
  readonly pressUnsure: boolean;
}

/** The settings, parsed; a value that is none falls back to the default. */
export interface Settings {
  readonly service: ServiceSettings;
  readonly routes: Routes;
  readonly lines: Lines;
  /** What stands among the lines and is none, with why. */
  readonly wrongLines: readonly { readonly name: string; readonly problem: string }[];
  readonly mapping: MappingDefaults;
  readonly model: ModelSettings;
  /** Whether agents may use the service at all. */
  readonly agents: { readonly enabled: boolean };
}

const bounded = ({ min, max, default: fallback }: { min: number; max: number; default: number }) =>
  z.int().min(min).max(max).catch(fallback);
export const modelProviderSchema = z.enum(['rules', 'openai', 'anthropic', 'editor']);
const modeSchema = z.enum(['embedded', 'remote']).catch('embedded');
const knownProviderSchema = modelProviderSchema.catch('rules');
const textSchema = z.string().trim().catch('');
const membersSchema = z.record(z.string(), z.unknown()).catch({});
const enabledSchema = z.boolean().catch(true);
const mappingSchemas = {
  maxDepth: bounded(limits.maxDepth),
  maxCalls: bounded(limits.maxCalls),
  concurrency: bounded(limits.concurrency),
  pressUnsure: z.boolean().catch(false),
};

export function readSettings(configuration: Configuration): Settings {
  return {
    service: {
      mode: modeSchema.parse(configuration.get('service.mode')),
      url: serviceUrl(configuration.get('service.url')),
    },
    routes: readRoutes(configuration.get('telephony.routes')),
    ...readLines(configuration.get('telephony.lines')),
    mapping: {
      maxDepth: mappingSchemas.maxDepth.parse(configuration.get('mapping.maxDepth')),
      maxCalls: mappingSchemas.maxCalls.parse(configuration.get('mapping.maxCalls')),
      concurrency: mappingSchemas.concurrency.parse(configuration.get('mapping.concurrency')),
      allowedLabels: readLabels(configuration.get('mapping.allowedLabels')),
      pressUnsure: mappingSchemas.pressUnsure.parse(configuration.get('mapping.pressUnsure')),
    },
    model: readModel(configuration),
    agents: { enabled: enabledSchema.parse(configuration.get('agents.enabled')) },
  };
}

/** A label that is none is left out: the others count. */
const readLabels = (value: unknown): string[] =>
  z
    .array(z.unknown())
    .catch([])
    .parse(value)
    .flatMap((label) => allowedLabelSchema.safeParse(label).data ?? [])
    .slice(0, limits.allowedLabels.max);

/** A route that is none is left out: the others work. */
function readRoutes(value: unknown): Routes {
  const given = membersSchema.parse(value);
  return Object.assign(
    {},
    ...Object.entries(given).map(([number, route]) => routesSchema.safeParse({ [number]: route }).data ?? {}),
  ) as Routes;
}

/** A line that is none is left out, and told of: the others work. */
function readLines(value: unknown): Pick<Settings, 'lines' | 'wrongLines'> {
  let lines: Lines = {};
  const wrongLines: { name: string; problem: string }[] = [];
  for (const [name, line] of Object.entries(membersSchema.parse(value))) {
    const parsed = linesSchema.safeParse({ ...lines, [name]: line });
    if (parsed.success) lines = parsed.data;
    else wrongLines.push({ name, problem: describeIssues(parsed.error) });
  }
  return { lines, wrongLines };
}

/**
 * The REST address that a typed one means: `/v1` where no path was given, and no slash at the end.
 * Undefined for what is no web address, and for plain HTTP to another machine: the API key would travel in the clear.
 */
export function serviceUrl(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
  const url = new URL(value);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path === '' ? '/v1' : path}`;
}

/** An address that is none means no model: what is said on calls goes to nobody whom the person did not name. */
function readModel(configuration: Configuration): ModelSettings {
  const typed = textSchema.parse(configuration.get('model.url'));
  const url = modelUrl(typed);
  const provider = knownProviderSchema.parse(configuration.get('model.provider'));
  return {
    provider: typed !== '' && url === undefined ? 'rules' : provider,
    name: textSchema.parse(configuration.get('model.name')),
    url,
  };
}

/**
 * The address of a language model as it was typed; undefined for what is no web address. Plain HTTP is for machines of
 * one's own network, where models run too.
 */
export function modelUrl(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
  const { protocol, username, password } = new URL(value);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '' ? value : undefined;
}

/** Whether the service can call what answers on this machine only. */
export const callsFromHere = ({ mode, url }: ServiceSettings): boolean =>
  mode === 'embedded' || url === undefined || isLoopback(new URL(url).hostname);
