import type { FromLoad } from '../../src/contract/loadPanel.ts';
import { connectEditor } from '../page/editorHost.ts';
import { receive } from '../page/incoming.ts';
import { registerControls } from '../toolkit.ts';
import { LoadPage } from './loadPage.ts';

registerControls();
const root = document.getElementById('app');
if (!root) throw new Error('The page has no element with the id "app".');
const host = connectEditor<FromLoad>();
const page = new LoadPage(root, host);
addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  receive(data, page.handlers);
});
host.post({ type: 'ready' });
