/** The shape of `vscode.Disposable`, for code that doesn't need the editor. */
export interface Disposable {
  dispose(): unknown;
}

/** Disposes of everything it holds, last added first. Anything added afterwards is disposed of immediately. */
export class DisposableStore implements Disposable {
  readonly #disposables: Disposable[] = [];
  #disposed = false;

  add<T extends Disposable>(disposable: T): T {
    if (this.#disposed) disposable.dispose();
    else this.#disposables.push(disposable);
    return disposable;
  }

  dispose(): void {
    this.#disposed = true;
    for (const disposable of this.#disposables.splice(0).reverse()) disposable.dispose();
  }
}
