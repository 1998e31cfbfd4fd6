// After the first map: builds the extension and opens the editor with it if there is a display and an editor, otherwise
// says how to.
import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const hasDisplay =
  process.platform === 'darwin' ||
  process.platform === 'win32' ||
  Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
const editors = ['code', 'code-insiders', 'codium'];
const editor = hasDisplay
  ? editors.find(
      (name) => spawnSync(name, ['--version'], { stdio: 'ignore', shell: process.platform === 'win32' }).status === 0,
    )
  : undefined;

if (editor === undefined) {
  console.log(`
This is the tree of a practice IVR, mapped over real SIP calls.
To see it grow in the editor: open this folder in VS Code and press F5 ("Run Dialtree"), or
  npm run package && code --install-extension dialtree.vsix
then open the Dialtree view in the activity bar.`);
} else if (spawnSync(process.execPath, ['esbuild.mjs'], { cwd: root, stdio: 'inherit' }).status !== 0) {
  process.exitCode = 1;
} else {
  spawn(editor, ['--new-window', `--extensionDevelopmentPath=${root}`, path.join(root, 'media/samples')], {
    stdio: 'ignore',
    detached: true,
    shell: process.platform === 'win32',
  }).unref();
  console.log(`\nOpening ${editor}: choose the Dialtree view in the activity bar, then "Map the Practice Bank".`);
}
