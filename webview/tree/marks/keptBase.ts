import type { PanelSnapshot } from '../../../src/contract/panel.ts';

/** What came with a snapshot to compare with, for those after it that are sent without. */
export class KeptBase {
  #base: PanelSnapshot['base'];

  /** The snapshot with what it is compared with. */
  whole({ keepsBase, ...snapshot }: PanelSnapshot): PanelSnapshot {
    if (keepsBase === undefined) this.#base = snapshot.base;
    return this.#base ? { ...snapshot, base: this.#base } : snapshot;
  }
}
