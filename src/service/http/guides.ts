import { join } from 'node:path';
import { HumanError } from '../../contract/errors.ts';
import { guideSchema, type Guide, type GuideEntry } from '../../contract/guides.ts';
import { JsonFolder } from '../basics/jsonFolder.ts';

/** In reading order; other groups come last. */
const groups: readonly string[] = ['Start', 'Mapping', 'Testing', 'Workspace', 'Reference'];
const rankOf = ({ group }: Guide): number => (groups.includes(group) ? groups.indexOf(group) : groups.length);

/** Step-by-step guides and reference pages, the same for every workspace. */
export class Guides {
  readonly #files: JsonFolder<Guide>;

  /** @param mediaDir contains `guides/`, one file per slug */
  constructor(mediaDir: string) {
    this.#files = new JsonFolder(join(mediaDir, 'guides'), guideSchema, (guide) => guide.slug);
  }

  /** By group in reading order, then by slug. */
  async list(): Promise<GuideEntry[]> {
    const guides = [...(await this.#files.read())].sort((one, other) => rankOf(one) - rankOf(other));
    return guides.map(({ slug, kind, group, title, summary }) => ({ slug, kind, group, title, summary }));
  }

  /** @throws HumanError 404 `not_found` */
  async get(slug: string): Promise<Guide> {
    const guide = (await this.#files.read()).find((one) => one.slug === slug);
    if (!guide)
      throw new HumanError("This guide doesn't exist. List the guides (listGuides) to find the right one.", {
        status: 404,
        code: 'not_found',
      });
    return guide;
  }
}
