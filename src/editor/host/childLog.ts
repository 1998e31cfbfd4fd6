import * as z from 'zod';
import type { LogLevel } from '../basics/log/logger.ts';

interface LogLine {
  readonly level: LogLevel;
  readonly text: string;
}

interface DescribedError {
  readonly type?: string | undefined;
  readonly message?: string | undefined;
  readonly stack?: string | undefined;
  readonly cause?: DescribedError | undefined;
}
const errorSchema: z.ZodType<DescribedError> = z.lazy(() =>
  z.object({
    type: z.string().optional(),
    message: z.string().optional(),
    stack: z.string().optional(),
    cause: errorSchema.optional(),
  }),
);

/** A line of pino: level, message, error, and Dialtree's own fields. */
const lineSchema = z.looseObject({ level: z.number(), msg: z.string().optional(), err: errorSchema.optional() });
/** The channel already shows the process and the time. */
const untold = new Set(['level', 'msg', 'err', 'time', 'pid', 'hostname']);

/**
 * Formats a line of a child's stderr for people: JSON becomes a sentence with its fields in brackets; other lines stay
 * as they are.
 */
export function readLogLine(name: string, line: string): LogLine {
  const parsed = lineSchema.safeParse(json(line)).data;
  if (!parsed) return { level: 'info', text: `[${name}] ${line}` };
  const fields = Object.entries(parsed)
    .filter(([key]) => !untold.has(key))
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const text = `[${name}] ${parsed.msg ?? ''}${fields.length === 0 ? '' : ` (${fields.join(', ')})`}`;
  return { level: levelOf(parsed.level), text: parsed.err ? `${text}\n${describe(parsed.err)}` : text };
}

const levelOf = (level: number): LogLevel =>
  level < 30 ? 'debug' : level < 40 ? 'info' : level < 50 ? 'warn' : 'error';

function describe({ type, message, stack, cause }: DescribedError): string {
  const own = stack ?? [type, message].filter((part) => part !== undefined).join(': ');
  return cause ? `${own}\nCaused by: ${describe(cause)}` : own;
}

function json(line: string): unknown {
  try {
    return line.startsWith('{') ? JSON.parse(line) : undefined;
  } catch {
    return undefined;
  }
}
