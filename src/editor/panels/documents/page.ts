/** What is shown as a page of text: how much the workspace has used, or a guide. */
export type Page = { readonly kind: 'usage' } | { readonly kind: 'guide'; readonly slug: string };

/** The path of a page's document, which ends in what its tab is called. */
export function pathOf(page: Page, title: string): string {
  // Slashes would be folders.
  const name = `${title.replaceAll(/[/\\?#%]/g, '-')}.md`;
  return page.kind === 'usage' ? `/usage/${name}` : `/guides/${page.slug}/${name}`;
}

export function pageOf(path: string): Page | undefined {
  const [, kind, slug] = path.split('/');
  if (kind === 'usage') return { kind };
  return kind === 'guides' && slug !== undefined && slug !== '' ? { kind: 'guide', slug } : undefined;
}
