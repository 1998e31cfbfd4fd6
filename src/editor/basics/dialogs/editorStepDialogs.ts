import { QuickInputButtons, window, type QuickInput, type QuickPickItem } from 'vscode';
import type { Choice } from './dialogs.ts';
import { back, type Back, type StepDialogs, type StepPlace } from './stepDialogs.ts';

/** Multi-step forms: one quick input per step, with its number and a back button. */
export const editorStepDialogs: StepDialogs = {
  async ask({ title, prompt, value = '', placeHolder, password = false, check, ...place }) {
    const box = window.createInputBox();
    // The answers come from mails and web pages, so the box stays open while the user looks there.
    Object.assign(box, {
      title,
      prompt,
      value,
      valueSelection: [0, value.length],
      placeholder: placeHolder,
      password,
      ignoreFocusOut: true,
    });
    return await shown<string>(box, place, (settle) => {
      box.onDidChangeValue((text) => {
        box.validationMessage = text === '' ? undefined : check?.(text);
      });
      box.onDidAccept(() => {
        box.validationMessage = check?.(box.value);
        if (box.validationMessage === undefined) settle(box.value);
      });
      box.onDidTriggerButton(() => settle(back));
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
      list.onDidTriggerButton(() => settle(back));
    });
  },
};

async function shown<T>(
  input: QuickInput & { buttons: readonly unknown[] },
  { step, totalSteps, canGoBack }: StepPlace,
  listen: (settle: (answer: T | Back) => void) => void,
): Promise<T | Back | undefined> {
  Object.assign(input, { step, totalSteps, buttons: canGoBack ? [QuickInputButtons.Back] : [] });
  try {
    return await new Promise<T | Back | undefined>((resolve) => {
      listen(resolve);
      input.onDidHide(() => resolve(undefined));
      input.show();
    });
  } finally {
    input.dispose();
  }
}
