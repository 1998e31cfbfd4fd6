/** The editor's model that the user agreed to send questions to. It is stored where no settings file can change it. */
export class ModelAgreement {
  readonly #memento: { get(key: string): unknown; update(key: string, value: unknown): PromiseLike<void> };

  constructor(memento: { get(key: string): unknown; update(key: string, value: unknown): PromiseLike<void> }) {
    this.#memento = memento;
  }

  get model(): string | undefined {
    const storedModel = this.#memento.get(name);
    return typeof storedModel === 'string' ? storedModel : undefined;
  }

  async agree(model: string): Promise<void> {
    await this.#memento.update(name, model);
  }
}

const name = 'dialtree.editorModel';
