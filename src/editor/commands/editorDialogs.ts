import { env, ProgressLocation, QuickPickItemKind, Uri, window } from 'vscode';
import type { QuickPickItem } from 'vscode';
import type { Choice, Dialogs } from './dialogs.ts';

/** Dialogs as the editor has them. */
export const editorDialogs: Dialogs = {
  async ask({ title, prompt, value, placeHolder, check }) {
    // Codes and keys come from elsewhere: the box stays while the person looks there.
    return window.showInputBox({
      title, prompt, ignoreFocusOut: true,
      ...(value !== undefined && { value }), ...(placeHolder !== undefined && { placeHolder }), ...(check && { validateInput: check }),
    });
  },
  async pick(choices, asking) {
    const chosen = await window.showQuickPick(choices.flatMap((choice, index) => withHeading(choice, choices[index - 1])), { ...asking, matchOnDescription: true, matchOnDetail: true });
    return chosen?.choice?.value;
  },
  async pickSome<T>(choices: readonly Choice<T>[], asking: { title: string; placeHolder: string }) {
    const chosen = await window.showQuickPick(choices.map((choice) => ({ ...itemOf(choice), picked: true, value: choice.value })), { ...asking, canPickMany: true, ignoreFocusOut: true });
    return chosen?.map(({ value }) => value);
  },
  async tell(message, ...actions) {
    const chosen = await window.showInformationMessage(message, ...actions.map(({ title }) => title));
    await actions.find(({ title }) => title === chosen)?.run();
  },
  async confirm(message, detail, agree) {
    return await window.showWarningMessage(message, { modal: true, detail }, agree) === agree;
  },
  async wait(title, work) {
    return window.withProgress({ location: ProgressLocation.Notification, title, cancellable: true }, async (_progress, token) => {
      const cancelled = new AbortController();
      const listening = token.onCancellationRequested(() => { cancelled.abort(); });
      try {
        return await work(cancelled.signal);
      } finally {
        listening.dispose();
      }
    });
  },
  async copy(text) { await env.clipboard.writeText(text); },
  async browse(url) { await env.openExternal(Uri.parse(url, true)); },
};

type Item<T> = QuickPickItem & { readonly choice?: Choice<T> };

function itemOf<T>({ label, description, detail }: Choice<T>): QuickPickItem {
  return { label, ...(description !== undefined && { description }), ...(detail !== undefined && { detail }) };
}

function withHeading<T>(choice: Choice<T>, before: Choice<T> | undefined): Item<T>[] {
  const item = { ...itemOf(choice), choice };
  return choice.group === undefined || choice.group === before?.group ? [item] : [{ label: choice.group, kind: QuickPickItemKind.Separator }, item];
}
