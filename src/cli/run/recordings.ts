import { count } from '../../base/count.ts';
import type { DialtreeClient } from '../../client/client.ts';
import { isAway } from '../../client/errors.ts';
import type { ReportMedia } from '../report/report.ts';
import type { RunOfTests } from './callTests.ts';

/** About 25 minutes of calls. In the file, they take up a third more. */
const maxBytes = 48 * 2 ** 20;

/** Reads the recordings of the calls, of those that didn't pass first, until they have 48 MiB. */
export async function readRecordings(
  client: Pick<DialtreeClient, 'fetchAudioPart'>,
  { tests }: RunOfTests,
): Promise<Omit<ReportMedia, 'page'>> {
  const runs = tests.flatMap(({ calls }) => calls.flatMap(({ results }) => results ?? []));
  const wavs = new Map<string, Uint8Array>();
  const reasons = new Map<string, number>();
  const leaveOut = (reason: string): unknown => reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  let free = maxBytes;
  for (const { id, audioUrl } of runs.toSorted((one, other) => rankOf(one) - rankOf(other))) {
    if (audioUrl === undefined) continue;
    try {
      // One byte is enough to learn how long the recording is.
      const { wav, total } = await client.fetchAudioPart(audioUrl, 0, Math.max(free, 1));
      if (total > free) leaveOut('this file can contain up to 48 MiB of sound');
      else {
        free -= wav.length;
        wavs.set(id, wav);
      }
    } catch (error) {
      leaveOut("the service didn't send it");
      if (isAway(error)) break;
    }
  }
  return {
    wavs,
    leftOut: [...reasons].map(([reason, number]) => `${count(number, 'recording')} left out: ${reason}.`),
  };
}

const rankOf = ({ outcome }: { readonly outcome?: string | undefined }): number => (outcome === 'PASS' ? 1 : 0);
