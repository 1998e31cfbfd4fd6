import { isRecord } from '../../../base/isRecord.ts';
import { Sentences } from '../../../base/sentences.ts';
import type { L10n } from '../localise.ts';

/** The names that Dialtree gives calls by hand and their steps are stored in English, as reasons are. */
export const storedWords: L10n = {
  t: (message, ...values) => String(new Sentences([[message, ...values.map(String)]])),
};

/** The name of the test that all calls by hand share. */
export const handTest = (l10n: L10n): string => l10n.t('Call by hand');
const fixedNames = (l10n: L10n): readonly string[] => [handTest(l10n), l10n.t('Answer'), l10n.t('Hang up')];

/**
 * Returns a run with these names in the language of the editor. Names in a test that a user runs step by step stay, so
 * the steps change only if Dialtree named all of them.
 */
export function withHandNames(run: Readonly<Record<string, unknown>>, l10n: L10n): Readonly<Record<string, unknown>> {
  if (run['guided'] !== true) return run;
  const name = shownName(run['name'], l10n);
  const steps = Array.isArray(run['steps']) ? run['steps'].filter(isRecord) : [];
  const names = steps.map((step) => shownName(step['name'], l10n));
  return {
    ...run,
    ...(name !== undefined && { name }),
    ...(steps.length > 0 &&
      !names.includes(undefined) && { steps: steps.map((step, at) => ({ ...step, name: names[at] })) }),
  };
}

function shownName(name: unknown, l10n: L10n): string | undefined {
  if (typeof name !== 'string') return undefined;
  const [, keys] = /^Keys ([\d*#A-D,•]+)$/i.exec(name) ?? [];
  if (keys !== undefined) return l10n.t('Keys {0}', keys);
  const [, words] = /^Say “(.*)”$/s.exec(name) ?? [];
  if (words !== undefined) return l10n.t('Say “{0}”', words);
  return fixedNames(l10n)[fixedNames(storedWords).indexOf(name)];
}
