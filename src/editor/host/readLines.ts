import type { Readable } from 'node:stream';

/** Calls `onLine` for each line of a UTF-8 stream, including a last one without a line end. */
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
  // The exit that follows reports a broken pipe.
  stream.on('error', () => undefined);
}
