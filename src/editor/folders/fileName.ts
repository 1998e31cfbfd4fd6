export const nameIn = (uri: string): string => decodeURIComponent(uri.slice(uri.lastIndexOf('/') + 1));
