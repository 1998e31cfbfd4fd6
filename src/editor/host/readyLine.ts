import type { Readable } from 'node:stream';
import type * as z from 'zod';
import { HumanError } from '../../contract/errors.ts';
import type { Logger } from '../basics/log/logger.ts';
import { readLogLine } from './childLog.ts';
import type { NodeChild } from './spawnNode.ts';

interface ChildExit {
  readonly code: number | null;
  readonly signal: string | null;
}

interface ReadyChild<Line> {
  readonly line: Line;
  readonly exited: Promise<ChildExit>;
}

/** The last lines of a child's stderr, for the message of a failed start. */
const keptLines = 20;

interface WaitedFor {
  /** The name in the log. */
  readonly name: string;
  /** The message for the user if it doesn't start. */
  readonly failure: string;
  readonly log: Logger;
}

/**
 * Waits for the JSON line on stdout that says a child is ready. Its stderr goes to the log.
 * @throws HumanError `start_failed` if the child ends first
 */
export function whenReady<Schema extends z.ZodType>(
  child: NodeChild,
  schema: Schema,
  { name, failure, log }: WaitedFor,
): Promise<ReadyChild<z.output<Schema>>> {
  const lastWords: string[] = [];
  readLines(child.stderr, (line) => {
    const { level, text } = readLogLine(name, line);
    log[level](text);
    lastWords.push(line);
    if (lastWords.length > keptLines) lastWords.shift();
  });
  const exited = new Promise<ChildExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown): void => {
      reject(new HumanError(`${failure}${humanLine(lastWords)}`, { code: 'start_failed', cause }));
    };
    child.once('error', fail);
    readLines(child.stdout, (text) => {
      const line = parse(schema, text);
      if (line) resolve({ line, exited });
    });
    // Not at `exit`, because the child's last output may still be in its pipes.
    child.once('close', () => {
      void exited.then(({ code, signal }) =>
        fail(new Error(`The process ended with ${signal ?? `code ${String(code)}`}.`)),
      );
    });
  });
}

function parse<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Dialtree's commands end with one line for people if they fail. Log lines are JSON, and stacks are indented. */
function humanLine(lines: readonly string[]): string {
  const line = lines.findLast((text) => /^[A-Z“"]/.test(text));
  return line === undefined ? '' : ` ${line}`;
}

/** Calls `onLine` for each line of a UTF-8 stream, including a last one without a line end. */
function readLines(stream: Readable, onLine: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line.trimEnd());
  });
  stream.on('end', () => {
    if (rest !== '') onLine(rest);
  });
  // The exit that follows reports a broken pipe.
  stream.on('error', () => undefined);
}
