import type { OperationArguments, OperationName, OperationOutput } from '../../contract/operations.ts';
import type { MappingRuns } from '../runs/mappingRuns.ts';
import type { Store } from '../store/store.ts';
import { recordConsent } from './consents.ts';
import { findJob, runsOf } from './findJob.ts';
import type { Jobs } from './jobs.ts';
import { toRun } from './resources.ts';
import { readTree } from './tree.ts';
import type { AudioAddress } from './tree.ts';

/** What carries out each row of the operations table; REST and MCP call the same. Arguments are validated, the key and its scope are checked. */
export type Handlers = { readonly [Name in OperationName]: (input: OperationArguments<Name>, workspaceId: string) => Promise<OperationOutput<Name>> };

export interface HandlerParts {
  readonly store: Store;
  readonly jobs: Jobs;
  readonly runs: MappingRuns;
  readonly audioUrl: AudioAddress;
  readonly now: () => Date;
}

export function createHandlers({ store, jobs, runs, audioUrl, now }: HandlerParts): Handlers {
  return {
    createMapping: (input, workspaceId) => jobs.create(workspaceId, input),
    getMapping: (input, workspaceId) => jobs.get(workspaceId, input.id, input.version),
    listMappings: (input, workspaceId) => jobs.list(workspaceId, input),
    async startMapping({ id }, workspaceId) {
      await runs.start(workspaceId, id);
      return jobs.get(workspaceId, id);
    },
    async cancelMapping({ id }, workspaceId) {
      await findJob(store, workspaceId, id);
      await runs.cancel(id);
      return jobs.get(workspaceId, id);
    },
    getMappingTree: (input, workspaceId) => readTree(store, workspaceId, input, audioUrl),
    async listMappingRuns({ id }, workspaceId) {
      await findJob(store, workspaceId, id);
      return { items: (await runsOf(store, id)).map(toRun) };
    },
    updateMapping: (input, workspaceId) => jobs.update(workspaceId, input),
    recordConsent: (input, workspaceId) => recordConsent(store, workspaceId, input, now()),
    async deleteMapping({ id }, workspaceId) {
      await jobs.remove(workspaceId, id);
      return { deleted: true };
    },
  };
}
