import type { Readable } from 'node:stream';

/** Calls `onLine` for each whole line of a UTF-8 stream, also for a last one without its end. */
export function readLines(stream: Readable, onLine: (line: string) => void): void {
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
  // A broken pipe says no more than the exit that follows it.
  stream.on('error', () => undefined);
}
