import { HumanError } from '../../../contract/errors.ts';
import type { FromWebview, PictureFormat } from '../../../contract/panel.ts';
import { after, type WallClock } from '../../basics/wallClock.ts';
import type { L10n } from '../../basics/localise.ts';

export type Picture = string | Uint8Array;

const waitMs = 30_000;

/** Requests a picture of the tree from the page, and waits for it. One request at a time. */
export class TreePicture {
  readonly #clock: WallClock;
  readonly #l10n: L10n;
  #waiting:
    | {
        readonly format: PictureFormat;
        readonly ask: () => void;
        readonly settle: PromiseWithResolvers<Picture>;
        readonly stop: () => void;
      }
    | undefined;

  constructor(clock: WallClock, l10n: L10n) {
    this.#clock = clock;
    this.#l10n = l10n;
  }

  /** @throws HumanError if the page can't draw it, or doesn't respond */
  request(format: PictureFormat, ask: () => void): Promise<Picture> {
    this.cancel();
    const settle = Promise.withResolvers<Picture>();
    const stop = after(this.#clock, waitMs, () => this.cancel());
    this.#waiting = { format, ask, settle, stop };
    ask();
    return settle.promise;
  }

  /** A page that has just loaded now has the tree, which it didn't have when it was asked. */
  pageReady(): void {
    this.#waiting?.ask();
  }

  receive({ format, picture, error }: Extract<FromWebview, { type: 'picture' }>): void {
    if (this.#waiting?.format === format) this.#end(picture, error);
  }

  cancel(): void {
    this.#end();
  }

  #end(picture?: Picture, error = this.#l10n.t("Couldn't draw the tree. Switch to its tab, then try again.")): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.stop();
    if (picture === undefined) waiting?.settle.reject(new HumanError(error));
    else waiting?.settle.resolve(picture);
  }
}
