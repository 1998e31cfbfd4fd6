import { withoutControls } from './controlCharacters.ts';

/** Results. What files and callees say reaches no terminal as it is; JSON goes through `jsonText`. */
export const print = (text: string): void => {
  process.stdout.write(`${withoutControls(text)}\n`);
};
/** Progress and complaints, for people: what files hold reaches no terminal as it is. */
export const note = (text: string): void => {
  process.stderr.write(`${withoutControls(text)}\n`);
};

/** A stream that the work writes to: standard output or standard error. */
interface Output {
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
}

/** Nobody reads any more: a pipe (`| head`) or socket is closed, or the terminal is gone. */
const isUnread = ({ code }: NodeJS.ErrnoException): boolean =>
  code === 'EPIPE' || code === 'ECONNRESET' || code === 'EIO';

/**
 * Lets the work go on when its output cannot be written: calls are hung up, folders removed and the exit code is that
 * of the work. `onLost` is called once where results were lost, as on a full disk; a reader who has gone wanted no more
 * of them.
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
  // There is no place left to tell it.
  progress.on('error', () => undefined);
}
