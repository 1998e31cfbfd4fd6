import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The files that a running service needs beside its code. */
export interface Installation {
  /** Contains `speech/` and `meaning/` with the models, PGlite's files and the store's template. */
  readonly assetsDir: string;
  readonly speechWorker: URL;
  /** Places the calls of load tests. */
  readonly callerWorker: URL;
  /** The scripts and styles of the editor's pages. */
  readonly pagesDir: string;
  /** Guides, the compliance catalogue and samples. */
  readonly mediaDir: string;
}

/** From the sources: the repository's folder of built assets. Bundled: the folders and files beside the bundle. */
export function findInstallation(assetsDir?: string): Installation {
  const here = import.meta.url;
  const bundled = !here.endsWith('.ts');
  return {
    assetsDir: assetsDir ?? fileURLToPath(new URL(bundled ? './assets' : '../../../.assets', here)),
    mediaDir: fileURLToPath(new URL(bundled ? '../media' : '../../../media', here)),
    pagesDir: fileURLToPath(new URL(bundled ? './webview' : '../../../dist/webview', here)),
    speechWorker: new URL(bundled ? './speechWorker.js' : '../../speech/worker.ts', here),
    callerWorker: new URL(bundled ? './callerWorker.js' : '../../engine/load/callerThread.ts', here),
  };
}

export const speechAssets = ({ assetsDir }: Installation): string => join(assetsDir, 'speech');
export const meaningAssets = ({ assetsDir }: Installation): string => join(assetsDir, 'meaning');
