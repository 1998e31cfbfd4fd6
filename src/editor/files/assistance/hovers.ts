import type { Node } from 'jsonc-parser';
import { escapeMarkdown } from '../../../base/escape.ts';
import { edgesOf } from '../../../contract/ivrGraph.ts';
import type { StepResult } from '../../../contract/testRuns.ts';
import type { L10n } from '../../basics/localise.ts';
import { inlineCode as code, joined, markdownLines } from '../../basics/words/markdownText.ts';
import { matchWords, outcomeWord } from '../../basics/words/outcomeWords.ts';
import type { RunEnding } from '../../../runner/runTest.ts';
import { promptWordsIn } from '../reading/ivrPrompts.ts';
import { readStates, stateAt } from '../reading/ivrStates.ts';
import { contains, entriesOf, nodeAt, textAt, type ParsedFile } from '../../folders/parsedFile.ts';
import { isPhoneNumber, isPracticeNumber, routeOf, type DialPlan } from '../reading/phoneNumbers.ts';
import type { TextSpan } from '../reading/span.ts';

/** Markdown about a part of a file. Text from the file is escaped. */
interface HoverText extends TextSpan {
  readonly markdown: string;
}

export interface HoverSource {
  readonly routes: DialPlan | undefined;
  /** Called only if it is shown. */
  readonly lastRuns: () => Promise<readonly RunEnding[]>;
}

export async function hoverAt(
  file: ParsedFile,
  offset: number,
  source: HoverSource,
  l10n: L10n,
): Promise<HoverText | undefined> {
  if (file.kind === 'ivr')
    return stateHover(file, offset, l10n) ?? numberHover(file, nodeAt(file.root, ['number']), offset, source, l10n);
  const number = numberHover(file, nodeAt(file.root, ['phoneNumber']), offset, source, l10n);
  if (number) return number;
  if (file.kind === 'mission') return missionHover(file, offset, source, l10n);
  return file.kind === 'calltest' ? stepHover(file, offset, source, l10n) : undefined;
}

const on = ({ offset, length }: Node, lines: readonly (string | undefined)[]): HoverText => ({
  offset,
  length,
  markdown: markdownLines(lines),
});
const quote = (text: string): string => `“${escapeMarkdown(text)}”`;
/** A hover must be readable at a glance. */
const maxWays = 12,
  maxRuns = 3,
  maxTurns = 6;

function stateHover(file: ParsedFile, offset: number, l10n: L10n): HoverText | undefined {
  const states = readStates(file);
  const found = stateAt(states, offset);
  const definition = found && states.states.get(found.name);
  if (!found || !definition) return undefined;
  const state = states.graph.states[found.name];
  const prompt = promptWordsIn(definition.value);
  const ins = states.references
    .filter(({ target }) => target === found.name)
    .map(
      ({ from, path }) => `${code(from ?? String(path[0]))}${from === undefined ? '' : ` (${wayWord(path.slice(2))})`}`,
    );
  const outs = state ? edgesOf(state).map(([place, target]) => `${wayWord(place)} → ${code(target)}`) : [];
  return on(found.node, [
    `**${escapeMarkdown(found.name)}**`,
    prompt === undefined ? undefined : quote(prompt),
    ins.length > 0 ? `${l10n.t('Reached from:')} ${few(ins)}` : l10n.t('No other state leads here.'),
    outs.length > 0 ? `${l10n.t('Leads to:')} ${few(outs)}` : undefined,
    state?.end !== undefined && state.end !== '' ? `${l10n.t('Ends with:')} ${code(state.end)}` : undefined,
  ]);
}

const few = (ways: readonly string[]): string =>
  (ways.length > maxWays ? [...ways.slice(0, maxWays), '…'] : ways).join(', ');
/** `1`, “a phrase”, `next`, `collect.next`. */
const wayWord = (path: readonly (string | number)[]): string =>
  path[0] === 'keys' ? code(String(path[1])) : path[0] === 'speech' ? quote(String(path[1])) : code(path.join('.'));

function numberHover(
  { kind }: ParsedFile,
  node: Node | undefined,
  offset: number,
  { routes }: HoverSource,
  l10n: L10n,
): HoverText | undefined {
  const number: unknown = node?.value;
  if (!node || typeof number !== 'string' || !contains(node, offset) || !isPhoneNumber(number)) return undefined;
  const route = routes && routeOf(number, routes);
  if (kind === 'ivr') return on(node, [l10n.t("Calls to {0} reach this IVR while it's running.", number)]);
  if (route)
    return on(node, [
      route.line === undefined
        ? l10n.t('Calls go to {0}', code(route.uri))
        : l10n.t('Calls go over the line {0} to {1}', code(route.line), code(route.uri)),
    ]);
  if (isPracticeNumber(number))
    return on(node, [l10n.t('Reserved for fictional use. Practice IVRs and lab lines use these numbers.')]);
  return routes && on(node, [l10n.t("No line serves this number, so Dialtree can't call it. Add a line for it.")]);
}

async function stepHover(
  file: ParsedFile,
  offset: number,
  { lastRuns }: HoverSource,
  l10n: L10n,
): Promise<HoverText | undefined> {
  const index = entriesOf(nodeAt(file.root, ['steps'])).findIndex((step) => contains(step, offset));
  const step = index < 0 ? undefined : nodeAt(file.root, ['steps', index]);
  const places = ['name', 'expectedTranscript', 'passThreshold']
    .map((name) => nodeAt(step, [name]))
    .concat(nodeAt(step, ['action', 'type']));
  const place = places.find((node) => node && contains(node, offset));
  if (!place) return undefined;
  const name = textAt(step, 'name');
  const excerpts = (await lastRuns()).flatMap(({ results }) => {
    const result =
      results.steps[index]?.name === name ? results.steps[index] : results.steps.find((one) => one.name === name);
    return result ? [{ result, row: results.row }] : [];
  });
  if (excerpts.length === 0) return undefined;
  // If there are many rows, only those that failed are shown.
  const wrong = excerpts.filter(({ result }) => result.outcome !== 'PASS');
  const shown = (wrong.length > 0 ? wrong : excerpts).slice(0, maxRuns);
  return on(place, [
    l10n.t('**Last run**'),
    ...shown.flatMap(({ result, row }) => [
      ...(row
        ? [
            Object.entries(row)
              .map(([column, value]) => `${code(column)} ${escapeMarkdown(value)}`)
              .join(', '),
          ]
        : []),
      ...resultLines(result, l10n),
    ]),
  ]);
}

function resultLines(result: StepResult, l10n: L10n): (string | undefined)[] {
  const { outcome, transcript, reason, latencyMs } = result;
  return [
    joined(' · ', [
      outcomeWord(outcome, l10n),
      matchWords(result, l10n),
      latencyMs === undefined ? undefined : l10n.t('answered after {0} s', (latencyMs / 1000).toFixed(1)),
    ]),
    transcript === undefined || transcript === '' ? undefined : quote(transcript),
    reason === undefined ? undefined : escapeMarkdown(reason),
  ];
}

async function missionHover(
  file: ParsedFile,
  offset: number,
  { lastRuns }: HoverSource,
  l10n: L10n,
): Promise<HoverText | undefined> {
  const place = ['acceptance', 'mission']
    .map((name) => nodeAt(file.root, [name]))
    .find((node) => node && contains(node, offset));
  if (!place) return undefined;
  const [run] = await lastRuns();
  if (!run) return undefined;
  const { results, mission } = run;
  const turns = (results.transcript ?? [])
    .slice(-maxTurns)
    .map(({ speaker, text }) => `${speaker === 'us' ? '→' : '←'} ${escapeMarkdown(text)}`);
  return on(place, [
    l10n.t('**Last run**'),
    results.outcome === undefined ? undefined : outcomeWord(results.outcome, l10n),
    mission?.judgeReasoning === undefined ? undefined : escapeMarkdown(mission.judgeReasoning),
    ...(mission?.passEvidence ?? []).slice(0, maxRuns).map(({ quote: words }) => quote(words)),
    ...turns,
  ]);
}
