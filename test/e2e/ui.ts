/**
 * Uses the packed extension like a user, and saves pictures in `test/.artifacts/screenshots/`: `node test/e2e/ui.ts
 * [--vsix FILE] [--scene NAME | --pictures]`. Without a file it takes the newest `.vsix` of the repository's root.
 * `--pictures` takes the shipped pictures again, of the README and of the walkthrough.
 */
import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { repositoryRoot } from '../host/cache.ts';
import { publishFigures } from '../host/figures.ts';
import { screenshotFolder } from '../host/workbench.ts';
import { takePictures } from './pictures.ts';
import { scenes } from './scenes.ts';

const { values: options } = parseArgs({
  options: { vsix: { type: 'string' }, scene: { type: 'string' }, pictures: { type: 'boolean' } },
});

const began = performance.now();
const vsix = options.vsix === undefined ? await newestVsix() : path.resolve(options.vsix);
if (!existsSync(vsix)) {
  throw new Error(`There is no ${vsix}.`);
}
if (options.pictures === true) {
  await takePictures(vsix);
  process.exit(0);
}
const chosen = Object.entries(scenes).filter(([name]) => options.scene === undefined || name === options.scene);
if (chosen.length === 0) {
  throw new Error(`There is no scene ${String(options.scene)}: ${Object.keys(scenes).join(', ')}.`);
}

const wrong: string[] = [];
for (const [name, scene] of chosen) {
  try {
    await scene(vsix, name);
    console.log(`  ✔ ${name}`);
  } catch (error) {
    wrong.push(name);
    console.error(`  ✘ ${name}\n`, error);
  }
}
console.log(`Pictures are in ${path.relative(process.cwd(), screenshotFolder)}.`);
await publishFigures({
  name: 'Packed extension in VS Code',
  passed: chosen.length - wrong.length,
  failed: wrong.length,
  pending: 0,
  wrong,
  seconds: (performance.now() - began) / 1000,
});
process.exit(wrong.length === 0 ? 0 : 1);

async function newestVsix(): Promise<string> {
  const names = (await readdir(repositoryRoot)).filter((name) => name.endsWith('.vsix'));
  const found = await Promise.all(
    names.map(async (name) => {
      const file = path.join(repositoryRoot, name);
      return { file, time: (await stat(file)).mtimeMs };
    }),
  );
  const newest = found.sort((one, other) => other.time - one.time)[0];
  if (newest === undefined) {
    throw new Error('No .vsix lies in the repository. Run `npm run package` first, or name one with --vsix.');
  }
  return newest.file;
}
