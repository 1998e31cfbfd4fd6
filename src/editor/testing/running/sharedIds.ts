import { readTestFile } from '../../../model/tests/testFile.ts';
import type { L10n } from '../../basics/localise.ts';
import { nameIn } from '../../folders/fileName.ts';
import type { TestSource } from '../../folders/testSource.ts';
import type { Failure } from '../failures.ts';

/**
 * Reports files with the same id, at the id of each. The service would have one test for all of them, and a run of one
 * could be mistaken for a run of another.
 */
export async function sharedIds(sources: readonly TestSource[], l10n: L10n): Promise<ReadonlyMap<TestSource, Failure>> {
  if (sources.length < 2) return new Map();
  const read = await Promise.all(
    sources.map(async (source) => {
      // An unreadable file is reported when its turn comes.
      const file = await source
        .read()
        .then((text) => readTestFile(text, source.file, source.readBeside))
        .catch(() => undefined);
      return file && 'kind' in file && file.test.id !== undefined
        ? [{ source, file, id: file.test.id.toLowerCase() }]
        : [];
    }),
  );
  const named = read.flat();
  return new Map(
    named.flatMap(({ source, file, id }) => {
      const other = named.find((one) => one.id === id && one.source.file !== source.file);
      return other
        ? [
            [
              source,
              {
                message: l10n.t(
                  '{0} has the same ID. The service identifies a test by its ID, so each copy needs its own ID.',
                  nameIn(other.source.file),
                ),
                at: { file: source.file, ...file.placeOf(['id']) },
              },
            ] as const,
          ]
        : [];
    }),
  );
}
