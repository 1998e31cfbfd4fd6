import { HumanError } from '../../contract/errors.ts';
import { readMenu } from '../../language/menu/readMenu.ts';
import { SpeechError } from '../../speech/ear.ts';
import { readWav } from '../../speech/wav.ts';
import { readArguments, UsageError, type CliCommand } from '../command.ts';
import { readBytes } from '../terminal/inputFile.ts';
import { note, print } from '../terminal/output.ts';
import { jsonText } from '../terminal/controlCharacters.ts';
import { withSpeech } from '../ivr/speech.ts';

/** More than two hours of both sides of a call. */
const maxRecordingBytes = 250_000_000;

export const transcribe: CliCommand = {
  help: "--json prints one JSON object per file: {file, text, words: [{text, startMs, endMs}], keys: [{key, label}]}.\nIf a file can't be read, the command reports it, continues with the other files, and returns exit code 1.",
  async run(args) {
    const { values, positionals } = readArguments(args, { json: { type: 'boolean' } });
    if (positionals.length === 0) throw new UsageError('Give at least one WAV file.');
    return withSpeech(async (speech) => {
      let failed = false;
      for (const file of positionals) {
        try {
          const { channels, sampleRate } = readWav(await readBytes(file, maxRecordingBytes));
          const { text, words } = await speech.transcribe(channels[0] ?? new Int16Array(0), sampleRate);
          const keys = readMenu(text).options;
          print(
            values.json ? jsonText({ file, text, words, keys }) : `${positionals.length > 1 ? `${file}: ` : ''}${text}`,
          );
        } catch (error) {
          failed = true;
          note(`${file}: ${describe(error)}`);
        }
      }
      return failed ? 1 : 0;
    });
  },
};

function describe(error: unknown): string {
  if (error instanceof SpeechError || error instanceof HumanError) return error.message;
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT') return "the file doesn't exist.";
  if (code === 'EISDIR') return "it's a folder.";
  return error instanceof Error ? error.message : String(error);
}
