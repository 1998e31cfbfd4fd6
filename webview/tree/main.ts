import { App } from './app.ts';
import { connectEditor } from '../page/editorHost.ts';
import { receive } from '../page/incoming.ts';
import { registerControls } from '../toolkit.ts';

registerControls();
const root = document.getElementById('app');
if (!root) throw new Error('The page has no element with the id "app".');
const host = connectEditor();
const app = new App(root, host);
addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  receive(data, app.handlers);
});
host.post({ type: 'ready' });
