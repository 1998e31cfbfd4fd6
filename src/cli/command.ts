import { parseArgs, type ParseArgsConfig } from 'node:util';

/** A command's arguments and action. `run` returns the exit code: 0 done, 1 the work failed, 2 wrong usage. */
export interface CliCommand {
  /** Text below the usage and the summary, for `--help`. */
  readonly help: string;
  run(args: readonly string[]): Promise<number>;
}

/** An invalid command line. It is shown with the usage, and the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

type Options = NonNullable<ParseArgsConfig['options']>;

/** Calls Node's `parseArgs`, and turns its errors into UsageErrors. */
export function readArguments<Spec extends Options>(args: readonly string[], options: Spec) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
  }
}

export function integerOption(value: string | undefined, name: string, low: number, high: number): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < low || number > high)
    throw new UsageError(`--${name} takes a whole number from ${String(low)} to ${String(high)}, not "${value}".`);
  return number;
}

/** Parses a number with or without a decimal point, such as `2` or `0.5`. */
export function decimalOption(value: string | undefined, name: string, low: number, high: number): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!/^\d+(\.\d+)?$/.test(value) || number < low || number > high)
    throw new UsageError(`--${name} takes a number from ${String(low)} to ${String(high)}, not "${value}".`);
  return number;
}
