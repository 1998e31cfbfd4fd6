import { resolve } from 'node:path';
import { importWorkspace } from '../../service/transfer/importWorkspace.ts';
import { readArguments, UsageError, type CliCommand } from '../command.ts';
import { note, print } from '../terminal/output.ts';
import { jsonText } from '../terminal/controlCharacters.ts';
import { counted, storeHelp, storeOptions, watchTransfer, withOperatorStore } from './operatorStore.ts';

export const importCommand: CliCommand = {
  help: `The workspace is created on the free tier and without minutes, and the command prints a key for it. If parts of the
file already exist here, nothing is imported. The local workspace of another installation fills the local workspace of
this data folder, which must be empty; in a database, it becomes a new workspace with another id.

${storeHelp}
  --json               prints {"workspaceId":…,"rows":…,"recordings":…,"apiKey":…}`,
  async run(args) {
    const {
      values,
      positionals: [file, ...rest],
    } = readArguments(args, { ...storeOptions, json: { type: 'boolean' } });
    if (file === undefined || rest.length > 0) throw new UsageError('Give one file that dialtree export wrote.');
    const { signal, onProgress, explain } = watchTransfer();
    const summary = await withOperatorStore(
      values,
      (store, folder) => importWorkspace(store, folder, resolve(file), { now: new Date(), signal, onProgress }),
      { create: true },
    ).catch((error: unknown) => {
      throw explain(error);
    });
    const { workspaceId: id, apiKey } = summary;
    if (apiKey !== undefined)
      note(`The key of the new workspace is shown only now. The workspace has no minutes yet. To add some, run:
  dialtree admin tier ${id} team
  dialtree admin grant ${id} mapping 600`);
    const texts = [`${counted(summary)} in workspace ${id}`, ...(apiKey === undefined ? [] : [apiKey])];
    print(values.json === true ? jsonText(summary) : texts.join('\n'));
    return 0;
  },
};
