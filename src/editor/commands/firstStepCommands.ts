import { join } from 'node:path';
import * as z from 'zod';
import { HumanError } from '../../contract/errors.ts';
import { readArgument } from '../basics/commandArguments.ts';
import type { HandlersOf } from '../basics/commandTable.ts';
import type { L10n } from '../basics/localise.ts';
import type { SampleCopies } from '../host/sampleCopies.ts';

/** As the manifest names it, below the extension's own id. */
export const walkthroughId = 'start';
/** The folder of samples, inside the one that the person chooses. */
const samplesFolder = 'dialtree-samples';

export interface FirstStepParts {
  readonly copies: Pick<SampleCopies, 'copyTo'>;
  /** Shows the walkthrough, at a step where one is given. */
  readonly showWalkthrough: (step: string | undefined) => Promise<void>;
  /** Asks for a folder on the disk of this machine. */
  readonly askFolder: () => Promise<string | undefined>;
  /** Opens a folder as the workspace: in this window where it has none yet, else in another. */
  readonly openFolder: (folder: string) => Promise<void>;
  /**
   * What a command of the walkthrough answers, so that the editor opens a folder and there goes on with the
   * walkthrough.
   */
  readonly goOnIn: (folder: string) => { readonly openFolder: unknown };
  readonly l10n: L10n;
}

const stepSchema = z.object({ step: z.string().min(1) });
const samplesSchema = z
  .object({ folder: z.string().min(1).optional(), fromWalkthrough: z.boolean().optional() })
  .strict();

export function firstStepCommands({
  copies,
  showWalkthrough,
  askFolder,
  openFolder,
  goOnIn,
  l10n,
}: FirstStepParts): HandlersOf<'walkthrough' | 'samples'> {
  return {
    'dialtree.walkthrough.open': (value) => showWalkthrough(readArgument(stepSchema, value)?.step),
    /** Copies of the sample tests with the practice IVRs that they call, as a workspace. */
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
