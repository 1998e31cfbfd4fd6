/** Returns true for a path relative to the file, with forward slashes. Only these are looked up. */
export const isRelative = (path: string): boolean => path !== '' && !/^\/|^[A-Za-z]:|\\/.test(path);

export function splitPath(path: string): readonly [folder: string, name: string] {
  const slash = path.lastIndexOf('/');
  return [slash < 0 ? '.' : path.slice(0, slash), path.slice(slash + 1)];
}

/** Returns the relative path from one file to another, or undefined if they are on different machines. */
export function relativePath(from: string, to: string): string | undefined {
  const [start, end] = [partsOf(from), partsOf(to)];
  if (!start || !end || start.root !== end.root) return undefined;
  const folders = start.names.slice(0, -1);
  let common = 0;
  while (common < folders.length && common < end.names.length - 1 && folders[common] === end.names[common]) common += 1;
  return [...folders.slice(common).map(() => '..'), ...end.names.slice(common)].map(decoded).join('/');
}

function partsOf(uri: string): { readonly root: string; readonly names: readonly string[] } | undefined {
  const [, root, path] = /^([^:/]+:(?:\/\/[^/]*)?)(\/[^?#]*)$/.exec(uri) ?? [];
  return root === undefined || path === undefined
    ? undefined
    : { root: root.replace(/^untitled:.*/, 'file://'), names: path.slice(1).split('/') };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
