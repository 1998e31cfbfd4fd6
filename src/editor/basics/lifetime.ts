/** The shape of `vscode.Disposable`, for modules that need no editor. */
export interface Disposable {
  dispose(): unknown;
}

/** Ends everything it holds, last added first. What is added after that is ended at once. */
export class DisposableStore implements Disposable {
  readonly #held: Disposable[] = [];
  #disposed = false;

  add<T extends Disposable>(disposable: T): T {
    if (this.#disposed) disposable.dispose();
    else this.#held.push(disposable);
    return disposable;
  }

  dispose(): void {
    this.#disposed = true;
    for (const disposable of this.#held.splice(0).reverse()) disposable.dispose();
  }
}
