import { resolve } from 'node:path';
import { importWorkspace } from '../../service/transfer/importWorkspace.ts';
import type { ImportSummary } from '../../service/transfer/importWorkspace.ts';
import { readArguments, UsageError, type Command } from '../command.ts';
import { note, print } from '../terminal/output.ts';
import { jsonText } from '../terminal/controlCharacters.ts';
import { counted, storeHelp, storeOptions, watchTransfer, withOperatorStore } from './operatorStore.ts';

/** A file of `dialtree export` into a store. */
export const importCommand: Command = {
  help: `Its keys go on working here. A workspace that is here already is refused; but the local workspace of another installation is merged into the
local one of this data folder, and becomes a new workspace of a database: free, without minutes, its id is printed.

${storeHelp}
  --json               prints {"workspaceId":…,"rows":…,"recordings":…,"skipped":{"table":count,…}}`,
  async run(args) {
    const {
      values,
      positionals: [file, ...rest],
    } = readArguments(args, { ...storeOptions, json: { type: 'boolean' } });
    if (file === undefined || rest.length > 0) throw new UsageError('Give one file of dialtree export.');
    const { signal, onProgress, explain } = watchTransfer();
    const { fromLocal, ...summary } = await withOperatorStore(
      values,
      (store, folder) => importWorkspace(store, folder, resolve(file), { signal, onProgress }),
      { create: true },
    ).catch((error: unknown) => {
      throw explain(error);
    });
    for (const line of describeSkipped(summary)) note(line);
    print(values.json === true ? jsonText(summary) : `${counted(summary)} in workspace ${summary.workspaceId}`);
    if (fromLocal) {
      note(`The workspace of an installation is one of this server now, free and without minutes. Go on with:
  dialtree admin tier ${summary.workspaceId} team
  dialtree admin grant ${summary.workspaceId} mapping 600`);
    }
    return 0;
  },
};

/** One line for each kind of rows that was left out. */
function describeSkipped({
  skipped: { api_keys: keys = 0, people = 0, anchors = 0, free_grants: grants = 0, ...others },
}: Pick<ImportSummary, 'skipped'>): string[] {
  const rest = Object.values(others).reduce((sum, count) => sum + count, 0);
  return [
    keys > 0 && `Keys left out: ${String(keys)}. The local workspace goes on with the key of its own data folder.`,
    people > 0 && `People known here already: ${String(people)}. They keep the password that they have here.`,
    anchors > 0 &&
      `Verified numbers left out: ${String(anchors)}. They are the verified humans of other workspaces here.`,
    grants > 0 && `Free minutes that these numbers had here already: ${String(grants)}.`,
    rest > 0 && `Rows that were here already and stay as they are, with what belongs to them: ${String(rest)}.`,
  ].filter((line) => line !== false);
}
