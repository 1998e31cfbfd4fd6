import { acceptedText, changesIn, type HeardInstead } from '../../model/tests/heardInstead.ts';
import type { Dialogs } from '../basics/dialogs/dialogs.ts';
import type { L10n } from '../basics/localise.ts';

/**
 * Returns the words that a step expects from now on. Asks about each change of a number, a key or a negation, because
 * these are often the fault that the test has found. Returns undefined if the user cancels, or refuses every change.
 */
export async function askAccepted(
  found: HeardInstead,
  dialogs: Pick<Dialogs, 'pick'>,
  l10n: L10n,
): Promise<string | undefined> {
  const changes = changesIn(found);
  const asked = changes.filter(({ matters, stays }) => matters && !stays);
  const refused = new Set<(typeof changes)[number]>();
  const quoted = (text: string): string => (text === '' ? l10n.t('nothing') : `“${text}”`);
  for (const [index, change] of asked.entries()) {
    const [expected, heard] = [quoted(change.expected), quoted(change.heard)];
    const accepts = await dialogs.pick(
      [
        { label: l10n.t('Keep {0}', expected), detail: l10n.t('The IVR is wrong here.'), value: false },
        { label: l10n.t('Accept {0}', heard), detail: l10n.t('The IVR was changed on purpose.'), value: true },
      ],
      {
        title: l10n.t('Accept What Was Heard ({0} of {1})', index + 1, asked.length),
        placeHolder: l10n.t('Expected {0}, heard {1}. What is right?', expected, heard),
        ignoreFocusOut: true,
      },
    );
    if (accepts === undefined) return undefined;
    if (!accepts) refused.add(change);
  }
  const text = acceptedText(changes, refused);
  return text === found.expected ? undefined : text;
}
