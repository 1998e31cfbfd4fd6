import type { MappingRun, MappingStats } from '../../src/contract/mapping.ts';
import type { PanelSnapshot } from '../../src/contract/panel.ts';
import type { EndKind, TreeNode } from '../../src/contract/tree.ts';

/** A bank's phone menu as the service returns it, with every state that a step can have. */

const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

interface Step extends Omit<TreeNode, 'children'> {
  readonly children?: readonly Step[];
}

const offers = (...options: readonly string[]): TreeNode['options'] =>
  options.map((option) => ({ key: option.slice(0, 1), label: option.slice(2) }));
const leaf = (digit: string, label: string, end: EndKind, transcript: string, duration: number): Step => ({
  digit,
  label,
  end,
  transcript,
  duration,
  isTerminal: true,
});

const bank: Step = {
  label: 'First Harbour Bank',
  transcript:
    'Thank you for calling First Harbour Bank. This call may be recorded. For accounts and balances, press 1. For cards, press 2. For loans and mortgages, press 3. For branch hours and locations, press 4. To report fraud, press 9. You can also say what you need, for example, lost card. To speak with a representative, press 0.',
  duration: 24.6,
  options: offers(
    '1 accounts and balances',
    '2 cards',
    '3 loans and mortgages',
    '4 branch hours and locations',
    '9 report fraud',
    '0 speak with a representative',
  ),
  phrases: ['lost card', 'account balance', 'representative'],
  children: [
    {
      digit: '1',
      label: 'Accounts and balances',
      duration: 11.2,
      transcript:
        'For your balance, press 1. For recent transactions, press 2. To transfer money, press 3. To return to the main menu, press star.',
      options: offers('1 balance', '2 recent transactions', '3 transfer money', '* return to the main menu'),
      children: [
        {
          digit: '1',
          label: 'Balance',
          end: 'input',
          isTerminal: true,
          duration: 5.1,
          transcript: 'Please enter your ten digit account number, followed by the pound key.',
          inputRequired: {
            type: 'account_number',
            description: 'ten digit account number',
            formatHint: '10 digits',
            terminator: '#',
            startTimeMs: 420,
          },
        },
        leaf('2', 'Recent transactions', 'hangup', 'Recent transactions are only in our app. Goodbye.', 5.9),
        {
          digit: '3',
          label: 'Transfer money',
          duration: 7.4,
          transcript: 'To transfer between your own accounts, press 1. To pay somebody else, press 2.',
          options: offers('1 transfer between your own accounts', '2 pay somebody else'),
          children: [
            leaf('1', 'Transfer between your own accounts', 'transfer-ringback', 'Please hold.', 3.3),
            {
              digit: '2',
              label: 'Pay somebody else',
              status: 'failed',
              reason: 'The far end hung up before the prompt began (BYE after 0.4 s).',
              duration: 0.4,
            },
          ],
        },
        {
          digit: '*',
          label: 'Return to the main menu',
          status: 'linked',
          linksTo: 'step-0',
          duration: 4.1,
          transcript: 'Thank you for calling First Harbour Bank. This call may be recorded.',
        },
      ],
    },
    {
      digit: '2',
      label: 'Cards',
      duration: 9.8,
      transcript:
        'If your card was lost or stolen, press 1. To activate a new card, press 2. For your PIN, press 3. For all other questions about cards, press 0.',
      options: offers('1 lost or stolen card', '2 activate a new card', '3 your PIN', '0 all other questions'),
      children: [
        leaf('1', 'Lost or stolen card', 'human', 'Card services, this is Jamie. How can I help you today?', 4.4),
        {
          digit: '2',
          label: 'Activate a new card',
          end: 'input',
          isTerminal: true,
          duration: 6.3,
          transcript: 'Please enter the sixteen digits of your new card.',
          inputRequired: {
            type: 'card_number',
            description: 'sixteen digits of your new card',
            formatHint: '16 digits',
          },
        },
        leaf('3', 'Your PIN', 'voicemail', 'Please leave your name after the tone.', 6),
        leaf('0', 'All other questions', 'hold-music', 'All of our representatives are busy.', 18.2),
      ],
    },
    {
      digit: '3',
      label: 'Loans and mortgages',
      duration: 8.5,
      transcript: 'For a new loan, press 1. For an existing mortgage, press 2. To send us documents by fax, press 3.',
      options: offers('1 new loan', '2 existing mortgage', '3 send documents by fax'),
      children: [
        leaf('1', 'New loan', 'busy', '', 2.1),
        leaf('2', 'Existing mortgage', 'dead-air', '', 12),
        leaf('3', 'Send documents by fax', 'fax', '', 7.7),
      ],
    },
    {
      digit: '4',
      label: 'Branch hours and locations',
      status: 'exploring',
      transcript:
        'Our branches are open from nine to five. To find a branch near you, say your town, or enter your ZIP code.',
      duration: 8.9,
      options: offers('1 hear the hours again'),
      children: [
        { digit: '1', label: 'Hear the hours again', status: 'exploring' },
        { stepType: 'voice', voicePrompt: 'Springfield', status: 'pending' },
      ],
    },
    leaf('9', 'Report fraud', 'human', 'Fraud department. Is it about a payment you do not recognise?', 4.9),
    {
      digit: '0',
      label: 'Speak with a representative',
      status: 'skipped',
      reason: 'The same label leads to a person elsewhere.',
    },
    {
      digit: '7',
      label: 'Staff line',
      hidden: true,
      end: 'hangup',
      isTerminal: true,
      transcript: 'This extension is for staff only.',
      duration: 2.8,
    },
    {
      stepType: 'voice',
      voicePrompt: 'lost card',
      spokenResponse: 'lost card',
      label: 'Lost card',
      status: 'linked',
      linksTo: 'step-8',
      transcript: 'If your card was lost or stolen, press 1.',
      duration: 6.1,
    },
  ],
};

/** stepIds are `step-<n>`, depth first from `step-0`, the root. */
function numbered(step: Step): TreeNode {
  let next = 0;
  const number = ({ children, ...fields }: Step, way: readonly string[]): TreeNode => {
    const stepId = `step-${next}`;
    next += 1;
    const built: TreeNode = {
      stepId,
      depth: way.length,
      path: way.join(' > '),
      status: 'explored',
      stepType: 'dtmf',
      ...fields,
    };
    if (children)
      built.children = children.map((child) => number(child, [...way, child.digit ?? child.voicePrompt ?? '']));
    return built;
  };
  return number(step, []);
}

export const bankTree = (): TreeNode => numbered(bank);

/** The same bank, fully explored and measured. */
export function heatedBank(): TreeNode {
  const tree = bankTree();
  let place = 0;
  const measure = (node: TreeNode): void => {
    if (node.status === 'exploring' || node.status === 'pending')
      Object.assign(node, {
        status: 'explored',
        transcript: node.transcript ?? `${node.label ?? node.voicePrompt ?? ''}. Goodbye.`,
        ...(node.children ? {} : { end: 'hangup', isTerminal: true }),
      });
    if (node.status === 'explored') node.latencyMs = [400, 900, 1400, 2600, 5200][place % 5] ?? 0;
    place += 1;
    node.children?.forEach(measure);
  };
  measure(tree);
  return tree;
}

/**
 * The same bank a year later: an option removed, one added, one reworded, one on another key, one slower, one with
 * another end.
 */
export function changedBank(): TreeNode {
  const tree = heatedBank();
  const [accounts, cards, loans, branches] = tree.children ?? [];
  if (!accounts?.children || !cards?.children || !loans || !branches) throw new Error('the bank is not as it was');
  accounts.children = accounts.children.filter(({ digit }) => digit !== '2');
  accounts.options = (accounts.options ?? []).filter(({ key }) => key !== '2');
  cards.transcript =
    'For a new card, press 1. If your card does not work abroad, press 2. For your secret number, press 3. For everything else, press 0.';
  cards.children.push({
    stepId: 'step-new',
    digit: '5',
    label: 'Travel notice',
    path: '2 > 5',
    depth: 2,
    status: 'explored',
    stepType: 'dtmf',
    transcript: 'Please tell us where you are going after the tone.',
    end: 'voicemail',
    isTerminal: true,
    duration: 4,
    latencyMs: 700,
  });
  loans.digit = '6';
  loans.path = '6';
  branches.latencyMs = 9000;
  const fraud = tree.children?.find(({ digit }) => digit === '9');
  if (fraud) fraud.end = 'voicemail';
  return tree;
}

export const bankStats: MappingStats = {
  callsPlaced: 19,
  callsFailed: 1,
  nodesDiscovered: 24,
  terminalNodes: 12,
  maxDepthReached: 3,
  callSeconds: 412.4,
  linkedMenus: 2,
  promptSeconds: 171.8,
  limit: { minimumCalls: 17, minimumWallSeconds: 118, elapsedSeconds: 141, ratio: 1.19 },
};

export function runOf(runNumber: number, status: MappingRun['status'], more: Partial<MappingRun> = {}): MappingRun {
  return {
    id: uuid(100 + runNumber),
    status,
    runNumber,
    stats: bankStats,
    inFlightCount: status === 'running' ? 3 : 0,
    startedAt: '2025-06-01T09:00:00Z',
    ...more,
  };
}

export function snapshotOf(
  tree: TreeNode | null,
  run: MappingRun | undefined,
  more: Partial<PanelSnapshot> = {},
): PanelSnapshot {
  const runs = run
    ? [run, ...Array.from({ length: run.runNumber - 1 }, (_, at) => runOf(run.runNumber - 1 - at, 'completed'))]
    : [];
  return {
    type: 'snapshot',
    name: 'First Harbour Bank',
    phoneNumber: '+12025550147',
    job: {
      id: uuid(1),
      name: 'First Harbour Bank',
      phoneNumber: '+12025550147',
      profileId: uuid(2),
      tags: ['bank'],
      config: {
        mappingMode: 'hybrid',
        maxDepth: 5,
        maxCalls: 60,
        maxCallSeconds: 600,
        probeMode: 'off',
        concurrency: 4,
        allowedLabels: [],
        pressUnsure: false,
      },
      createdAt: '2025-06-01T08:59:00Z',
      status: run?.status === 'running' ? 'running' : 'idle',
      ...(run ? { currentRun: run, runNumber: run.runNumber } : {}),
    },
    runs,
    ...(run ? { version: run.runNumber } : {}),
    tree: {
      jobId: uuid(1),
      tree,
      ...(run
        ? { runId: run.id, runNumber: run.runNumber, status: run.status, stats: run.stats }
        : { reason: 'no_runs' as const }),
    },
    ...more,
  };
}

/** The bank's tree, compared with that of a year before. */
export const comparedBank = (): PanelSnapshot =>
  snapshotOf(changedBank(), runOf(3, 'completed'), { base: { title: 'Run 2', tree: heatedBank() } });

/** Ten options per menu, four menus deep: 11,111 nodes cut to `count`. */
export function wideTree(count: number): TreeNode {
  let made = 0;
  const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0'];
  const root: TreeNode = {
    stepId: 'n0',
    label: 'Greeting',
    depth: 0,
    path: '',
    status: 'explored',
    transcript: 'Welcome.',
    children: [],
  };
  let level = [root];
  made = 1;
  while (made < count) {
    const below: TreeNode[] = [];
    for (const parent of level) {
      for (const digit of keys) {
        if (made >= count) break;
        const child: TreeNode = {
          stepId: `n${made}`,
          digit,
          label: `Option ${made}`,
          depth: (parent.depth ?? 0) + 1,
          path: parent.path === '' ? digit : `${parent.path ?? ''} > ${digit}`,
          status: 'explored',
          stepType: 'dtmf',
          transcript: `You have chosen option ${made}. For the next option, press ${digit}.`,
          options: [{ key: digit, label: `next option after ${made}` }],
          children: [],
        };
        made += 1;
        parent.children?.push(child);
        below.push(child);
      }
    }
    level = below;
  }
  return root;
}

/**
 * The same tree after a year: of a hundred steps about one added, one removed, one reworded; and all of them measured.
 */
export function changedWideTree(count: number): TreeNode {
  const root = wideTree(count);
  const open = [root];
  for (let node = open.pop(), at = 0; node; node = open.pop(), at += 1) {
    Object.assign(node, { latencyMs: (at * 37) % 4000, duration: 3 });
    if (at % 100 === 7)
      Object.assign(node, { transcript: `From now on you hear something else entirely at place ${at}.` });
    if (at % 97 === 5 && node.children && node.children.length > 2) node.children.splice(1, 1);
    if (at % 89 === 3)
      node.children?.push({
        stepId: `more-${at}`,
        digit: '*',
        label: `A new service ${at}`,
        status: 'explored',
        stepType: 'dtmf',
        transcript: `This service ${at} is new since last year.`,
        children: [],
      });
    open.push(...(node.children ?? []));
  }
  return root;
}
