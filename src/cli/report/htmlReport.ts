import { randomBytes } from 'node:crypto';
import { escapeMarkup } from '../../base/escape.ts';
import { pageColours } from '../../base/pageColours.ts';
import { jsonInElement, policyElements, savedPage } from '../../base/savedPage.ts';
import type { ReportSnapshot } from '../../contract/reportPanel.ts';
import { savedSnapshot } from '../../model/report/savedSnapshot.ts';
import { summarise } from './cases.ts';
import { overviewRows } from './overview.ts';
import type { Report, ReportRun } from './report.ts';
import { totalsLine } from './specReport.ts';

/**
 * Formats the report as one HTML file: a list of all tests, and for each call the editor's page of it, with its sound.
 * The file needs neither the editor nor a network.
 */
export function htmlReport(report: Report): string {
  const { media = { page: { script: '', style: '' }, wavs: new Map<string, Uint8Array>(), leftOut: [] } } = report;
  const summary = summarise(report);
  const rows = overviewRows(summary);
  const nonce = randomBytes(16).toString('base64');
  const calls: string[] = [];
  const buttonOf = (name: string, run: ReportRun, label: string): string => {
    const wav = media.wavs.get(run.results.id);
    const sound = wav === undefined ? '' : Buffer.from(wav).toString('base64');
    return `<button data-call="${calls.push(jsonInElement({ snapshot: snapshotOf(name, run, wav), wav: sound })) - 1}">${label}</button>`;
  };
  const items = rows.map(({ file, state, name, notes, time, runs }) => {
    const buttons = runs.map((run, index) =>
      buttonOf(name, run, runs.length === 1 ? 'Show call' : `Call ${index + 1}: ${outcomeOf(run)}`),
    );
    const shown = [...notes, time]
      .filter((text) => text !== '')
      .map((text) => `<br><small>${escapeMarkup(text)}</small>`);
    const html = `<li><strong class="${state.replace(' ', '-')}">${state}</strong> ${escapeMarkup(name)} ${buttons.join(' ')}${shown.join('')}</li>`;
    return { file, html };
  });
  const lists = [...new Set(items.map(({ file }) => file))].map((file) => {
    const own = items.filter((item) => item.file === file);
    return `<h2>${escapeMarkup(file)}</h2>\n<ul>${own.map(({ html }) => html).join('\n')}</ul>`;
  });
  const cutOff = report.cutOff === undefined ? [] : [`Cut off: ${report.cutOff}`];
  const facts = [
    totalsLine(summary, report),
    ...cutOff,
    ...(report.startedAt === undefined ? [] : [new Date(report.startedAt).toUTCString()]),
    ...media.leftOut,
  ];
  const verdict = summary.exitCode === 0 ? 'Passed' : 'Failed';
  const page = savedPage({ ...media.page, title: 'Call', subject: 'call', snapshot: {}, nonce });
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${policyElements(nonce)}
<title>${verdict}: Dialtree test report</title>
<style>${pageColours}
${listStyle}</style>
</head>
<body>
<main>
<h1>${verdict}</h1>
${facts.map((fact) => `<p>${escapeMarkup(fact)}</p>`).join('\n')}
${lists.join('\n')}
</main>
<iframe title="The chosen call"></iframe>
${calls.map((call, place) => `<script id="call${place}" type="application/json">${call}</script>`).join('\n')}
<script id="page" type="application/json">${jsonInElement(page)}</script>
<script nonce="${nonce}">${chooser}</script>
</body>
</html>
`;
}

const outcomeOf = ({ results }: ReportRun): string => (results.outcome ?? 'ERROR').toLowerCase();

const snapshotOf = (name: string, { results: run, mission }: ReportRun, wav: Uint8Array | undefined): ReportSnapshot =>
  savedSnapshot(
    { type: 'snapshot', name, run, ...(mission && { mission }), hasFile: false, acceptable: [], history: [] },
    wav !== undefined,
  );

const listStyle = `
body { display: flex; height: 100vh; margin: 0; font: 13px/1.5 system-ui, sans-serif; color: var(--vscode-foreground); background: var(--vscode-editor-background); }
main { flex: 0 0 24rem; overflow: auto; padding: 0 1rem; overflow-wrap: anywhere; }
iframe { flex: 1; border: 0; box-shadow: 0 0 0 1px var(--vscode-panel-border, #8888); }
h1 { font-size: 1.3rem; } h2 { font-size: 1rem; margin: 1rem 0 0; } p, ul { margin: 0.2rem 0; padding: 0; list-style: none; } li { padding: 0.4rem 0; }
button[aria-current] { font-weight: bold; }
.failed, .error, .not-called { color: var(--vscode-errorForeground, #c33); }
@media (max-width: 50rem) { body { flex-direction: column; } main { flex: 0 1 40vh; } }
`;

/** Fills the page of a call when it is chosen. All calls share one script, so that the file stays small. */
const chooser = `
const read = (id) => JSON.parse(document.getElementById(id).textContent);
const buttons = document.querySelectorAll('button[data-call]');
const show = (button) => {
  const { snapshot, wav } = read('call' + button.dataset.call);
  const page = new DOMParser().parseFromString(read('page'), 'text/html');
  page.getElementById('app').dataset.subject = snapshot.run.id;
  page.getElementById('snapshot').textContent = JSON.stringify(snapshot).replaceAll('<', '\\\\u003c');
  page.getElementById('wav').textContent = wav;
  document.querySelector('iframe').srcdoc = '<!DOCTYPE html>' + page.documentElement.outerHTML;
  document.querySelector('[aria-current]')?.removeAttribute('aria-current');
  button.setAttribute('aria-current', 'true');
};
for (const button of buttons) button.addEventListener('click', () => show(button));
if (buttons[0]) show(buttons[0]);
`;
