import { statSync } from 'node:fs';
import path from 'node:path';
import type { IvrSource } from './ivrSource.ts';
import { seededRandom } from './random.ts';

/** Each version of a file has its own random numbers and count of calls. */
const versionOf = (source: IvrSource) => ({ source, random: seededRandom(source.ivr.faults.seed), answered: 0 });
type Version = ReturnType<typeof versionOf>;
/** What a call hears. A promise while a changed file loads. */
export type Played = Version | Promise<Version>;

/** Distinguishes the file and its recordings from what they are after a change, also one by renaming. */
const stateOf = ({ file, recordings }: IvrSource): string =>
  [file, ...[...recordings.keys()].map((wav) => path.resolve(file, '..', wav))]
    .map((one) => ({ one, ...statSync(one, { bigint: true, throwIfNoEntry: false }) }))
    .map(({ one, mtimeNs, ctimeNs, size }) => [one, mtimeNs, ctimeNs, size].join(' '))
    .join('\n');

/**
 * Returns a function for each call that arrives, which returns what the call hears. The file can change again while it
 * loads. If it doesn't load, calls hear the last valid version, and `onStale` gets each new problem. Without `load`, all
 * calls hear what is given.
 */
export function followFile(
  given: IvrSource,
  load: (() => Promise<IvrSource>) | undefined,
  onStale?: (problem: string) => void,
): () => Played {
  let version = versionOf(given);
  if (!load) return () => version;
  let state = stateOf(given);
  let next: Promise<Version> | undefined;
  let reported: string | undefined;
  const prepare = async (): Promise<Version> => {
    for (let seen; (seen = stateOf(version.source)) !== state; state = seen) version = versionOf(await load());
    reported = undefined;
    return version;
  };
  const keep = ({ message }: Error): Version => {
    if (message !== reported) onStale?.(message);
    reported = message;
    return version;
  };
  return () => {
    if (stateOf(version.source) === state) return version;
    return (next ??= prepare()
      .catch(keep)
      .finally(() => (next = undefined)));
  };
}
