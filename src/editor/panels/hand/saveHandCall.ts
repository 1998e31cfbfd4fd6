import { ivrSlug } from '../../../contract/ivrFile.ts';
import type { RunResults } from '../../../contract/testRuns.ts';
import { targetName } from '../../../model/calls/targetName.ts';
import { callTestText } from '../../../model/tests/callTestText.ts';
import { missionText, testFromCall } from '../../../model/tests/testFromCall.ts';
import { testTargetOf, type TargetParts } from '../../trees/offerTests.ts';

export interface HandCall {
  readonly run: RunResults;
  /** The keys and words that the transcript masks, in order. */
  readonly secrets: readonly string[];
}

interface SaveParts extends TargetParts {
  readonly open: (uri: string) => Promise<unknown>;
}

/** Asks for a new file, writes what was done on a call as a test or mission, and opens it. */
export async function saveHandCall(as: 'calltest' | 'mission', call: HandCall, parts: SaveParts): Promise<void> {
  const { files, l10n, dialogs } = parts;
  const { phoneNumber } = call.run;
  const name = targetName(phoneNumber);
  const title = as === 'calltest' ? l10n.t('Save as Test') : l10n.t('Save as Mission');
  const uri = await files.askNewFile(title, ivrSlug(name), `.${as}.json`);
  const target =
    uri === undefined ? undefined : await testTargetOf({ phoneNumber, name }, files.folderOf(uri), title, parts);
  if (uri === undefined || target === undefined) return;
  const text =
    as === 'calltest'
      ? callTestText({ name, steps: testFromCall(call.run, call.secrets) }, target)
      : missionText(name, call.run, target);
  await files.write(uri, text);
  await parts.open(uri);
  // Resolves only when the message is gone.
  if (as === 'calltest' && text.includes('"{secret}"'))
    void dialogs.warn(
      l10n.t(
        "Dialtree doesn't store secret keys and words. The test has {0} instead: add a row with its value.",
        '{secret}',
      ),
    );
}
