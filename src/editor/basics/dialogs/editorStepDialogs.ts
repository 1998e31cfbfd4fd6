import { QuickInputButtons, ThemeIcon, window } from 'vscode';
import type { InputBox, QuickPick, QuickPickItem } from 'vscode';
import type { Choice } from './dialogs.ts';
import { back, type Back, type StepDialogs, type DialogStep } from './stepDialogs.ts';

/** Unlike the editor's plain boxes, these have buttons, and can begin with an error. */
export const editorStepDialogs: StepDialogs = {
  async ask({ title, prompt, value = '', placeHolder, refusal, password = false, check, ...place }) {
    const box = window.createInputBox();
    // Answers come from mails and web pages, so the box stays open while the user looks there.
    Object.assign(box, {
      title,
      prompt,
      value,
      valueSelection: [0, value.length],
      placeholder: placeHolder,
      password,
      ignoreFocusOut: true,
      validationMessage: refusal,
    });
    return await shown<string>(box, place, (settle) => {
      box.onDidChangeValue((text) => {
        box.validationMessage = text === '' ? undefined : check?.(text);
      });
      box.onDidAccept(() => {
        box.validationMessage = check?.(box.value) ?? (box.value === value ? refusal : undefined);
        if (box.validationMessage === undefined) settle(box.value);
      });
    });
  },
  async pick<T>(
    choices: readonly Choice<T>[],
    { title, placeHolder, chosen, ...place }: Parameters<StepDialogs['pick']>[1],
  ) {
    const list = window.createQuickPick<QuickPickItem & { readonly choice: Choice<T> }>();
    const items = choices.map((choice) => ({
      label: choice.label,
      ...(choice.description !== undefined && { description: choice.description }),
      ...(choice.detail !== undefined && { detail: choice.detail }),
      choice,
    }));
    Object.assign(list, {
      title,
      placeholder: placeHolder,
      items,
      activeItems: items.filter(({ choice }) => choice.value === chosen),
      ignoreFocusOut: true,
    });
    return await shown<T>(list, place, (settle) => {
      list.onDidAccept(() => {
        const [item] = list.selectedItems;
        if (item) settle(item.choice.value);
      });
    });
  },
};

async function shown<T>(
  input: InputBox | QuickPick<QuickPickItem>,
  { step, canGoBack, more }: DialogStep,
  listen: (settle: (answer: T | Back) => void) => void,
): Promise<T | Back | undefined> {
  const moreButton = more && { iconPath: new ThemeIcon('settings-gear'), tooltip: more.title };
  Object.assign(input, {
    step,
    buttons: [...(canGoBack ? [QuickInputButtons.Back] : []), ...(moreButton ? [moreButton] : [])],
  });
  let isAside = false;
  try {
    return await new Promise<T | Back | undefined>((resolve, reject) => {
      listen(resolve);
      input.onDidTriggerButton((button) => {
        if (!more || button === QuickInputButtons.Back) {
          resolve(back);
          return;
        }
        // The editor hides this input while it shows others.
        isAside = true;
        more.open().then(() => {
          isAside = false;
          input.show();
        }, reject);
      });
      input.onDidHide(() => {
        if (!isAside) resolve(undefined);
      });
      input.show();
    });
  } finally {
    input.dispose();
  }
}
