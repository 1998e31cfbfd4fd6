export interface GuidePage {
  readonly kind: 'guide';
  readonly slug: string;
}

/** Returns the path of a page's document. It ends with the name of its tab. */
export function guidePathOf(page: GuidePage, title: string): string {
  // Slashes would be read as folders.
  const name = `${title.replaceAll(/[/\\?#%]/g, '-')}.md`;
  return `/guides/${page.slug}/${name}`;
}

export function guidePageOf(path: string): GuidePage | undefined {
  const [, kind, slug] = path.split('/');
  return kind === 'guides' && slug !== undefined && slug !== '' ? { kind: 'guide', slug } : undefined;
}
