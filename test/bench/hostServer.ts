// The service for the host benchmark, in a separate process: `hostServer.ts RUNS`. Sends its address to the parent, and
// ends with it.
import { DataFolder } from '../../src/service/store/folder.ts';
import { useOperatorStore } from '../../src/service/transfer/operatorStore.ts';
import { localWorkspaceId } from '../../src/service/workspaces/localKey.ts';
import { fillRuns } from '../support/fillRuns.ts';
import { serviceAssets } from '../support/serviceAssets.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';

const fixture = new ServiceFixture();
process.once('disconnect', () => {
  void fixture.close().then(() => {
    process.exit(0);
  });
});
const dataDir = await fixture.folder();
// Requests don't count towards a tier here.
const options = {
  dataDir,
  parts: { rateLimit: { take: () => Promise.resolve(0), takeVisit: () => Promise.resolve(0) } },
};
const first = await fixture.start(options);
// The store opens on demand.
await first.client.call('listMappings', {});
await first.close();
await useOperatorStore(
  {
    folder: new DataFolder(dataDir),
    databaseUrl: undefined,
    assetsDir: (await serviceAssets()).assetsDir,
    create: false,
  },
  (store) => fillRuns(store, localWorkspaceId, { count: Number(process.argv[2]) }),
);
const { baseUrl, apiKey } = await fixture.start(options);
process.send?.({ baseUrl, apiKey });
