import { join } from 'node:path';
import * as z from 'zod';
import { HumanError } from '../../contract/errors.ts';
import { readArgument } from '../basics/commandArguments.ts';
import type { HandlersOf } from '../basics/commandTable.ts';
import type { L10n } from '../basics/localise.ts';
import type { SampleCopies } from '../host/sampleCopies.ts';

/** Its name in the manifest, without the extension's id. */
export const walkthroughId = 'start';
const samplesFolder = 'dialtree-samples';

interface FirstStepParts {
  readonly copies: Pick<SampleCopies, 'copyTo'>;
  readonly showWalkthrough: (step: string | undefined) => Promise<void>;
  /** Asks for a folder on this machine's disk. */
  readonly askFolder: () => Promise<string | undefined>;
  readonly openFolder: (folder: string) => Promise<void>;
  /**
   * The return value of a walkthrough command, which makes the editor open a folder and continue the walkthrough there.
   */
  readonly goOnIn: (folder: string) => { readonly openFolder: unknown };
  readonly l10n: L10n;
}

const stepSchema = z.object({ step: z.string().min(1) });
const samplesSchema = z
  .object({ folder: z.string().min(1).optional(), fromWalkthrough: z.boolean().optional() })
  .strict();

export function firstStepCommands(parts: FirstStepParts): HandlersOf<'walkthrough' | 'samples'> {
  const { copies, showWalkthrough, askFolder, openFolder, goOnIn, l10n } = parts;
  return {
    'dialtree.walkthrough.open': (value) => showWalkthrough(readArgument(stepSchema, value)?.step),
    'dialtree.samples.open': async (value) => {
      const { folder: given, fromWalkthrough = false } = readArgument(samplesSchema, value) ?? {};
      const chosen = given ?? (await askFolder());
      if (chosen === undefined) return undefined;
      const folder = join(chosen, samplesFolder);
      try {
        await copies.copyTo(folder);
      } catch (cause) {
        throw new HumanError(
          l10n.t("Couldn't copy the samples to {0}. Choose a folder that you can write to.", folder),
          { status: 400, code: 'samples_folder', cause },
        );
      }
      return fromWalkthrough ? goOnIn(folder) : openFolder(folder);
    },
  };
}
