const reference = /\$\{secret:(\w+)\}/g;

/** Returns the names of the secrets that a text refers to with `${secret:NAME}`. */
export const secretNamesIn = (text: string): string[] => [...text.matchAll(reference)].map(([, name = '']) => name);

/** Returns the text with something else for each reference to a secret. */
export const withoutSecrets = (text: string, instead: (name: string) => string = () => ''): string =>
  text.replaceAll(reference, (_whole, name: string) => instead(name));

/** Returns true if a secret can be pressed. */
export const areKeys = (secret: string): boolean => /^[0-9*#,]+$/.test(secret);
export const notKeys = "contains characters other than keys (0-9, *, # and commas), so it can't be pressed.";
