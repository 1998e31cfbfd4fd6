/** Sentences in lower-case words, one a line, with an empty line between prompts. */
export function menuText(): Promise<{ readonly text: string; readonly heldOut: string }>;
