import { DataFolder } from '../../src/service/store/folder.ts';
import { ownDataFolder } from '../../src/service/store/ownership.ts';
import { LocalKey } from '../../src/service/workspaces/localKey.ts';

/**
 * A process that owns a data folder, or finds its owner: `ownerChild.ts DATA_DIR [silent]`. Prints `owner` with its
 * process ID, or `found` with the owner's. With `silent`, it publishes nothing as an owner. An owner runs until it is
 * killed.
 */
const [dataDir = '', how] = process.argv.slice(2);
const tell = (line: object): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`);
};
const folder = new DataFolder(dataDir);
const owned = await ownDataFolder(folder);
if ('owner' in owned) {
  const { key } = await LocalKey.readOrCreate(folder);
  const origin = 'http://127.0.0.1:9';
  if (how !== 'silent')
    owned.owner.publish({ baseUrl: `${origin}/v1`, mcpUrl: `${origin}/mcp`, pid: process.pid }, key);
  tell({ event: 'owner', pid: process.pid });
  setInterval(() => undefined, 60_000);
} else {
  tell({ event: 'found', pid: owned.address.pid });
}
