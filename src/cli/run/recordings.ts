import { isAway } from '../../client/errors.ts';
import type { DialtreeClient } from '../../client/client.ts';
import type { Sound } from '../report/report.ts';
import type { RunOfTests } from './callTests.ts';

/** About 25 minutes of calls. In the file, they take up a third more. */
const maxBytes = 48 * 2 ** 20;
/** A part that is enough to learn how long the recording is. */
const headBytes = 44;

/** Reads the recordings of the calls, of those that didn't pass first, until they have 48 MiB. */
export async function readRecordings(
  client: Pick<DialtreeClient, 'fetchAudioPart'>,
  { tests }: RunOfTests,
): Promise<Sound> {
  const runs = tests.flatMap(({ calls }) => calls.flatMap(({ results }) => results ?? []));
  const ordered = [
    ...runs.filter(({ outcome }) => outcome !== 'PASS'),
    ...runs.filter(({ outcome }) => outcome === 'PASS'),
  ];
  const wavs = new Map<string, Uint8Array>();
  let free = maxBytes;
  let tooLong = 0;
  let unread = 0;
  for (const { id, audioUrl } of ordered) {
    if (audioUrl === undefined) continue;
    try {
      const { total } = await client.fetchAudioPart(audioUrl, 0, headBytes);
      if (total > free) {
        tooLong += 1;
        continue;
      }
      const { wav } = await client.fetchAudioPart(audioUrl, 0, total);
      free -= wav.length;
      wavs.set(id, wav);
    } catch (error) {
      unread += 1;
      if (isAway(error)) break;
    }
  }
  const sentence = (number: number, why: string): readonly string[] =>
    number === 0 ? [] : [`${number} ${number === 1 ? 'recording is' : 'recordings are'} left out, because ${why}.`];
  return {
    wavs,
    leftOut: [
      ...sentence(tooLong, 'this file can contain up to 48 MiB of sound'),
      ...sentence(unread, "the service didn't send everything"),
    ],
  };
}
