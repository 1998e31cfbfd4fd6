import { existsSync } from 'node:fs';
import { maxFileBytes } from '../../base/fileSize.ts';
import type { MenuReading } from '../../contract/menu.ts';
import { readMenu } from '../../language/menu/readMenu.ts';
import { readArguments, UsageError, type CliCommand } from '../command.ts';
import { print } from '../terminal/output.ts';
import { jsonText } from '../terminal/controlCharacters.ts';
import { fileTooLarge } from '../../practice/boundedFile.ts';
import { readNamed } from '../terminal/inputFile.ts';

export const read: CliCommand = {
  help: 'A FILE.txt has one prompt per line. --json prints one JSON object per prompt:\n{options: [{key, label}], speech: [], input: {type, digits, terminator} | null, repeatKey, stayOnLine}.\nWithout arguments, it reads prompts from standard input.',
  async run(args) {
    const { values, positionals } = readArguments(args, { json: { type: 'boolean' } });
    for (const prompt of await promptsOf(positionals))
      print(values.json ? jsonText(readMenu(prompt)) : describe(prompt, readMenu(prompt)));
    return 0;
  },
};

async function promptsOf(positionals: readonly string[]): Promise<string[]> {
  if (positionals.length === 0) {
    if (process.stdin.isTTY) throw new UsageError('Give the text of a prompt, or a file with one prompt per line.');
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of process.stdin as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > maxFileBytes) throw fileTooLarge('The input');
      chunks.push(chunk);
    }
    return linesOf(Buffer.concat(chunks).toString('utf8'));
  }
  const [first] = positionals;
  if (positionals.length === 1 && first !== undefined && !first.endsWith('.txt') && !existsSync(first)) return [first];
  const prompts: string[] = [];
  for (const file of positionals) {
    const message = `Couldn't read ${file}. Check the path. If you meant the text of a prompt, put it in quotes.`;
    prompts.push(...linesOf((await readNamed(file, message)).toString('utf8')));
  }
  return prompts;
}

/**
 * An empty last line is the end of the file. All other lines are prompts, so that line n of the output belongs to line
 * n of the file.
 */
const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/));

function describe(prompt: string, reading: MenuReading): string {
  const lines = [prompt];
  for (const { key, label } of reading.options)
    lines.push(`  ${key}  ${label}${key === reading.repeatKey ? '  (repeats this prompt)' : ''}`);
  if (reading.speech.length > 0) lines.push(`  say: ${reading.speech.join(', ')}`);
  if (reading.input) {
    const { type, digits, terminator } = reading.input;
    lines.push(
      `  enter: ${type.replaceAll('_', ' ')}${digits === null ? '' : `, ${String(digits)} digits`}${terminator === null ? '' : `, ended by ${terminator}`}`,
    );
  }
  if (reading.stayOnLine) lines.push('  or stay on the line');
  if (lines.length === 1) lines.push('  nothing to press, say or enter');
  return lines.join('\n');
}
