import { resolve } from 'node:path';
import { importWorkspace } from '../../service/transfer/importWorkspace.ts';
import { readArguments, UsageError, type Command } from '../command.ts';
import { note, print } from '../terminal/output.ts';
import { jsonText } from '../terminal/controlCharacters.ts';
import { counted, storeHelp, storeOptions, watchTransfer, withOperatorStore } from './operatorStore.ts';

export const importCommand: Command = {
  help: `The workspace is created on the free tier and without minutes, and the command prints a key for it. If the workspace
already exists here, the command doesn't import the file. The local workspace of another installation is merged into the
local workspace of this data folder; in a database, it becomes a new workspace with another id.

${storeHelp}
  --json               prints {"workspaceId":…,"rows":…,"recordings":…,"skipped":{"table":count,…},"apiKey":…}`,
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
    const { workspaceId: id, skipped, apiKey } = summary;
    const existing = Object.values(skipped).reduce((sum, count) => sum + count, 0);
    if (existing > 0)
      note(`Existing rows that were left unchanged, including everything that belongs to them: ${String(existing)}.`);
    if (apiKey !== undefined)
      note(`The key of the new workspace is shown only now. The workspace has no minutes yet. To add some, run:
  dialtree admin tier ${id} team
  dialtree admin grant ${id} mapping 600`);
    const texts = [`${counted(summary)} in workspace ${id}`, ...(apiKey === undefined ? [] : [apiKey])];
    print(values.json === true ? jsonText(summary) : texts.join('\n'));
    return 0;
  },
};
