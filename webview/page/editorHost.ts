import type { FromWebview } from '../../src/contract/panel.ts';

/** The editor, as its webviews see it. */
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

/** To be called once a page: the editor refuses a second time. */
export function connectEditor<Message = FromWebview>(): EditorHost<Message> {
  const api = acquireVsCodeApi();
  return {
    post: (message) => {
      api.postMessage(message);
    },
    stored: () => api.getState(),
    store: (state) => {
      api.setState(state);
    },
  };
}
