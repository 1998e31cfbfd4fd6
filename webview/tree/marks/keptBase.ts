import type { PanelSnapshot } from '../../../src/contract/panel.ts';

/** Keeps the base of a snapshot for later ones that are sent without it. */
export class KeptBase {
  #base: PanelSnapshot['base'];

  whole({ keepsBase, ...snapshot }: PanelSnapshot): PanelSnapshot {
    if (keepsBase === undefined) this.#base = snapshot.base;
    return this.#base ? { ...snapshot, base: this.#base } : snapshot;
  }
}
