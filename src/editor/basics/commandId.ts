import type titles from '../../../package.nls.json';

type NameOf<Key> = Key extends `command.${infer Name}` ? Name : never;

/** A command of the extension, `dialtree.` and a noun and a verb. It exists if package.nls.json has a title for it. */
export type CommandId = `dialtree.${NameOf<keyof typeof titles>}`;
