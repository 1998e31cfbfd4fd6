/** Accepts numbers with the usual spaces, brackets and hyphens. */
export function targetOf(text: string): string {
  const trimmed = text.trim();
  return trimmed.startsWith('+') ? trimmed.replaceAll(/[\s().-]/g, '') : trimmed;
}
