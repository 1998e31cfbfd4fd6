import type { PanelSnapshot } from '../../../contract/panel.ts';

/** The tree that a page's tree is compared with. It doesn't change while the tree grows, so it is sent once. */
export class SentBase {
  #sent: PanelSnapshot['base'];

  /** Call this when the page says `ready`: it has received nothing yet. */
  forget(): void {
    this.#sent = undefined;
  }

  without(snapshot: PanelSnapshot): PanelSnapshot {
    const { base, ...rest } = snapshot;
    const isKept = base !== undefined && base === this.#sent;
    this.#sent = base;
    return isKept ? { ...rest, keepsBase: true } : snapshot;
  }
}
