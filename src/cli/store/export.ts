import { resolve } from 'node:path';
import { exportWorkspace } from '../../service/transfer/exportWorkspace.ts';
import { readArguments, UsageError, type CliCommand } from '../command.ts';
import { note, print } from '../terminal/output.ts';
import { jsonText } from '../terminal/controlCharacters.ts';
import {
  counted,
  assertWorkspaceId,
  storeHelp,
  storeOptions,
  watchTransfer,
  withOperatorStore,
} from './operatorStore.ts';

export const exportCommand: CliCommand = {
  help: `\`dialtree admin workspaces\` lists the ids. \`dialtree import\` reads the file into another data folder or database.
People, keys, minutes, the tier, budgets, consents, active runs and the runs of tests stay where they are. The file contains numbers and
transcripts as plain text, so it is readable only by you. The command replaces an existing file.

${storeHelp}
  --json               prints {"workspaceId":…,"rows":…,"recordings":…,"missing":…}`,
  async run(args) {
    const {
      values,
      positionals: [workspace, file, ...rest],
    } = readArguments(args, { ...storeOptions, json: { type: 'boolean' } });
    const id = assertWorkspaceId(workspace);
    if (file === undefined || rest.length > 0)
      throw new UsageError('Give the file to write, such as workspace.dialtree.');
    const { signal, onProgress, explain } = watchTransfer();
    const summary = await withOperatorStore(values, (store, folder) =>
      exportWorkspace(store, folder, id, resolve(file), { signal, onProgress }),
    ).catch((error: unknown) => {
      throw explain(error);
    });
    if (summary.missing > 0)
      note(
        `${String(summary.missing)} recordings aren't in the data folder and were left out. Check that --data is the folder that the services use.`,
      );
    print(values.json === true ? jsonText(summary) : `${counted(summary)} in ${file}`);
    return 0;
  },
};
