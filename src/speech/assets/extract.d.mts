export class AssetError extends Error {}

export function extractAssets(options: {
  targetDir: string;
  manifestPath?: string;
  log?: (message: string) => void;
  installedDir?: string;
  pack?: (spec: string, directory: string) => Promise<string>;
}): Promise<{ files: number; written: number }>;
