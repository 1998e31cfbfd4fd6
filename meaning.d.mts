/** Makes the files of the sentence encoder in a folder, unless they are there. */
export function prepareMeaning(folder: string): Promise<void>;
