import { withoutControls } from './controlCharacters.ts';

/** Prints results. Control characters from files and callees don't reach the terminal; print JSON with `jsonText`. */
export const print = (text: string): void => {
  process.stdout.write(`${withoutControls(text)}\n`);
};
/** Prints progress and problems for people. Control characters from files don't reach the terminal. */
export const note = (text: string): void => {
  process.stderr.write(`${withoutControls(text)}\n`);
};

interface Output {
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
}

/** No one reads the output: a pipe (`| head`) or socket is closed, or the terminal is gone. */
const isUnread = ({ code }: NodeJS.ErrnoException): boolean =>
  code === 'EPIPE' || code === 'ECONNRESET' || code === 'EIO';

/**
 * Lets the work continue if its output can't be written: calls are still hung up, folders removed, and the exit code is
 * that of the work. `onLost` is called once if results are lost, as on a full disk. A reader that closed the pipe
 * wanted no more.
 */
export function surviveOutputErrors(
  results: Output,
  progress: Output,
  onLost: (error: NodeJS.ErrnoException) => void,
): void {
  let isLost = false;
  results.on('error', (error) => {
    if (isLost || isUnread(error)) return;
    isLost = true;
    onLost(error);
  });
  // There is nowhere left to report it.
  progress.on('error', () => undefined);
}
