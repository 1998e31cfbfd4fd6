import * as z from 'zod';
import { isLoopback } from '../../base/loopback.ts';
import { routesSchema, type Routes } from '../../contract/dialPlan.ts';
import { describeIssues } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { linesSchema, type Lines } from '../../contract/lines.ts';
import { allowedLabelSchema } from '../../contract/mapping.ts';

/** The part of `vscode.workspace.getConfiguration('dialtree')` that is needed. */
export interface Configuration {
  get(key: string): unknown;
}

export interface ServiceSettings {
  readonly mode: 'embedded' | 'remote';
  /** REST address of the remote service, or undefined if none is set or the value isn't valid. */
  readonly url: string | undefined;
}

/** The model, or the rules, that decides and judges in missions. */
export interface ModelSettings {
  readonly provider: 'rules' | 'openai' | 'anthropic' | 'editor';
  readonly name: string;
  /** Undefined: the provider's address, or a model of the editor. */
  readonly url: string | undefined;
}

export type MappingDefaults = z.output<typeof mappingSchema>;

/** The parsed settings. An invalid value falls back to the default. */
export interface Settings {
  readonly service: ServiceSettings;
  readonly routes: Routes;
  readonly lines: Lines;
  readonly wrongLines: readonly { readonly name: string; readonly problem: string }[];
  readonly mapping: MappingDefaults;
  readonly model: ModelSettings;
  readonly agents: { readonly enabled: boolean };
}

const bounded = ({ min, max, default: fallback }: { min: number; max: number; default: number }) =>
  z.int().min(min).max(max).catch(fallback);
const modelProviderSchema = z.enum(['rules', 'openai', 'anthropic', 'editor']);
const modeSchema = z.enum(['embedded', 'remote']).catch('embedded');
const knownProviderSchema = modelProviderSchema.catch('rules');
const textSchema = z.string().trim().catch('');
const membersSchema = z.record(z.string(), z.unknown()).catch({});
const enabledSchema = z.boolean().catch(true);
const mappingSchema = z.object({
  maxDepth: bounded(limits.maxDepth),
  maxCalls: bounded(limits.maxCalls),
  maxCallSeconds: bounded(limits.maxCallSeconds),
  concurrency: bounded(limits.concurrency),
  allowedLabels: z.unknown().transform(readLabels),
  pressUnsure: z.boolean().catch(false),
});

export function readEditorSettings(configuration: Configuration): Settings {
  return {
    service: {
      mode: modeSchema.parse(configuration.get('service.mode')),
      url: serviceUrl(configuration.get('service.url')),
    },
    routes: readRoutes(configuration.get('telephony.routes')),
    ...readLines(configuration.get('telephony.lines')),
    mapping: mappingSchema.parse(
      Object.fromEntries(
        Object.keys(mappingSchema.shape).map((member) => [member, configuration.get(`mapping.${member}`)]),
      ),
    ),
    model: readModel(configuration),
    agents: { enabled: enabledSchema.parse(configuration.get('agents.enabled')) },
  };
}

/** Invalid labels are left out; the others count. */
function readLabels(value: unknown): string[] {
  return z
    .array(z.unknown())
    .catch([])
    .parse(value)
    .flatMap((label) => allowedLabelSchema.safeParse(label).data ?? [])
    .slice(0, limits.allowedLabels.max);
}

/** Invalid routes are left out; the others work. */
function readRoutes(value: unknown): Routes {
  const members = membersSchema.parse(value);
  return Object.assign(
    {},
    ...Object.entries(members).map(([number, route]) => routesSchema.safeParse({ [number]: route }).data ?? {}),
  ) as Routes;
}

/** Invalid lines are left out and reported; the others work. */
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
 * Normalises a typed REST address: adds `/v1` if it has no path, and removes a slash at the end. Returns undefined if
 * it isn't a URL, or for plain HTTP to another machine, because the API key would travel in the clear.
 */
export function serviceUrl(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
  const url = new URL(value);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path === '' ? '/v1' : path}`;
}

/** An invalid address means no model, so that a call's words go only where the user sends them. */
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
 * Normalises the typed address of a language model, or returns undefined if it isn't a URL. Plain HTTP is allowed,
 * because models also run on other machines of the user's network.
 */
export function modelUrl(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
  const { protocol, username, password } = new URL(value);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '' ? value : undefined;
}

/** Returns true if the service can call targets that only this machine can reach. */
export const callsFromHere = ({ mode, url }: ServiceSettings): boolean =>
  mode === 'embedded' || url === undefined || isLoopback(new URL(url).hostname);
