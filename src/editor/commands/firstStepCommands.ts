import { join } from 'node:path';
import * as z from 'zod';
import { HumanError } from '../../contract/errors.ts';
import { command } from './command.ts';

/** Its name in the manifest, without the extension's id. */
export const walkthroughId = 'start';
const samplesFolder = 'dialtree-samples';

export const firstStepCommands = [
  command({
    id: 'dialtree.walkthrough.open',
    args: z.object({ step: z.string().min(1) }),
    run: ({ context, workbench }, args) =>
      workbench.showWalkthrough(`${context.extension.id}#${walkthroughId}`, args?.step),
  }),
  command({
    id: 'dialtree.samples.open',
    args: z.object({ folder: z.string().min(1).optional(), fromWalkthrough: z.boolean().optional() }).strict(),
    async run({ copies, workbench, l10n }, args) {
      const { folder: given, fromWalkthrough = false } = args ?? {};
      const chosen = given ?? (await workbench.askSamplesFolder());
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
      return fromWalkthrough ? workbench.goOnIn(folder) : workbench.openFolder(folder);
    },
  }),
];
