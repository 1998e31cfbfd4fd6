import { spawn } from 'node:child_process';

export interface RunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Advice for the reader of a failure. */
  advice?: string;
}

/**
 * Runs a program to its end and returns its standard output.
 *
 * @throws Error with the command, the end of its output, and the advice, if it can't start or doesn't end with 0.
 */
export function runToEnd(command: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let everything = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      everything += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      everything += text;
    });
    const fail = (what: string, cause?: unknown): void => {
      const parts = [`${command} ${args.join(' ')}: ${what}`, everything.trim().slice(-2000), options.advice ?? ''];
      reject(new Error(parts.filter((part) => part !== '').join('\n'), { cause }));
    };
    child.once('error', (error) => fail(error.message, error));
    child.once('close', (code, signal) => {
      if (code === 0) {
        resolve(stdout);
      } else {
        fail(signal === null ? `ended with ${String(code)}` : `was ended by ${signal}`);
      }
    });
  });
}

/**
 * Returns the environment for a program under test, without what npm, or an editor's terminal, added for its own
 * children.
 */
export function cleanEnvironment(additions: Record<string, string> = {}): NodeJS.ProcessEnv {
  const foreign = /^(npm_|VSCODE_|ELECTRON_|NODE_OPTIONS$)/i;
  const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  return { ...Object.fromEntries(kept), ...additions };
}
