import { FileType, Uri, workspace } from 'vscode';
import { reaches } from '../../folders/besideUri.ts';
import { workspaceFile } from '../../folders/workspaceFile.ts';
import type { FileContext, FolderContent } from './fileContext.ts';
import { fileUriOf } from './openFiles.ts';

/** Returns access to the files beside this one. Rejects for a file that was never saved to a folder. */
export function filesBeside(uri: Uri): Pick<FileContext, 'list' | 'read' | 'reaches' | 'environment'> {
  const placed = fileUriOf(uri);
  return {
    reaches: (path) => placed.scheme === 'untitled' || reaches(placed, path),
    async list(folder): Promise<FolderContent | undefined> {
      if (placed.scheme === 'untitled') throw new Error('The file lies in no folder.');
      if (!reaches(placed, `${folder}/x`)) return undefined;
      try {
        const entries = await workspace.fs.readDirectory(Uri.joinPath(placed, '..', folder));
        return new Map(entries.map(([name, type]) => [name, (type & FileType.Directory) === 0 ? 'file' : 'folder']));
      } catch {
        return undefined;
      }
    },
    environment: workspaceFile(placed).environment,
    read: async (path) => (await workspaceFile(placed).readBeside(path)).text,
  };
}
