import type * as z from 'zod';
import { HumanError } from '../../contract/errors.ts';
import type { Logger } from '../basics/log/logger.ts';
import { readLogLine } from './childLog.ts';
import { readLines } from './readLines.ts';
import type { NodeChild } from './spawnNode.ts';

/** How a child ended. */
export interface ChildExit {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface ReadyChild<Line> {
  readonly line: Line;
  readonly exited: Promise<ChildExit>;
}

/** The last words of a child on stderr, kept for the message of a failed start. */
const keptLines = 20;

export interface WaitedFor {
  /** In the log. */
  readonly name: string;
  /** What a person is told when it does not start. */
  readonly failure: string;
  readonly log: Logger;
}

/**
 * Waits for the one JSON line on stdout that says a child is ready; its stderr goes to the log.
 * @throws HumanError `start_failed` when the child ends before that
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
    child.once('exit', (code, signal) => {
      resolve({ code, signal });
    });
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
    // Not at the exit: what the child wrote last may still be in its pipes.
    child.once('close', () => {
      void exited.then(({ code, signal }) => {
        fail(new Error(`The process ended with ${signal ?? `code ${String(code)}`}.`));
      });
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

/** A command of Dialtree ends a failure with one line for a person; log lines are JSON, stacks are indented. */
function humanLine(lines: readonly string[]): string {
  const line = lines.findLast((text) => /^[A-Z“"]/.test(text));
  return line === undefined ? '' : ` ${line}`;
}
