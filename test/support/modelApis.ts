import { isRecord } from '../../src/base/isRecord.ts';

/** What the API of a model accepts as the schema of a tool's arguments. */
interface ModelApi {
  readonly name: string;
  /** Where the rules are written down. */
  readonly sources: readonly string[];
  readonly keywords: ReadonlySet<string>;
  readonly formats: ReadonlySet<string>;
  /** Keywords that can't be at the root, whose type is object. */
  readonly notAtRoot: readonly string[];
  readonly toolName: RegExp;
  readonly memberName: RegExp;
  readonly description?: number;
  /** Levels of objects and lists. */
  readonly depth?: number;
  readonly members?: number;
  /** Objects with named members don't say that they accept others. */
  readonly isClosed?: boolean;
  /** A union's choices, and values of an enumeration. */
  readonly typedChoices?: boolean;
  /** Objects inside the arguments have members. */
  readonly filledObjects?: boolean;
}

/** Every API accepts these. */
const common = ['type', 'description', 'properties', 'required', 'items', 'enum', 'anyOf', 'minItems', 'maxItems'];
const numeric = ['minimum', 'maximum'];
const choices = ['oneOf', 'anyOf', 'allOf'];
const name = /^[a-zA-Z0-9_-]{1,64}$/;
const anyName = /./;

/**
 * `default` isn't in OpenAI's list for strict mode, nor is an object with any names (`additionalProperties` with a
 * schema). A client in strict mode removes the first and sends tools with the second without strict mode, as
 * openai-agents does. Such a client also adds the `additionalProperties: false` and the `required` that OpenAI demands.
 */
export const modelApis: readonly ModelApi[] = [
  {
    name: 'OpenAI',
    sources: [
      'https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas',
      'https://github.com/langchain-ai/langchainjs/issues/9804 (root)',
      'https://github.com/can1357/oh-my-pi/issues/920 (oneOf, also without strict mode)',
      'https://github.com/posit-dev/chatlas/pull/255 (formats)',
    ],
    keywords: new Set([...common, ...numeric, 'pattern', 'format', 'additionalProperties', 'default']),
    formats: new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']),
    notAtRoot: [...choices, 'enum', 'not'],
    toolName: name,
    memberName: anyName,
    description: 1024,
    depth: 10,
    members: 5000,
    isClosed: true,
    filledObjects: true,
  },
  {
    name: 'Anthropic',
    sources: [
      'https://platform.claude.com/docs/en/managed-agents/self-hosted-sandboxes (references, root, names of members)',
      'https://github.com/dearlordylord/huly-mcp/issues/66 (root)',
    ],
    keywords: new Set([...common, ...numeric, 'pattern', 'format', 'additionalProperties', 'default']),
    formats: new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid']),
    notAtRoot: choices,
    toolName: name,
    memberName: /^[a-zA-Z0-9_.-]{1,64}$/,
  },
  {
    name: 'Gemini',
    sources: [
      'https://ai.google.dev/api/caching#Schema',
      'https://github.com/hideya/langchain-mcp-tools-ts/issues/36 (exclusiveMinimum, formats)',
      'https://github.com/thClaws/thClaws/issues/172 (propertyNames, enumerations of numbers)',
      'https://github.com/taylorwilsdon/google_workspace_mcp/issues/1099 (const, oneOf, lists of types)',
      'https://github.com/MarkusPfundstein/mcp-obsidian/issues/21 (objects without members)',
    ],
    keywords: new Set([...common, ...numeric, 'pattern', 'format', 'additionalProperties', 'default']),
    formats: new Set(['date-time', 'enum']),
    notAtRoot: choices,
    toolName: name,
    memberName: anyName,
    typedChoices: true,
    filledObjects: true,
  },
];

/** The editor's chat sends its tools without strict mode, and adapts lengths and formats to the model's API. */
export const editorRules = (api: ModelApi): ModelApi => ({
  ...api,
  keywords: new Set([...api.keywords, 'minLength', 'maxLength']),
  formats: new Set([...api.formats, 'uuid']),
});

type Schema = Readonly<Record<string, unknown>>;
const schemasIn = (value: unknown): Schema[] => (Array.isArray(value) ? value : [value]).filter(isRecord);

/** Returns what an API refuses in the schema of a tool's arguments. */
export function refusals(api: ModelApi, tool: string, root: Schema): string[] {
  const found: string[] = [];
  let members = 0;
  const look = (schema: Schema, path: string, depth: number): void => {
    const refuse = (what: string): number => found.push(`${path}: ${what}`);
    for (const keyword of Object.keys(schema)) if (!api.keywords.has(keyword)) refuse(keyword);
    const { type, format, enum: values, properties, additionalProperties, items, anyOf, description } = schema;
    if (format !== undefined && !api.formats.has(String(format))) refuse(`format ${String(format)}`);
    if (typeof description === 'string' && description.length > (api.description ?? Infinity)) refuse('description');
    if (Array.isArray(type)) refuse('several types');
    if (api.typedChoices && type === undefined && anyOf === undefined) refuse('no type');
    if (api.typedChoices && Array.isArray(values) && values.some((value) => typeof value !== 'string'))
      refuse('an enumeration of other values than texts');
    if (api.isClosed && isRecord(properties) && additionalProperties !== undefined && additionalProperties !== false)
      refuse('further members');
    const isFilled = isRecord(properties) ? Object.keys(properties).length > 0 : isRecord(additionalProperties);
    if (api.filledObjects && type === 'object' && depth > 0 && !isFilled) refuse('an object without members');
    if (depth > (api.depth ?? Infinity)) refuse('too deep');
    for (const [member, inner] of Object.entries(isRecord(properties) ? properties : {})) {
      members += 1;
      if (!api.memberName.test(member)) refuse(`the name ${member}`);
      for (const one of schemasIn(inner)) look(one, `${path}.${member}`, depth + 1);
    }
    for (const one of schemasIn(items)) look(one, `${path}[]`, depth + 1);
    for (const one of schemasIn(additionalProperties)) look(one, `${path}{}`, depth + 1);
    for (const one of schemasIn(anyOf)) look(one, path, depth);
  };
  if (!api.toolName.test(tool)) found.push(`${tool}: the name`);
  if (root['type'] !== 'object') found.push(`${tool}: not an object`);
  for (const keyword of api.notAtRoot) if (keyword in root) found.push(`${tool}: ${keyword} at the root`);
  look(root, tool, 0);
  if (members > (api.members ?? Infinity)) found.push(`${tool}: too many members`);
  return found;
}
