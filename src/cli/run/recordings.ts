import { count } from '../../base/count.ts';
import type { DialtreeClient } from '../../client/client.ts';
import { isAway } from '../../client/errors.ts';
import type { RunResults } from '../../contract/testRuns.ts';
import type { ReportMedia } from '../report/report.ts';
import type { RunOfTests } from './callTests.ts';

/** About 25 minutes of calls. In the file, they take up a third more. */
const maxBytes = 48 * 2 ** 20;

/** Reads the recordings of the calls, of those that didn't pass first, until they have 48 MiB. */
export async function readRecordings(
  client: Pick<DialtreeClient, 'fetchAudioPart'>,
  { tests }: RunOfTests,
): Promise<Omit<ReportMedia, 'page'>> {
  const runs = tests.flatMap(({ calls }) => calls.flatMap(({ results }) => (results?.audioUrl ? results : [])));
  const wavs = new Map<string, Uint8Array>();
  let free = maxBytes;
  for (const { id, audioUrl = '' } of runs.toSorted((one, other) => rankOf(one) - rankOf(other)))
    try {
      // One byte is enough to learn how long the recording is.
      const { wav, total } = await client.fetchAudioPart(audioUrl, 0, Math.max(free, 1));
      if (total > free) continue;
      free -= total;
      wavs.set(id, wav);
    } catch (error) {
      if (isAway(error)) break;
    }
  const left = runs.length - wavs.size;
  const why = 'This file has up to 48 MiB of sound, and only what the service sent.';
  return { wavs, leftOut: left === 0 ? [] : [`${count(left, 'recording')} left out. ${why}`] };
}

const rankOf = ({ outcome }: RunResults): number => Number(outcome === 'PASS');
