import type { PanelSnapshot } from '../../../contract/panel.ts';

/** What a page's tree is compared with. It stays the same while the tree grows, so that it goes there once. */
export class SentBase {
  #sent: PanelSnapshot['base'];

  /** The page says `ready`: it has nothing yet. */
  forget(): void {
    this.#sent = undefined;
  }

  /** The snapshot as it is to be sent. */
  without(snapshot: PanelSnapshot): PanelSnapshot {
    const { base, ...rest } = snapshot;
    const isKept = base !== undefined && base === this.#sent;
    this.#sent = base;
    return isKept ? { ...rest, keepsBase: true } : snapshot;
  }
}
