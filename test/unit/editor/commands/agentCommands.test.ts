import assert from 'node:assert/strict';
import { firstLimits } from '../../../../src/editor/agents/agentKey.ts';
import { FakeDialogs } from '../fakeDialogs.ts';
import type { Answer } from '../fakeDialogs.ts';
import { fakeAgents } from '../agents/fakeAgents.ts';
import { commandsIn } from '../fakeEditor.ts';

const off = '$(circle-slash) Turn Off…';
const turnOff = 'Turn off and revoke the key';
const numbers = '$(call-outgoing) Numbers that agents can call';
const calls = '$(graph) Calls per day';
const minutes = '$(clock) Minutes per day';

describe('letting agents use Dialtree', () => {
  let agents: ReturnType<typeof fakeAgents>, dialogs: FakeDialogs, ran: unknown[];
  beforeEach(() => {
    agents = fakeAgents();
    ran = [];
  });
  afterEach(() => agents.access.dispose());

  async function command(id: 'configure' | 'copyConfig', ...answers: Answer[]): Promise<void> {
    dialogs = new FakeDialogs(...answers);
    await commandIn(dialogs, id);
    dialogs.done();
  }
  async function commandIn(shown: FakeDialogs, id: 'configure' | 'copyConfig'): Promise<void> {
    const { access, key, at } = agents;
    await commandsIn({
      agents: { access, key },
      mcpCommand: { command: 'node', args: ['cli.js', 'mcp', '--data', '/data'], env: { ELECTRON_RUN_AS_NODE: '1' } },
      dialogs: shown,
      settings: () => ({ agents: { enabled: at.enabled }, service: at.settings }),
      clock: { now: () => Date.parse('2026-03-01T12:00:00Z') },
      workbench: {
        enableAgents: (enabled) => {
          at.enabled = enabled;
          access.reset();
          return Promise.resolve();
        },
      },
      run: (...call) => ran.push(call),
    })[`dialtree.agent.${id}`]();
  }
  const limits = () => agents.ring.keys[0]?.limits;

  it('shows the initial limits: calls to practice IVRs, a number per day', async () => {
    await command('configure', { pick: undefined });
    assert.match(
      dialogs.shown[0] ?? '',
      /^What do you want to change\?\n {2}\$\(call-outgoing\) Numbers .*\n {2}\$\(circle-slash\) Turn Off…[^\n]*$/s,
    );
    assert.match(
      dialogs.shown[0] ?? '',
      /Numbers that agents can call \| practice IVRs on this machine \| Dialtree asks you before agents call any other number/,
    );
    assert.match(
      dialogs.shown[0] ?? '',
      new RegExp(`Calls per day \\| ${String(firstLimits.callsPerDay)} \\|.*\\n.*Minutes per day \\| 300 \\|`),
    );
  });

  it('adds and removes allowed numbers', async () => {
    await command(
      'configure',
      { pick: numbers },
      { pick: '$(add) Allow a number…' },
      ' +12025550101 ',
      { pick: numbers },
      { pick: '$(add) Allow a number…' },
      '+49*',
      { pick: undefined },
    );
    assert.deepEqual(limits()?.numbers, ['practice', '+12025550101', '+49*']);
    await command(
      'configure',
      { pick: numbers },
      { pick: '$(close) practice IVRs on this machine' },
      { pick: numbers },
      { pick: undefined },
      { pick: undefined },
    );
    assert.deepEqual(limits()?.numbers, ['+12025550101', '+49*']);
    await command(
      'configure',
      { pick: numbers },
      { pick: '$(add) Allow practice IVRs on this machine' },
      { pick: undefined },
    );
    assert.deepEqual(limits()?.numbers, ['+12025550101', '+49*', 'practice']);
  });

  it('rejects an invalid number while it is typed', async () => {
    let refused: (string | undefined)[] = [];
    const shown = new FakeDialogs({ pick: numbers }, { pick: '$(add) Allow a number…' }, { pick: undefined });
    shown.ask = ({ check }) => {
      refused = ['0044', 'anyone', '+12025550101', '+1*'].map((text) => check?.(text));
      return Promise.resolve(undefined);
    };
    await commandIn(shown, 'configure');
    assert.match(refused[0] ?? '', /Give "practice", a number such as/);
    assert.deepEqual(
      refused.map((message) => message === undefined),
      [false, false, true, true],
    );
    assert.deepEqual(limits(), firstLimits);
  });

  it('sets and removes the daily budget', async () => {
    await command('configure', { pick: calls }, '12', { pick: minutes }, '7,5', { pick: undefined });
    assert.deepEqual(limits(), { numbers: ['practice'], callsPerDay: 12, secondsPerDay: 450 });
    await command('configure', { pick: calls }, '', { pick: minutes }, { type: undefined }, { pick: undefined });
    assert.deepEqual(limits(), { numbers: ['practice'], secondsPerDay: 450 });
  });

  it('turns them off with their key, and on again with the earlier limits', async () => {
    await command(
      'configure',
      { pick: numbers },
      { pick: '$(add) Allow a number…' },
      '+12025550101',
      { pick: off },
      { pick: turnOff },
      { pick: undefined },
    );
    assert.deepEqual([agents.at.enabled, agents.ring.live, agents.secrets.held.size], [false, [], 0]);
    assert.match(dialogs.shown.at(-1) ?? '', /Agents can't use Dialtree \| Turn on to give agents/);
    await command('configure', { pick: "$(circle-slash) Agents can't use Dialtree" }, { pick: undefined });
    assert.deepEqual(
      [agents.at.enabled, agents.ring.live.length, limits()?.numbers],
      [true, 1, ['practice', '+12025550101']],
    );
  });

  it('offers to revoke the keys of other clients too when agents are turned off', async () => {
    for (const [others, choice] of [
      [1, turnOff],
      [0, 'Turn off, and revoke the keys of other clients too'],
    ] as const) {
      agents.at.enabled = true;
      await agents.access.endpoint();
      await command(
        'copyConfig',
        { pick: 'Cursor' },
        { pick: 'With a new key' },
        { pickSome: 'offered' },
        { press: undefined },
      );
      // These aren't for agents: without limits, or with a name that the person chose.
      await agents.ring.owner.call('createApiKey', { name: 'CI, 2026-03-01', scopes: ['testing:read'] });
      await agents.key.create('mine');
      await command('configure', { pick: off }, { pick: choice }, { pick: undefined });
      assert.match(dialogs.shown.at(-2) ?? '', /clients too \| Cursor, 2026-03-01 \(dt_\d{8}\)/);
      assert.equal(agents.ring.live.filter((name) => name.startsWith('Cursor')).length, others);
      assert.ok(['CI, 2026-03-01', 'mine'].every((name) => agents.ring.live.includes(name)));
    }
  });

  it('stays on by default', async () => {
    for (const choice of ['Keep agents on', undefined]) {
      await command('configure', { pick: off }, { pick: choice }, { pick: undefined });
      assert.match(dialogs.shown[1] ?? '', /\n {2}Keep agents on\n/);
      assert.deepEqual([agents.at.enabled, agents.ring.live.length], [true, 1]);
    }
  });

  it('keeps what an agent was allowed while the dialog was open', async () => {
    const { access, key } = agents;
    await access.endpoint();
    await key.changeLimits((limits) => ({ ...limits, numbers: ['practice', '+12025550101', '+12025550102'] }));
    const shown = new FakeDialogs({ pick: numbers }, { pick: '$(close) +12025550101' }, { pick: undefined });
    const pick = shown.pick.bind(shown);
    shown.pick = async (...question) => {
      const chosen = await pick(...question);
      if (shown.shown.length === 2)
        await key.changeLimits((limits) => ({ ...limits, numbers: [...(limits.numbers ?? []), '+12025550103'] }));
      return chosen;
    };
    await commandIn(shown, 'configure');
    assert.deepEqual(limits()?.numbers, ['practice', '+12025550102', '+12025550103']);
  });

  it('opens the guide', async () => {
    await command('configure', { pick: '$(book) How agents use Dialtree' });
    assert.deepEqual(ran, [['dialtree.guide.open', { slug: 'agents' }]]);
  });

  describe('in another client', () => {
    const copied = (): unknown => JSON.parse(dialogs.copied[0] ?? '');

    it('makes a separate key, limited like those of agents, and copies it with the command that starts the service', async () => {
      await agents.access.endpoint();
      await agents.key.changeLimits(() => ({ numbers: ['practice'], callsPerDay: 5 }));
      await command(
        'copyConfig',
        { pick: 'Claude Code' },
        { pick: 'With a new key' },
        { pickSome: 'offered' },
        { press: undefined },
      );
      const [made] = agents.ring.keys;
      assert.deepEqual(
        [made?.name, made?.limits, made?.scopes, agents.ring.keys.length],
        [
          'Claude Code, 2026-03-01',
          { numbers: ['practice'], callsPerDay: 5 },
          ['mapping:read', 'testing:read', 'workspace:read'],
          2,
        ],
      );
      assert.deepEqual(copied(), {
        mcpServers: {
          dialtree: {
            type: 'stdio',
            command: 'node',
            args: ['cli.js', 'mcp', '--data', '/data'],
            env: { ELECTRON_RUN_AS_NODE: '1', DIALTREE_API_KEY: made?.secret },
          },
        },
      });
      assert.match(
        dialogs.shown.at(-1) ?? '',
        /with the key dt_00000002\. Dialtree won't show the key again\. The command starts the service if necessary/,
      );
      assert.ok(!dialogs.shown.join().includes(made?.secret ?? ''), 'the key is shown nowhere');
    });

    it('omits the key on request', async () => {
      agents.at.settings = { mode: 'remote', url: 'https://dialtree.example.com/v1' };
      await command('copyConfig', { pick: 'Cursor' }, { pick: 'Without a key' }, { press: 'Copy Again' });
      assert.deepEqual(copied(), {
        mcpServers: {
          dialtree: {
            url: 'https://dialtree.example.com/mcp',
            headers: { 'x-api-key': 'KEY', 'x-dialtree-marked-text-only': 'true' },
          },
        },
      });
      assert.equal(dialogs.copied.length, 2);
      assert.match(dialogs.shown.at(-1) ?? '', /Replace KEY with an API key\. \[Copy Again\]$/);
      assert.equal(agents.ring.keys.length, 1, 'that of the editor alone');
    });

    it("writes each client's configuration format", async () => {
      for (const [client, member] of [
        ['VS Code', 'servers'],
        ['Another client', 'mcpServers'],
      ] as const) {
        await command('copyConfig', { pick: client }, { pick: 'Without a key' }, { press: undefined });
        assert.deepEqual(Object.keys(copied() as object), [member]);
      }
    });

    it('stays hidden if agents are turned off', async () => {
      agents.at.enabled = false;
      await assert.rejects(command('copyConfig', { pick: 'Cursor' }), { code: 'agents_off' });
    });
  });
});
