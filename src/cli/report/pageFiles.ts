import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { PageFiles } from '../../base/savedPage.ts';
import { HumanError } from '../../contract/errors.ts';
import { findInstallation } from '../../service/basics/installation.ts';

/** Reads the script and the styles of a page of the editor. Rejects with a HumanError (503) if they are missing. */
export async function readPageFiles(page: 'load' | 'report'): Promise<PageFiles> {
  const [script = '', style = ''] = await Promise.all([`${page}.js`, `${page}.css`].map(readPageFile));
  return { script, style };
}

async function readPageFile(name: string): Promise<string> {
  const file = path.join(findInstallation().pagesDir, name);
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new HumanError(`Couldn't read ${file}, which the HTML report needs. Reinstall Dialtree.`, {
      status: 503,
      code: 'assets_missing',
      cause,
    });
  }
}
