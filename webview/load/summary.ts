import type { LoadSnapshot } from '../../src/contract/loadPanel.ts';
import type { LoadTested } from '../../src/contract/loadTests.ts';
import { targetName } from '../../src/model/calls/targetName.ts';
import { testedCalls } from '../../src/model/stats/testedCalls.ts';
import { figure } from '../page/formats.ts';
import { t } from '../page/l10n.ts';
import { hangUpMeaning, outcomeMeaning } from './countWords.ts';
import { keyFiguresOf } from './keyFigures.ts';
import { courseOf, endSentence, warningsOf } from './words.ts';

export function loadSummaryOf({ name, test }: Pick<LoadSnapshot, 'name' | 'test'>): string {
  const { stats } = test;
  const rows = keyFiguresOf(test).map(
    (key) =>
      `| ${cell([key.name, key.kind].filter((part) => part !== undefined).join(', '))} | ${[key.value, key.unit].join(' ').trim()} | ${cell(key.parts.map((part) => part.join(' ')).join(', ') || key.note)} |`,
  );
  const counts = (
    title: string,
    of: Readonly<Record<string, number>> | undefined,
    meaning: typeof outcomeMeaning,
  ): string[] =>
    of && Object.keys(of).length > 0
      ? [
          '',
          `**${title}:** ${Object.entries(of)
            .map(([key, count]) => `${line(meaning(key).words)} ${figure(count)}`)
            .join(', ')}`,
        ]
      : [];
  return [
    `### ${t('Load test: {0}', line(name))}`,
    '',
    [
      ...(name === targetName(test.phoneNumber) ? [] : [line(targetName(test.phoneNumber))]),
      ...courseOf(test).map((part) => part.join(' ')),
    ].join(' · '),
    '',
    line(endSentence(test)),
    ...warningsOf(test).flatMap((warning) => ['', `> ${line(warning)}`]),
    ...(rows.length === 0 ? [] : ['', `| ${t('Metric')} | ${t('Value')} | |`, '|---|---|---|', ...rows]),
    ...(stats?.verdict?.criteria ?? []).map(
      ({ met, text }, index) => `${index === 0 ? '\n' : ''}- ${met ? '✔' : '✖'} ${line(text)}`,
    ),
    ...testedLines(stats?.tested),
    ...counts(t('Outcomes'), stats?.outcomes, outcomeMeaning),
    ...counts(t('Hang-ups'), stats?.hangUps, hangUpMeaning),
  ].join('\n');
}

function testedLines(tested: LoadTested | undefined): string[] {
  if (!tested) return [];
  const { passed, failures } = tested;
  return [
    '',
    t('{0} of {1} calls passed the test.', figure(passed), figure(testedCalls(tested))),
    ...failures
      .slice(0, 10)
      .map(({ call, reason, outcome }) => `- ${t('Call')} ${figure(call)}: ${line(reason ?? outcome)}`),
  ];
}

/** Keeps external text on its line, and limits its length. */
const line = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, 2000);
const cell = (text: string): string => line(text).replaceAll('|', '\\|');
