import { Emitter } from '../../../src/editor/basics/emitter.ts';
import { checkSent } from '../../../src/editor/panels/webview/sentMessages.ts';
import type { PageName, SentTo } from '../../../src/editor/panels/webview/sentMessages.ts';
import type { WebviewHost } from '../../../src/editor/panels/webview/webviewHost.ts';
import { settle } from './fakes.ts';

/** A webview panel that keeps the messages sent to its page, and rejects what the real one rejects. */
export class FakePage<Name extends PageName> implements WebviewHost<Name> {
  visible = true;
  title = '';
  readonly posted: SentTo<Name>[] = [];
  readonly page: Name;
  readonly #messages = new Emitter<unknown>();
  readonly #visibility = new Emitter<undefined>();
  readonly onMessage = this.#messages.listen;

  constructor(page: Name) {
    this.page = page;
  }

  post(message: SentTo<Name>): void {
    checkSent(this.page, message);
    this.posted.push(message);
  }

  onDidChangeVisibility(listener: () => void): { dispose(): unknown } {
    return this.#visibility.listen(listener);
  }

  /** Sends a message from the page; settles when it has been handled. */
  async say(message: unknown): Promise<void> {
    this.#messages.fire(message);
    await settle();
  }

  show(visible: boolean): void {
    this.visible = visible;
    this.#visibility.fire(undefined);
  }

  of<Type extends SentTo<Name>['type']>(type: Type): Extract<SentTo<Name>, { type: Type }>[] {
    return this.posted.filter((message): message is Extract<SentTo<Name>, { type: Type }> => message.type === type);
  }
}
