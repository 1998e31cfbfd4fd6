import { setTimeout as pause } from 'node:timers/promises';
import { env, ProgressLocation, QuickPickItemKind, Uri, window, type QuickPickItem } from 'vscode';
import type { DialogAction, Choice, Dialogs, SearchOptions } from './dialogs.ts';
import { editorStepDialogs } from './editorStepDialogs.ts';
import { back } from './stepDialogs.ts';

export const editorDialogs: Dialogs = {
  async ask(question) {
    const typed = await editorStepDialogs.ask({ ...question, canGoBack: false });
    return typed === back ? undefined : typed;
  },
  async pick(choices, asking) {
    const chosen = await window.showQuickPick(
      choices.flatMap((choice, index) => withHeading(choice, choices[index - 1])),
      { ...asking, matchOnDescription: true, matchOnDetail: true },
    );
    return chosen?.choice?.value;
  },
  async search<T>(
    choicesFor: (typed: string, signal: AbortSignal) => Promise<readonly Choice<T>[]>,
    { title, placeHolder, value = '', pauseMs = 0 }: SearchOptions,
  ) {
    const list = window.createQuickPick<Item<T>>();
    Object.assign(list, { title, placeholder: placeHolder, value });
    let current = new AbortController();
    const look = async (): Promise<void> => {
      current.abort();
      current = new AbortController();
      const { signal } = current;
      list.busy = true;
      if (pauseMs > 0) await pause(pauseMs);
      const found = signal.aborted ? [] : await choicesFor(list.value, signal);
      if (signal.aborted) return;
      list.busy = false;
      list.items = found
        .flatMap((choice, index) => withHeading(choice, found[index - 1]))
        .map((item) => ({ ...item, alwaysShow: true }));
      list.activeItems = list.items.filter(({ choice }) => choice !== undefined).slice(0, 1);
    };
    try {
      return await new Promise<T | undefined>((resolve, reject) => {
        const lookAgain = (): void => void look().catch(reject);
        list.onDidChangeValue(lookAgain);
        list.onDidAccept(() => {
          const [item = list.activeItems[0]] = list.selectedItems;
          if (!list.busy && item) resolve(item.choice?.value);
        });
        list.onDidHide(() => resolve(undefined));
        list.show();
        lookAgain();
      });
    } finally {
      current.abort();
      list.dispose();
    }
  },
  async pickSome<T>(choices: readonly Choice<T>[], asking: { title: string; placeHolder: string }) {
    const chosen = await window.showQuickPick(
      choices.map((choice) => ({ ...itemOf(choice), picked: choice.unpicked !== true, value: choice.value })),
      { ...asking, canPickMany: true, ignoreFocusOut: true },
    );
    return chosen?.map(({ value }) => value);
  },
  async tell(message, ...actions) {
    await pressed(window.showInformationMessage(message, ...titles(actions)), actions);
  },
  async warn(message, ...actions) {
    await pressed(window.showWarningMessage(message, ...titles(actions)), actions);
  },
  async confirm(message, detail, agree, decline) {
    // The editor presses the first button on Enter, and adds Cancel. `isCloseAffordance` would replace Cancel, but also
    // put `agree` first.
    const buttons = decline === undefined ? [agree] : [decline, agree];
    return (await window.showWarningMessage(message, { modal: true, detail }, ...buttons)) === agree;
  },
  async wait(title, work) {
    const cancelled = new AbortController();
    const working = work(cancelled.signal);
    if (await endsWithin(momentMs, working)) return working;
    return window.withProgress(
      { location: ProgressLocation.Notification, title, cancellable: true },
      async (_progress, token) => {
        const listening = token.onCancellationRequested(() => cancelled.abort());
        try {
          return await working;
        } finally {
          listening.dispose();
        }
      },
    );
  },
  async copy(text) {
    await env.clipboard.writeText(text);
  },
  async browse(url) {
    await env.openExternal(Uri.parse(url, true));
  },
};

const titles = (actions: readonly DialogAction[]): string[] => actions.map(({ title }) => title);

async function pressed(showing: Thenable<string | undefined>, actions: readonly DialogAction[]): Promise<void> {
  const chosen = await showing;
  await actions.find(({ title }) => title === chosen)?.run();
}

/** The editor shows a progress message for almost a second at least. Shorter work doesn't need one. */
const momentMs = 700;

/** Returns true if the work settles, either way, within this time. */
async function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([
      work.then(
        () => true,
        () => true,
      ),
      late,
    ]);
  } finally {
    clearTimeout(timer);
  }
}

type Item<T> = QuickPickItem & { readonly choice?: Choice<T> };

function itemOf<T>({ label, description, detail }: Choice<T>): QuickPickItem {
  return { label, ...(description !== undefined && { description }), ...(detail !== undefined && { detail }) };
}

function withHeading<T>(choice: Choice<T>, before: Choice<T> | undefined): Item<T>[] {
  const item = { ...itemOf(choice), choice };
  return choice.group === undefined || choice.group === before?.group
    ? [item]
    : [{ label: choice.group, kind: QuickPickItemKind.Separator }, item];
}
