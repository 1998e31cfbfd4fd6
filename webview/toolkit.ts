import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeCheckbox,
  vsCodeDivider,
  vsCodeDropdown,
  vsCodeOption,
  vsCodeProgressRing,
  vsCodeTextField,
} from '@vscode/webview-ui-toolkit';
import type { Button, Checkbox, Dropdown, Option, TextField } from '@vscode/webview-ui-toolkit';
import { setAttributes } from './page/element.ts';
import { icon, type IconName } from './page/icons.ts';

/** The controls of the page. Only this file depends on the library that draws them. */

export type { Button };

export function registerControls(): void {
  provideVSCodeDesignSystem().register(
    vsCodeButton(),
    vsCodeCheckbox(),
    vsCodeDivider(),
    vsCodeDropdown(),
    vsCodeOption(),
    vsCodeProgressRing(),
    vsCodeTextField(),
  );
}

interface ButtonLook {
  readonly appearance?: 'primary' | 'secondary';
  readonly icon?: IconName;
}

/**
 * The library ignores presses of a disabled button from the next frame; the second click of a double click comes
 * earlier.
 */
function listen(made: Button, onPress: () => void): void {
  made.addEventListener('click', () => {
    if (!made.disabled) onPress();
  });
}

export function button(label: string, onPress: () => void, look: ButtonLook = {}): Button {
  const created = document.createElement('vscode-button') as Button;
  setAttributes(created, { appearance: look.appearance ?? 'secondary' });
  created.append(...(look.icon ? [icon(look.icon, 'start')] : []), label);
  listen(created, onPress);
  return created;
}

/** `name` is read out, and shown as the tooltip. */
export function iconButton(name: string, sign: IconName, onPress: () => void): Button {
  const created = document.createElement('vscode-button') as Button;
  setAttributes(created, { 'aria-label': name, title: name, appearance: 'icon' });
  created.append(icon(sign));
  listen(created, onPress);
  return created;
}

export function textField(name: string, placeholder: string): TextField {
  const created = document.createElement('vscode-text-field') as TextField;
  setAttributes(created, { placeholder, 'data-vscode-context': '{"preventDefaultContextMenuItems":false}' });
  // The library renames it when it is added to the page.
  requestAnimationFrame(() => setAttributes(created, { 'aria-label': name }));
  return created;
}

export function checkbox(label: string): Checkbox {
  const created = document.createElement('vscode-checkbox') as Checkbox;
  created.textContent = label;
  return created;
}

/** Several lines, with its own label; `describedBy`: id of additional text that is read out. */
export function textArea(
  id: string,
  { most, describedBy }: { readonly most: number; readonly describedBy: string },
): HTMLTextAreaElement {
  const created = document.createElement('textarea');
  setAttributes(created, {
    id,
    class: 'text-area',
    rows: '4',
    maxlength: String(most),
    'aria-describedby': describedBy,
  });
  return created;
}

export function dropdown(name: string): Dropdown {
  const created = document.createElement('vscode-dropdown') as Dropdown;
  setAttributes(created, { 'aria-label': name });
  return created;
}

export function option(value: string, text: string): Option {
  const created = document.createElement('vscode-option') as Option;
  setAttributes(created, { value });
  created.textContent = text;
  return created;
}

/** Doesn't move for users who want no motion. */
export function progressRing(name: string | undefined): Element {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
    const sign = icon('exploring');
    if (name !== undefined) setAttributes(sign, { 'aria-hidden': undefined, role: 'img', 'aria-label': name });
    return sign;
  }
  const created = document.createElement('vscode-progress-ring');
  setAttributes(created, name === undefined ? { 'aria-hidden': 'true' } : { 'aria-label': name });
  return created;
}

export function divider(): HTMLElement {
  return document.createElement('vscode-divider');
}
