import type * as z from 'zod';
import { Emitter } from '../../../src/editor/emitter.ts';
import type { WebviewHost } from '../../../src/editor/panels/webviewHost.ts';
import { settle } from './fakes.ts';

/** A webview panel that keeps what its page is told; messages that are none are errors. */
export class FakePage<To extends { readonly type: string }> implements WebviewHost<To> {
  visible = true;
  title = '';
  readonly posted: To[] = [];
  readonly #schema: z.ZodType<To>;
  readonly #messages = new Emitter<unknown>();
  readonly #visibility = new Emitter<undefined>();
  readonly onMessage = this.#messages.listen;

  constructor(schema: z.ZodType<To>) {
    this.#schema = schema;
  }

  post(message: To): void {
    this.posted.push(this.#schema.parse(message));
  }
  onDidChangeVisibility(listener: () => void): { dispose(): unknown } {
    return this.#visibility.listen(listener);
  }

  /** The page says something; settles when it has been worked on. */
  async say(message: unknown): Promise<void> {
    this.#messages.fire(message);
    await settle();
  }

  show(visible: boolean): void {
    this.visible = visible;
    this.#visibility.fire(undefined);
  }

  of<Type extends To['type']>(type: Type): Extract<To, { type: Type }>[] {
    return this.posted.filter((message): message is Extract<To, { type: Type }> => message.type === type);
  }
}
