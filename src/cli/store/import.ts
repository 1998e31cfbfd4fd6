import { resolve } from 'node:path';
import { importWorkspace, type ImportSummary } from '../../service/transfer/importWorkspace.ts';
import { grants, type Grant, type GrantCounts } from '../../service/transfer/grants.ts';
import { readArguments, UsageError, type Command } from '../command.ts';
import { note, print } from '../terminal/output.ts';
import { jsonText } from '../terminal/controlCharacters.ts';
import { counted, storeHelp, storeOptions, watchTransfer, withOperatorStore } from './operatorStore.ts';

export const importCommand: Command = {
  help: `Anyone could have written the file, so by default the workspace is imported on the free tier, without minutes, keys, consents and people.
Import more only from a file that you exported yourself. If the workspace already exists here, the command doesn't import the file. The local workspace of another installation is merged
into the local workspace of this data folder; in a database, it becomes a new workspace on the free tier, and the command prints its id.

  --with-tier          keeps the tier of the workspace
  --with-minutes       imports its packs, free minutes and enrichment tokens
  --with-keys          imports its API keys; they continue to work
  --with-consents      imports the consents to call numbers
  --with-people        imports the accounts of its owners, and its verified numbers
  --with-all           all five, such as for a back-up of your own store
${storeHelp}
  --json               prints {"workspaceId":…,"rows":…,"recordings":…,"skipped":{"table":count,…},"taken":{…},"left":{…}}`,
  async run(args) {
    const {
      values,
      positionals: [file, ...rest],
    } = readArguments(args, { ...storeOptions, ...grantOptions, json: { type: 'boolean' } });
    if (file === undefined || rest.length > 0) throw new UsageError('Give one file that dialtree export wrote.');
    const granted = new Set(grants.filter((grant) => values['with-all'] === true || values[`with-${grant}`] === true));
    const { signal, onProgress, explain } = watchTransfer();
    const { fromLocal, ...summary } = await withOperatorStore(
      values,
      (store, folder) => importWorkspace(store, folder, resolve(file), { signal, onProgress, granted }),
      { create: true },
    ).catch((error: unknown) => {
      throw explain(error);
    });
    for (const line of [...describeGrants(summary), ...describeSkipped(summary)]) note(line);
    print(values.json === true ? jsonText(summary) : `${counted(summary)} in workspace ${summary.workspaceId}`);
    if (fromLocal) {
      note(`The local workspace is now a workspace of this server, on the free tier and without minutes. Next, run:
  dialtree admin tier ${summary.workspaceId} team
  dialtree admin grant ${summary.workspaceId} mapping 600`);
    }
    return 0;
  },
};

const grantOptions = {
  'with-tier': { type: 'boolean' },
  'with-minutes': { type: 'boolean' },
  'with-keys': { type: 'boolean' },
  'with-consents': { type: 'boolean' },
  'with-people': { type: 'boolean' },
  'with-all': { type: 'boolean' },
} as const;

const grantNames: Readonly<Record<Grant, (count: number) => string>> = {
  tier: () => 'the tier',
  minutes: (count) => `minutes and tokens (${String(count)})`,
  keys: (count) => `API keys (${String(count)})`,
  consents: (count) => `consents (${String(count)})`,
  people: (count) => `owners and verified numbers (${String(count)})`,
};

function describeGrants({ taken, left }: Pick<ImportSummary, 'taken' | 'left'>): string[] {
  const named = (counts: GrantCounts): string[] =>
    grants.flatMap((grant) => {
      const count = counts[grant];
      return count === undefined ? [] : [grantNames[grant](count)];
    });
  const [has, lacks] = [named(taken), named(left)];
  const options = grants.filter((grant) => left[grant] !== undefined).map((grant) => `--with-${grant}`);
  return [
    ...(has.length > 0 ? [`Imported as asked: ${has.join(', ')}.`] : []),
    ...(lacks.length > 0
      ? [`Not imported: ${lacks.join(', ')}. Import these only from a file that you trust (${options.join(', ')}).`]
      : []),
  ];
}

function describeSkipped({
  skipped: { api_keys: keys = 0, people = 0, memberships = 0, anchors = 0, free_grants: grants = 0, ...others },
  workspaceId,
}: Pick<ImportSummary, 'skipped' | 'workspaceId'>): string[] {
  const rest = Object.values(others).reduce((sum, count) => sum + count, 0);
  return [
    keys > 0 && `Keys left out: ${String(keys)}. The local workspace keeps the key of its own data folder.`,
    people > 0 && `People who already have an account here: ${String(people)}. The account here keeps its password.`,
    memberships > 0 &&
      `Owners left out: ${String(memberships)}. Another account here has their e-mail address. If you know that it's the same person, run dialtree admin owner ${workspaceId} EMAIL.`,
    anchors > 0 && `Verified numbers left out: ${String(anchors)}. They are verified for other workspaces here.`,
    grants > 0 && `Free minutes that these numbers already had here: ${String(grants)}.`,
    rest > 0 && `Existing rows that were left unchanged, including everything that belongs to them: ${String(rest)}.`,
  ].filter((line) => line !== false);
}
