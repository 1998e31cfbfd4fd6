import { parseArgs, type ParseArgsConfig } from 'node:util';

/** What a command takes and does. `run` returns the exit code: 0 done, 1 the work failed, 2 wrong usage. */
export interface Command {
  /** Below the usage and the summary, for `--help`. */
  readonly help: string;
  run(args: readonly string[]): Promise<number>;
}

/** The command line is wrong; shown with the usage, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

type Options = NonNullable<ParseArgsConfig['options']>;

/** `parseArgs` of Node with its complaints as UsageError. */
export function readArguments<Spec extends Options>(args: readonly string[], options: Spec) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
  }
}

export function integer(value: string | undefined, name: string, low: number, high: number): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < low || number > high)
    throw new UsageError(`--${name} takes a whole number from ${String(low)} to ${String(high)}, not "${value}".`);
  return number;
}

/** A number with a point or without, such as `2` or `0.5`. */
export function decimal(value: string | undefined, name: string, low: number, high: number): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!/^\d+(\.\d+)?$/.test(value) || number < low || number > high)
    throw new UsageError(`--${name} takes a number from ${String(low)} to ${String(high)}, not "${value}".`);
  return number;
}
