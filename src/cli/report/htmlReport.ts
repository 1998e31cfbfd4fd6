import { randomBytes } from 'node:crypto';
import { escapeMarkup } from '../../base/escape.ts';
import { pageColours } from '../../base/pageColours.ts';
import { jsonInElement, policyElements, savedPage, type PageFiles } from '../../base/savedPage.ts';
import type { ReportSnapshot } from '../../contract/reportPanel.ts';
import { savedSnapshot } from '../../model/report/savedSnapshot.ts';
import { rateText, summarise } from './cases.ts';
import { headline, stateText } from './githubReport.ts';
import type { Report, ReportRun } from './report.ts';

/**
 * Formats the report as one HTML file: a list of all tests, and for each call the editor's page of it, with its sound.
 * The file needs neither the editor nor a network.
 */
export function htmlReport(report: Report, page: PageFiles = { script: '', style: '' }): string {
  const summary = summarise(report);
  const nonce = randomBytes(16).toString('base64');
  const shown: { readonly run: ReportRun; readonly name: string }[] = [];
  const files = new Map<string, string[]>();
  const add = (file: string, item: string): unknown => files.get(file)?.push(item) ?? files.set(file, [item]);
  for (const one of summary.cases) {
    const buttons = one.runs.map((run, index) => {
      const place = shown.push({ run, name: one.name }) - 1;
      const label =
        one.runs.length === 1 ? 'Show call' : `Call ${index + 1}: ${(run.results.outcome ?? 'ERROR').toLowerCase()}`;
      return `<button data-run="${place}">${label}</button>`;
    });
    const state = stateText(one);
    const notes = [rateText(one), ...(one.outcome === 'PASS' ? [] : one.findings.map(({ message }) => message))];
    add(one.file, item(state, one.name, [...notes, `${one.seconds.toFixed(1)} s`], buttons.join(' ')));
  }
  for (const { path, name = path, reason, skipped } of summary.missing)
    add(path, item(skipped === true ? 'skipped' : 'not called', name, [reason], ''));
  const facts = [
    headline(summary, report),
    ...(report.startedAt === undefined ? [] : [report.startedAt]),
    ...(report.cutOff === undefined ? [] : [`Cut off: ${report.cutOff}`]),
    ...(report.sound?.leftOut ?? []),
  ];
  const template = savedPage({ ...page, title: 'Call', subject: 'call', snapshot: {}, nonce });
  const data = shown.map(({ run, name }, place) => {
    const wav = report.sound?.wavs.get(run.results.id);
    return `<script id="run${place}" type="application/json">${jsonInElement(snapshotOf(name, run, wav !== undefined))}</script>
<script id="wav${place}" type="text/plain">${wav ? Buffer.from(wav).toString('base64') : ''}</script>`;
  });
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${policyElements(nonce)}
<title>Dialtree test report</title>
<style>${pageColours}
${listStyle}</style>
</head>
<body>
<main>
<h1>Dialtree test report</h1>
${facts.map((fact) => `<p>${escapeMarkup(fact)}</p>`).join('\n')}
${[...files].map(([file, items]) => `<h2>${escapeMarkup(file)}</h2>\n<ul>${items.join('\n')}</ul>`).join('\n')}
</main>
<iframe title="The chosen call"></iframe>
${data.join('\n')}
<script id="page" type="application/json">${jsonInElement(template)}</script>
<script nonce="${nonce}">${chooser}</script>
</body>
</html>
`;
}

const item = (state: string, name: string, notes: readonly string[], buttons: string): string =>
  `<li><strong class="${state.replace(' ', '-')}">${state}</strong> ${escapeMarkup(name)} ${buttons}${notes
    .filter((text) => text !== '')
    .map((text) => `<br><small>${escapeMarkup(text)}</small>`)
    .join('')}</li>`;

const snapshotOf = (name: string, { results: run, mission }: ReportRun, hasSound: boolean): ReportSnapshot =>
  savedSnapshot(
    { type: 'snapshot', name, run, ...(mission && { mission }), hasFile: false, acceptable: [], history: [] },
    hasSound,
  );

const listStyle = `
body { display: flex; height: 100vh; margin: 0; font: 13px/1.5 system-ui, sans-serif; color: var(--vscode-foreground); background: var(--vscode-editor-background); }
main { flex: 0 0 24rem; overflow: auto; padding: 0 1rem; overflow-wrap: anywhere; }
iframe { flex: 1; border: 0; border-left: 1px solid var(--vscode-panel-border, #8888); }
h1 { font-size: 1.3rem; } h2 { font-size: 1rem; } ul { list-style: none; padding: 0; } li { padding: 0.4rem 0; }
button[aria-current] { font-weight: bold; }
.failed, .error, .not-called { color: var(--vscode-errorForeground, #c33); }
@media (max-width: 50rem) { body { flex-direction: column; } main { flex: 0 1 40vh; } }
`;

/** Fills the page of a call when it is chosen. All calls share one script, so that the file stays small. */
const chooser = `
const textOf = (id) => document.getElementById(id).textContent;
const frame = document.querySelector('iframe');
const buttons = document.querySelectorAll('button[data-run]');
const show = (button) => {
  const place = button.dataset.run;
  const page = new DOMParser().parseFromString(JSON.parse(textOf('page')), 'text/html');
  page.getElementById('app').dataset.subject = JSON.parse(textOf('run' + place)).run.id;
  page.getElementById('snapshot').textContent = textOf('run' + place);
  page.getElementById('wav').textContent = textOf('wav' + place);
  frame.srcdoc = '<!DOCTYPE html>' + page.documentElement.outerHTML;
  for (const one of buttons) one.toggleAttribute('aria-current', one === button);
};
for (const button of buttons) button.addEventListener('click', () => show(button));
const first = document.querySelector('li:has(.failed, .error, .inconclusive) button') ?? buttons[0];
if (first) show(first);
`;
