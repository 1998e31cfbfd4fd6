import { findSourceMap } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Returns a stack of bundled code with the lines of its sources, relative to the working folder, as mocha shows them.
 * Node does this by itself, but VS Code replaces its function.
 */
export function mappedStack(stack: string): string {
  return stack.replace(/([^\s()]+\.cjs):(\d+):(\d+)/g, (place, file: string, line: string, column: string) => {
    const bundle = file.startsWith('file:') ? fileURLToPath(file) : path.resolve(file);
    const entry = findSourceMap(bundle)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (entry === undefined || !('originalSource' in entry)) {
      return place;
    }
    const { originalSource, originalLine, originalColumn } = entry;
    const source = originalSource.startsWith('file:')
      ? fileURLToPath(originalSource)
      : path.resolve(path.dirname(bundle), originalSource);
    return `${path.relative(process.cwd(), source)}:${originalLine + 1}:${originalColumn + 1}`;
  });
}
