import type { FromReport } from '../../src/contract/reportPanel.ts';
import { connectEditor } from '../page/editorHost.ts';
import { receive } from '../page/incoming.ts';
import { registerControls } from '../toolkit.ts';
import { ReportPage } from './reportPage.ts';

registerControls();
const root = document.getElementById('app');
if (!root) throw new Error('The page has no element with the id "app".');
const host = connectEditor<FromReport>();
const page = new ReportPage(root, host);
addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  receive(data, page.handlers);
});
host.post({ type: 'ready' });
