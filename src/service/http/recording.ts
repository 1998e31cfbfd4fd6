import { Readable } from 'node:stream';
import type { Context } from 'hono';
import { HumanError } from '../../contract/errors.ts';
import { serverLimits } from '../../contract/limits.ts';
import type { Recordings } from '../runs/recordings.ts';
import type { Signer } from '../basics/signing.ts';
import type { AppEnvironment } from './environment.ts';

const signedText = (runId: string, stepId: string, expires: string): string => `${runId}\0${stepId}\0${expires}`;

/** Returns the address of a recording. Anyone with this address can read the recording for an hour. */
export function recordingUrl(baseUrl: string, signer: Signer, now: Date, runId: string, stepId: string): string {
  const expires = String(Math.floor(now.getTime() / 1000) + serverLimits.audioUrlSeconds);
  const signature = signer.sign('recording', signedText(runId, stepId, expires));
  return `${baseUrl}/recordings/${encodeURIComponent(runId)}/${encodeURIComponent(stepId)}.wav?expires=${expires}&signature=${signature}`;
}

interface RecordingParts {
  readonly recordings: Recordings;
  readonly signer: () => Promise<Signer>;
  readonly now: () => Date;
}

export async function answerRecording(
  context: Context<AppEnvironment>,
  { recordings, signer, now }: RecordingParts,
): Promise<Response> {
  const runId = context.req.param('runId') ?? '';
  const file = context.req.param('file') ?? '';
  const { expires = '', signature = '' } = context.req.query();
  const stepId = file.endsWith('.wav') ? file.slice(0, -'.wav'.length) : '';
  const valid =
    stepId !== '' &&
    /^\d+$/.test(expires) &&
    (await signer()).verify('recording', signedText(runId, stepId, expires), signature);
  if (!valid || Number(expires) * 1000 < now().getTime()) {
    throw new HumanError(
      "This audio address isn't valid or has expired. Request the tree or the run again to get a new one.",
      {
        status: 403,
        code: 'address_expired',
      },
    );
  }
  const opened = await recordings.open(runId, stepId);
  if (!opened) throw new HumanError('This recording no longer exists.', { status: 404, code: 'not_found' });
  const range = readRange(context.req.header('range'), opened.bytes);
  if (range === 'unsatisfiable') {
    await opened.file.close();
    return new Response(null, { status: 416, headers: { 'content-range': `bytes */${String(opened.bytes)}` } });
  }
  const { start, end } = range ?? { start: 0, end: opened.bytes - 1 };
  // The stream closes the file. Its last byte can't be before its first, even in an empty file.
  const stream = opened.file.createReadStream({ start, end: Math.max(start, end) });
  return new Response(Readable.toWeb(stream) as ReadableStream<Uint8Array>, {
    status: range ? 206 : 200,
    headers: {
      'content-type': 'audio/wav',
      'accept-ranges': 'bytes',
      'content-length': String(end - start + 1),
      'cache-control': 'private, no-store',
      ...(range && { 'content-range': `bytes ${String(start)}-${String(end)}/${String(opened.bytes)}` }),
    },
  });
}

/** One range (RFC 9110, section 14.1.2); other requests get the whole recording. */
export function readRange(
  header: string | undefined,
  bytes: number,
): { readonly start: number; readonly end: number } | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  return start > end || start >= bytes ? 'unsatisfiable' : { start, end };
}
