// Packs the VSIX like a release, checks its size and content, and proves that it installs and works without
// node_modules.
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { withVsix } from './host/vsix.ts';

const root = path.resolve(import.meta.dirname, '..');
const file = path.join(root, 'test/.artifacts/dialtree.vsix');
const most = 90_000_000;

/** Returns true if dist/ contains a whole production build. */
function isProductionBuild(): boolean {
  try {
    const { production } = JSON.parse(readFileSync(path.join(root, 'dist/build.json'), 'utf8')) as {
      readonly production: boolean;
    };
    return production;
  } catch {
    return false;
  }
}

if (!isProductionBuild())
  execFileSync(process.execPath, ['esbuild.mjs', '--production'], { cwd: root, stdio: 'inherit' });
execFileSync(
  path.join(root, 'node_modules/.bin/vsce'),
  ['package', '--no-dependencies', '--no-rewrite-relative-links', '--out', file],
  { cwd: root, stdio: 'inherit' },
);
const notices = readFileSync(path.join(root, 'dist/THIRD-PARTY-NOTICES.md'), 'utf8');
/** Components inside PGlite, which neither a manifest nor an import names, with a phrase of each licence. */
const carried = {
  PostgreSQL: 'The Regents of the University of California',
  tinytar: 'Levko Kravets',
  'async-mutex': 'Christian Speckner',
  'pg-protocol': 'Brian Carlson',
  'pglite-utils': 'Licence: Apache-2.0',
};
for (const [name, phrase] of Object.entries(carried)) {
  const notice = notices.split(/^## /m).find((part) => part.startsWith(`${name}\n`));
  if (!notice?.includes(phrase)) throw new Error(`The notices lack the licence of ${name}, which PGlite carries.`);
}
const { size } = statSync(file);
console.log(`${path.basename(file)}: ${(size / 1e6).toFixed(1)} MB of ${String(most / 1e6)} MB`);
if (size > most) throw new Error('The VSIX is too large.');

await withVsix(file, async ({ workbench }) => {
  await workbench.openTab('Dialtree');
  await workbench.page
    .getByRole('button', { name: /practice bank/i })
    .first()
    .waitFor();
  console.log('The VSIX is installed and shows its view.');
});
