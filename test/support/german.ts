import { createFormats } from '../../src/editor/basics/formats.ts';
import { readTranslation } from './l10nStrings.ts';

const bundle = await readTranslation('de');

/** What a German editor shows sentences with. */
export const german = {
  l10n: {
    t: (message: string, ...values: readonly unknown[]): string =>
      (bundle[message] ?? message).replaceAll(/\{(\d+)\}/g, (_place, index) => String(values[Number(index)])),
  },
  formats: createFormats('de'),
};
