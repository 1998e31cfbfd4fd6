import { poolSchema, type Pool, type WorkspaceUsage } from '../../../contract/workspace.ts';
import type { L10n } from '../../basics/localise.ts';
import { bar, plain, table } from '../../basics/words/markdownText.ts';

/**
 * Formats the workspace's grants, usage and limits as Markdown. Leaves out what an unlimited workspace doesn't need.
 */
export function writeUsage(usage: WorkspaceUsage, l10n: L10n): string {
  const unlimited = usage.capacity === 'unlimited';
  const blocks = [
    `# ${l10n.t('Usage')}`,
    unlimited
      ? l10n.t("**Unlimited:** calls go through your own carrier. Dialtree counts minutes but doesn't limit them.")
      : l10n.t('Tier: **{0}**. Calls use the minutes below: free minutes first, then minutes from packs.', usage.tier),
    ...(unlimited ? [] : capacity(usage, l10n)),
    ...month(usage, l10n),
    ...bounds(usage, l10n),
    ...people(usage, unlimited, l10n),
    l10n.t('Workspace {0}', `\`${usage.workspaceId}\``),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function capacity(
  { freeMinutes, packs, enrichmentTokens, contact, anchors, tier }: WorkspaceUsage,
  l10n: L10n,
): string[] {
  const empty =
    poolSchema.options.every((pool) => freeMinutes[pool].remaining <= 0) &&
    packs.every(({ remaining }) => remaining <= 0);
  const barOf = (remaining: number, whole: number): string =>
    whole > 0 ? l10n.t('{0} of {1}', amount(remaining), amount(whole)) : '–';
  return [
    ...(empty
      ? [
          [
            l10n.t('**You have no minutes left.**'),
            ...(tier === 'free' && anchors.length === 0
              ? [l10n.t('Use *Dialtree: Verify a Phone…* to get free minutes.')]
              : []),
            contact === undefined
              ? l10n.t('Ask the operator of the server for more minutes.')
              : l10n.t('Ask the operator of the server for more minutes: {0}', plain(contact)),
          ].join(' '),
        ]
      : []),
    `## ${l10n.t('Free minutes')}`,
    table(
      [l10n.t('Used for'), '', l10n.t('Minutes left')],
      [
        ...poolSchema.options.map((pool) => [
          poolWord(pool, l10n),
          bar(freeMinutes[pool].remaining, freeMinutes[pool].granted),
          barOf(freeMinutes[pool].remaining, freeMinutes[pool].granted),
        ]),
      ],
    ),
    `## ${l10n.t('Packs')}`,
    packs.length === 0
      ? l10n.t('No packs yet.')
      : table(
          [l10n.t('Used for'), '', l10n.t('Minutes left'), l10n.t('Added')],
          packs.map(({ pool, minutes, remaining, purchasedAt }) => [
            poolWord(pool, l10n),
            bar(remaining, minutes),
            barOf(remaining, minutes),
            day(purchasedAt),
          ]),
        ),
    `## ${l10n.t('Enrichment tokens')}`,
    enrichmentTokens.granted > 0
      ? `${bar(enrichmentTokens.remaining, enrichmentTokens.granted)} ${barOf(enrichmentTokens.remaining, enrichmentTokens.granted)}`
      : l10n.t('None.'),
  ];
}

function month({ period: { startedAt, endsAt, minutes } }: WorkspaceUsage, l10n: L10n): string[] {
  const used = poolSchema.options.filter((pool) => minutes[pool] > 0);
  // The end is the first moment of the next month.
  const lastDay = new Date(Date.parse(endsAt) - 1).toISOString();
  return [
    `## ${l10n.t('This month')}`,
    l10n.t('{0} to {1} (UTC).', day(startedAt), day(lastDay)),
    used.length === 0
      ? l10n.t('No calls yet.')
      : table(
          [l10n.t('Used for'), l10n.t('Minutes used')],
          used.map((pool) => [poolWord(pool, l10n), amount(minutes[pool])]),
        ),
  ];
}

const bounds = ({ runsInFlight, limits }: WorkspaceUsage, l10n: L10n): string[] => [
  `## ${l10n.t('Limits')}`,
  table(
    [l10n.t('Limit'), l10n.t('Now'), l10n.t('Maximum')],
    [
      [l10n.t('Runs in progress'), String(runsInFlight), String(limits.runs)],
      [l10n.t('Requests per minute'), '–', String(limits.requestsPerMinute)],
    ],
  ),
];

function people({ anchors }: WorkspaceUsage, unlimited: boolean, l10n: L10n): string[] {
  if (unlimited && anchors.length === 0) return [];
  return [
    `## ${l10n.t('Verified people')}`,
    anchors.length === 0
      ? l10n.t('None. Use *Dialtree: Verify a Phone…* to verify a person.')
      : table(
          [l10n.t('Number'), l10n.t('Verified since')],
          anchors.map(({ phoneNumber, verifiedAt }) => [plain(phoneNumber), day(verifiedAt)]),
        ),
  ];
}

function poolWord(pool: Pool, l10n: L10n): string {
  switch (pool) {
    case 'testing':
      return l10n.t('Tests');
    case 'loadTesting':
      return l10n.t('Load tests');
    case 'mapping':
      return l10n.t('Mapping');
    case 's2s':
      return l10n.t('Speech to speech');
    case 's2stest':
      return l10n.t('Speech-to-speech tests');
  }
}

const amount = (value: number): string => String(Math.round(value * 10) / 10);
const day = (iso: string): string => iso.slice(0, 10);
