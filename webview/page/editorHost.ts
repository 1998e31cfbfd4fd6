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

/** Call this once per page: the editor refuses a second call. */
export function connectEditor<Message = FromWebview>(): EditorHost<Message> {
  const api = acquireVsCodeApi();
  return {
    post: (message) => api.postMessage(message),
    stored: () => api.getState(),
    store: (state) => api.setState(state),
  };
}
