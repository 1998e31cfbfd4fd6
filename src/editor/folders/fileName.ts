/** Returns the file name in a URI. */
export const nameIn = (uri: string): string => decodeURIComponent(uri.slice(uri.lastIndexOf('/') + 1));
