import { resolve } from 'node:path';
import { exportWorkspace } from '../service/transfer/exportWorkspace.ts';
import { note, print, readArguments, UsageError } from './command.ts';
import { jsonText } from './controlCharacters.ts';
import { counted, demandWorkspaceId, storeOptions, watchTransfer, withOperatorStore } from './operatorStore.ts';

/** `dialtree export`: a whole workspace into one file. */
export async function runExport(args: readonly string[]): Promise<number> {
  const {
    values,
    positionals: [workspace, file, ...rest],
  } = readArguments(args, { ...storeOptions, json: { type: 'boolean' } });
  const id = demandWorkspaceId(workspace);
  if (file === undefined || rest.length > 0)
    throw new UsageError('Give the file to write, such as workspace.dialtree.');
  const { signal, onProgress, explain } = watchTransfer();
  const summary = await withOperatorStore(values, (store, folder) =>
    exportWorkspace(store, folder, id, resolve(file), { now: new Date(), signal, onProgress }),
  ).catch((error: unknown) => {
    throw explain(error);
  });
  const { recordings: missing = 0 } = summary.skipped;
  if (missing > 0)
    note(
      `${String(missing)} recordings were not in the data folder and are left out. Is it the folder of the services (--data)?`,
    );
  print(values.json === true ? jsonText(summary) : `${counted(summary)} in ${file}`);
  return 0;
}
