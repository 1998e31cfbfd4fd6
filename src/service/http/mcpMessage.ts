import { isRecord } from '../../base/isRecord.ts';
import { readStructure } from './issueWords.ts';

/**
 * Returns a JSON-RPC message as its client meant it. Serialisers write null for members without a value, and an empty
 * list for an empty object. Models write the arguments of a call as text.
 * @throws HumanError if that text is nested too deeply
 */
export function readMessage(message: unknown): unknown {
  if (!isRecord(message)) return message;
  const { params: given, ...rest } = message;
  if (isEmpty(given)) return rest;
  if (!isRecord(given)) return message;
  const { arguments: called, ...others } = given;
  const params = withoutNulls(others) as Readonly<Record<string, unknown>>;
  if (isEmpty(called)) return { ...rest, params };
  const read = typeof called === 'string' ? (readStructure(called) ?? called) : called;
  return { ...rest, params: { ...params, arguments: read } };
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (member === null ? [] : [[name, withoutNulls(member)]])),
  );
}

/**
 * Members that clients add to the arguments of any tool: n8n (`tool`, `toolCallId`, `sessionId`, `action`,
 * `chatInput`), Cline (`task_progress`), Cursor (`random_string`, for tools without arguments), and names with an
 * underscore in front (`_meta`, `_sessionID`).
 */
const addedByClients = /^(?:_.*|tool|toolCallId|sessionId|action|chatInput|task_progress|random_string)$/s;

/** The parts of a tool's `inputSchema` that say what a client's arguments mean. */
interface ArgumentsSchema {
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
  readonly anyOf?: readonly unknown[] | undefined;
}

/**
 * Returns the arguments of a tool without members that the client, and not its model, added. A client in OpenAI's strict
 * mode names every member, so its null means that the member has no value, and never that an update removes it.
 */
export function withoutClientMembers(schema: ArgumentsSchema, given: Readonly<Record<string, unknown>>): unknown {
  const { properties = {} } = schema;
  const own = Object.entries(given).filter(([name]) => Object.hasOwn(properties, name) || !addedByClients.test(name));
  return withoutUnset(schema, Object.fromEntries(own));
}

/** Removes the nulls of an object if it names every member, and then those of its objects. */
function withoutUnset(schema: unknown, value: unknown): unknown {
  if (!isRecord(schema) || !isRecord(value)) return value;
  const { properties, anyOf } = schema as ArgumentsSchema;
  if (anyOf) return anyOf.reduce(withoutUnsetIn, value);
  if (!properties || !Object.keys(properties).every((name) => Object.hasOwn(value, name))) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      member === null ? [] : [[name, withoutUnset(properties[name], member)]],
    ),
  );
}

const withoutUnsetIn = (value: unknown, schema: unknown): unknown => withoutUnset(schema, value);
