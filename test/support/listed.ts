/** Reads a list that takes few lines: items between bars, or words between spaces if it has no bars. */
export const listed = (text: string): string[] => text.trim().split(text.includes('|') ? /\s*\|\s*/ : /\s+/);
