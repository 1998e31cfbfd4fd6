import type { ExtensionContext } from 'vscode';
import { createContainer, isUnderTest } from './editor/container.ts';
import { DisposableStore } from './editor/basics/lifetime.ts';
import type { DialtreeTestApi } from './editor/testApi.ts';

/** Doesn't wait for processes, the network or secrets. */
export function activate(context: ExtensionContext): DialtreeTestApi | undefined {
  const began = performance.now();
  const disposables = new DisposableStore();
  context.subscriptions.push(disposables);
  const container = createContainer(context, disposables);
  return isUnderTest(context) ? { ...container, activationMs: performance.now() - began } : undefined;
}
