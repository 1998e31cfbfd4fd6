import { randomBytes } from 'node:crypto';
import { savedPage } from '../../base/savedPage.ts';
import { savedSnapshot } from '../../model/report/savedSnapshot.ts';
import { summarise } from './cases.ts';
import { testRows } from './overview.ts';
import type { Report } from './report.ts';
import { totalsLine } from './specReport.ts';

/**
 * Formats the report as one HTML file: a list of all tests, and for each call the editor's page of it, with its sound.
 * The file needs neither the editor nor a network.
 */
export function htmlReport(report: Report): string {
  const { media, startedAt, cutOff } = report;
  const summary = summarise(report);
  const verdict = summary.exitCode === 0 ? 'Passed' : 'Failed';
  const rows = testRows(summary).map(({ state, name, file, notes, runs }) => {
    const calls = runs.map(({ results: run, mission }, index) => {
      const wav = media?.wavs.get(run.id);
      const shown = { name, run, ...(mission && { mission }), hasFile: false, acceptable: [], history: [] };
      return {
        label: runs.length === 1 ? 'Show call' : `Call ${index + 1}: ${(run.outcome ?? 'ERROR').toLowerCase()}`,
        snapshot: savedSnapshot({ type: 'snapshot', ...shown }, wav !== undefined),
        wav: wav === undefined ? '' : Buffer.from(wav).toString('base64'),
      };
    });
    return { state, name, notes: [file, ...notes], calls };
  });
  const facts = [
    totalsLine(summary, report),
    cutOff === undefined ? '' : `Cut off: ${cutOff}`,
    startedAt === undefined ? '' : new Date(startedAt).toUTCString(),
    ...(media?.leftOut ?? []),
  ].filter(Boolean);
  const nonce = randomBytes(16).toString('base64');
  const files = media?.page ?? { script: '', style: '' };
  const page = savedPage({ ...files, title: 'Call', subject: '', snapshot: {}, nonce });
  const snapshot = { verdict, facts, rows, page };
  return savedPage({ title: `${verdict}: Dialtree test report`, subject: '', snapshot, script, style, nonce });
}

const style = `
#app { display: flex; height: 100vh; font: 13px/1.5 system-ui, sans-serif; }
body { margin: 0; color: var(--vscode-foreground); background: var(--vscode-editor-background); }
main { flex: 0 0 24rem; overflow: auto; padding: 0 1rem; overflow-wrap: anywhere; }
iframe { flex: 1; border: 0; box-shadow: 0 0 0 1px var(--vscode-panel-border); }
h1 { font-size: 1.3rem; } p, ul { margin: 0.2rem 0; padding: 0; list-style: none; } li { padding: 0.6rem 0; } small { display: block; }
button[aria-current] { font-weight: bold; }
.failed, .error, .not-called { color: var(--vscode-errorForeground); }
@media (max-width: 50rem) { #app { flex-direction: column; } main { flex: 0 1 40vh; } }
`;

/** Lists the tests as text, and fills the page of a call when it is chosen. All calls share that page's script. */
const script = `
const { verdict, facts, rows, page } = JSON.parse(textOf('snapshot'));
const add = (parent, kind, textContent = '', more = {}) => {
  const element = Object.assign(document.createElement(kind), { textContent, ...more });
  parent.append(element, ' ');
  return element;
};
const app = document.getElementById('app');
const main = add(app, 'main');
const frame = add(app, 'iframe', '', { title: 'The chosen call' });
const show = ({ target }, { snapshot, wav }) => {
  const call = new DOMParser().parseFromString(page, 'text/html');
  call.getElementById('app').dataset.subject = snapshot.run.id;
  call.getElementById('snapshot').textContent = JSON.stringify(snapshot).replaceAll('<', '\\\\u003c');
  call.getElementById('wav').textContent = wav;
  frame.srcdoc = '<!DOCTYPE html>' + call.documentElement.outerHTML;
  main.querySelector('[aria-current]')?.removeAttribute('aria-current');
  target.setAttribute('aria-current', 'true');
};
add(main, 'h1', verdict);
for (const fact of facts) add(main, 'p', fact);
const list = add(main, 'ul');
for (const { state, name, notes, calls } of rows) {
  const item = add(list, 'li');
  add(item, 'strong', state, { className: state.replace(' ', '-') });
  add(item, 'span', name);
  for (const call of calls) add(item, 'button', call.label, { onclick: (event) => show(event, call) });
  for (const note of notes) add(item, 'small', note);
}
main.querySelector('button')?.click();
`;
