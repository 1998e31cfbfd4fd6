import type { FromWebview } from '../../src/contract/panel.ts';

export interface EditorHost<Message = FromWebview> {
  post(message: Message): void;
  stored(): unknown;
  store(state: object): void;
}

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
};

/**
 * Connects the page with the editor. A restored window finds what the page shows by the subject in its state.
 *
 * Call this once per page: the editor refuses a second call.
 */
export function connectEditor<Message = FromWebview>(subject: string | undefined): EditorHost<Message> {
  const api = acquireVsCodeApi();
  const kept = (): unknown => (api.getState() as { readonly kept?: unknown } | undefined)?.kept;
  api.setState({ subject, kept: kept() });
  return {
    post: (message) => api.postMessage(message),
    stored: kept,
    store: (state) => api.setState({ subject, kept: state }),
  };
}
