import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';
import { describeIssues, HumanError } from '../contract/errors.ts';
import { ivrFileSchema, type IvrFile } from '../contract/ivrFile.ts';
import { isSpoken, promptNodes, type IvrPrompt } from '../contract/ivrPrompt.ts';
import { SpeechError } from '../speech/ear.ts';
import { readWav, type Wav } from '../speech/wav.ts';
import { besideFile } from './besideFile.ts';
import { readBounded } from './boundedFile.ts';

/** All recordings of an IVR are in memory while it answers calls. This is more than an hour and a half at 8 kHz. */
const maxRecordingsBytes = 100_000_000;

export interface IvrSource {
  readonly ivr: IvrFile;
  readonly file: string;
  /** Recorded prompts by their `wav` name, 8 kHz. */
  readonly recordings: ReadonlyMap<string, Int16Array>;
}

/** Reads and checks an `*.ivr.json`. Rejects with a HumanError that names the file and the position in it. */
export async function loadIvr(file: string): Promise<IvrSource> {
  let text: string;
  try {
    text = (await readBounded(file)).toString('utf8').replace(/^\uFEFF/, '');
  } catch (cause) {
    if (cause instanceof HumanError) throw cause;
    throw new HumanError(`Couldn't read the practice IVR ${file}. Check the path and its permissions.`, {
      status: 400,
      code: 'ivr_unreadable',
      cause,
    });
  }
  const ivr = parseIvr(text, file);
  return { ivr, file, recordings: await loadRecordings(ivr, file) };
}

/** Comments and trailing commas are allowed. Anything else that isn't a valid IVR throws a HumanError. */
export function parseIvr(text: string, file: string): IvrFile {
  const errors: ParseError[] = [];
  const json: unknown = parse(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error) {
    const before = text.slice(0, error.offset).split('\n');
    throw new HumanError(
      `${file}:${String(before.length)}:${String((before.at(-1)?.length ?? 0) + 1)}: not valid JSON (${printParseErrorCode(error.error)}).`,
      { status: 400, code: 'ivr_invalid' },
    );
  }
  const result = ivrFileSchema.safeParse(json);
  if (!result.success)
    throw new HumanError(`${file}: ${describeIssues(result.error)}`, {
      status: 400,
      code: 'ivr_invalid',
      details: result.error.issues.map(({ path: place, message }) => ({ path: place.map(String).join('.'), message })),
    });
  return result.data;
}

const spokenIn = (ivr: IvrFile): IvrPrompt[] =>
  Object.values(ivr.states)
    .flatMap(({ prompt, sound, onTimeout, onInvalid, onKey = {} }) =>
      [{ prompt }, { prompt: sound }, onTimeout, onInvalid, ...Object.values(onKey)].map((said) => said?.prompt ?? ''),
    )
    .flatMap(promptNodes)
    .filter(isSpoken);

/** Returns every text that a call may need as speech. */
export const spokenTexts = (ivr: IvrFile): string[] => [
  ...new Set(
    [ivr.announcement ?? '', ...spokenIn(ivr)]
      .filter((prompt) => typeof prompt === 'string')
      .filter((text) => text !== ''),
  ),
];

async function loadRecordings(ivr: IvrFile, file: string): Promise<Map<string, Int16Array>> {
  const recordings = new Map<string, Int16Array>();
  let size = 0;
  for (const prompt of spokenIn(ivr)) {
    if (typeof prompt === 'string' || recordings.has(prompt.wav)) continue;
    const wavFile = await besideFile(file, prompt.wav);
    try {
      const bytes = await readBounded(wavFile, { name: 'The recording' });
      size += bytes.length;
      if (size <= maxRecordingsBytes) recordings.set(prompt.wav, at8kHz(readWav(bytes)));
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new HumanError(
        `${file}: can't use the recording ${wavFile} (${why}). Put a mono WAV of 8 or 16 kHz there, or give the prompt as text.`,
        { status: 400, code: 'ivr_recording', cause },
      );
    }
    if (size > maxRecordingsBytes)
      throw new HumanError(
        `${file}: its recordings are larger than ${String(maxRecordingsBytes / 1e6)} MB together. Shorten them, or split the IVR.`,
        { status: 400, code: 'file_too_large' },
      );
  }
  return recordings;
}

function at8kHz({ channels, sampleRate }: Wav): Int16Array {
  const pcm = channels[0] ?? new Int16Array(0);
  if (sampleRate !== 8000 && sampleRate !== 16_000) throw new SpeechError(`its rate is ${String(sampleRate)} Hz`);
  if (sampleRate === 8000) return pcm;
  const halved = new Int16Array(pcm.length >> 1);
  for (let index = 0; index < halved.length; index += 1) {
    // A short low-pass before dropping every other sample prevents aliasing of frequencies above 4 kHz.
    const [a, b, c] = [pcm[2 * index - 1] ?? 0, pcm[2 * index] ?? 0, pcm[2 * index + 1] ?? 0];
    halved[index] = Math.round(0.25 * a + 0.5 * b + 0.25 * c);
  }
  return halved;
}
