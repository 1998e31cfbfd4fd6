import assert from 'node:assert/strict';
import { ivrFileSchema, type IvrFile } from '../../../../src/contract/ivrFile.ts';
import { testStepSchema } from '../../../../src/contract/testConfigs.ts';
import type { CrawlOptions } from '../../../../src/engine/crawl/crawl.ts';
import type { Dialer } from '../../../../src/engine/call/activeCall.ts';
import type { CrawlNode } from '../../../../src/engine/crawl/crawlNode.ts';
import { runScript } from '../../../../src/engine/script/script.ts';
import { callEnd } from '../../../support/callEnd.ts';
import { crawlTree, mapIvr, type Crawled } from '../../../support/crawlTree.ts';
import { generateIvr } from '../../../support/generateIvr.ts';
import { simulatedDialer } from '../../../support/simulatedDialer.ts';
import { VirtualClock } from '../../../support/virtualClock.ts';

const leaf = (prompt: string) => ({ prompt: `${prompt} Goodbye.`, end: 'hangup' });
const clinic = ivrFileSchema.parse({
  name: 'Clinic',
  start: 'main',
  states: {
    main: {
      prompt:
        'Welcome to the clinic. For opening hours, press 1. To cancel an appointment, press 2. For billing, press 3. For the purple wizard, press 4. To repeat this menu, press 5.',
      keys: {
        1: 'hours',
        2: 'cancelled',
        3: 'billing',
        4: 'wizard',
        5: 'main',
        0: 'operator',
        '*': 'staff',
        '#': 'fax',
      },
    },
    hours: leaf('We are open from nine to five on every day of the week.'),
    cancelled: leaf('Your appointment is cancelled.'),
    billing: {
      prompt:
        'This is billing. For your balance, press 1. To pay your bill, press 2. For questions about a bill, press 3.',
      keys: { 1: 'balance', 2: 'paid', 3: 'questions', 0: 'operator' },
    },
    balance: leaf('Your balance is twelve dollars.'),
    paid: leaf('Your bill is paid.'),
    questions: leaf('Write a letter to us with your questions about a bill.'),
    wizard: leaf('The wizard is out.'),
    operator: leaf('The operator is at lunch.'),
    staff: leaf('This is for our staff alone.'),
    fax: leaf('This is the fax machine of the clinic.'),
  },
});

interface Mapped extends Crawled {
  readonly keys: string;
  readonly said: readonly string[];
  readonly nodes: readonly CrawlNode[];
  readonly told: (label: string) => string;
}

async function map(
  ivr: IvrFile,
  {
    config,
    ...options
  }: Partial<Omit<CrawlOptions, 'config'>> & { readonly config?: Partial<CrawlOptions['config']> } = {},
): Promise<Mapped> {
  const said: string[] = [];
  const { calls, ...crawled } = await mapIvr(ivr, {
    line: {
      onCall(call) {
        const say = call.say.bind(call);
        call.say = (text) => {
          said.push(text);
          return say(text);
        };
      },
    },
    guarded: true,
    config: { mappingMode: 'dtmf', maxDepth: 5, maxCalls: 60, ...config },
    ...options,
  });
  const nodes = [
    ...new Map(
      crawled.events.flatMap((event) => (event.type === 'node' ? [[event.node.id, event.node] as const] : [])),
    ).values(),
  ];
  return {
    ...crawled,
    said,
    nodes,
    keys: [...new Set(calls.flatMap(({ keys }) => keys))].sort().join(''),
    told: (label) => {
      const found = nodes.find((node) => node.label === label);
      return `${found?.status ?? 'not there'}: ${found?.reason ?? ''}`;
    },
  };
}

describe('crawl: a mapping with a guard for live numbers', () => {
  it('presses plainly harmless keys, and reports the rest with the reason and what would press them', async () => {
    const { told, end, nodes } = await map(clinic);
    assert.equal(end.status, 'completed');
    for (const label of ['opening hours', 'billing', 'your balance', 'questions about a bill'])
      assert.match(told(label), /^explored/, label);
    assert.match(told('repeat this menu'), /^linked/);
    assert.match(told('cancel an appointment'), /^skipped: .*may cancel or end something.*allowedLabels/);
    assert.match(told('pay your bill'), /^skipped: .*may pay or move money.*allowedLabels/);
    assert.match(told('purple wizard'), /^skipped: .*plainly harmless.*pressUnsure/);
    assert.ok(nodes.every(({ transcript = '' }) => !/cancelled|paid|wizard is out/.test(transcript)));
  });

  it('presses every key on a practice IVR', async () => {
    const { told } = await map(clinic, { guarded: false });
    for (const label of ['cancel an appointment', 'pay your bill', 'purple wizard'])
      assert.match(told(label), /^explored/, label);
  });

  it("also presses the keys that its config names, and those it didn't understand if the config allows that", async () => {
    const named = await map(clinic, { config: { allowedLabels: ['pay * bill'] } });
    assert.match(named.told('pay your bill'), /^explored/);
    assert.match(named.told('cancel an appointment'), /^skipped/);
    const unsure = await map(clinic, { config: { pressUnsure: true } });
    assert.match(unsure.told('purple wizard'), /^explored/);
    assert.match(unsure.told('pay your bill'), /^skipped/);
  });

  it('skips keys whose labels may belong to other keys, unless its config names all of them', async () => {
    const shop = ivrFileSchema.parse({
      name: 'Shop',
      start: 'main',
      states: {
        main: {
          prompt: 'To cancel your order press one or two for opening hours.',
          keys: { 1: 'cancelled', 2: 'hours' },
        },
        hours: leaf('We are open from nine to five on every day of the week.'),
        cancelled: leaf('Your order is cancelled.'),
      },
    });
    for (const config of [{}, { pressUnsure: true }, { allowedLabels: ['opening hours'] }]) {
      const { keys, nodes } = await map(shop, { config });
      assert.equal(keys, '');
      assert.deepEqual(
        nodes.filter(({ digit }) => digit !== undefined).map(({ status }) => status),
        ['skipped', 'skipped'],
      );
    }
    const spoken = structuredClone(shop);
    Object.assign(spoken.states['main'] ?? {}, {
      prompt: 'For directions, press or say one or two for opening hours.',
      speech: { one: 'hours', two: 'hours' },
    });
    assert.deepEqual((await map(spoken, { config: { mappingMode: 'voice' } })).said, []);
    const named = await map(shop, { config: { allowedLabels: ['cancel*'] } });
    assert.equal(named.keys, '12');
  });

  it('presses a choice of two digits one after the other, unless one is forbidden or acts alone', async () => {
    const shop = (prompt: string): IvrFile =>
      ivrFileSchema.parse({
        name: 'Shop',
        start: 'main',
        states: {
          main: { prompt, collect: { min: 2, max: 2, accept: ['10', '25'], next: 'chosen', onReject: 'main' } },
          chosen: leaf('We are open from nine to five on every day of the week.'),
        },
      });
    const plain = 'For opening hours, press 10. For directions, press 25.';
    const explored = async (prompt: string, forbiddenKeys = ''): Promise<(string | undefined)[]> =>
      (await map(shop(prompt), { forbiddenKeys })).nodes
        .filter(({ digit, status }) => digit !== undefined && status !== 'skipped')
        .map(({ digit }) => digit);
    assert.deepEqual(await explored(plain), ['10', '25']);
    assert.deepEqual(await explored(plain, '0'), ['25']);
    assert.deepEqual(await explored(`${plain} To cancel your order, press 1.`), ['25']);
  });

  it('skips keys that the workspace forbids, even if its config names them', async () => {
    const { told, keys } = await map(clinic, { forbiddenKeys: '2', config: { allowedLabels: ['cancel*', 'pay*'] } });
    assert.match(told('pay your bill'), /^skipped: .*forbids this key/);
    assert.ok(!keys.includes('2'), keys);
  });

  it('skips keys that no prompt offers', async () => {
    // In these shapes, a call has time for it.
    for (const seed of [2, 3, 5, 9, 11]) {
      const keysOn = async (guarded: boolean): Promise<string> =>
        (
          await map(generateIvr(seed, { hidden: true }), {
            guarded,
            config: { pressUnsure: true, maxCalls: 300, maxDepth: 12 },
          })
        ).keys;
      assert.ok((await keysOn(false)).includes('0'), `shape ${String(seed)}: it is worth a try on a practice IVR`);
      assert.ok(!(await keysOn(true)).includes('0'), `shape ${String(seed)}: it is not on a live number`);
    }
  });

  it('skips forbidden keys that no prompt offers', async () => {
    const { keys, nodes } = await map(clinic, { guarded: false, forbiddenKeys: '0*' });
    assert.deepEqual(
      [...keys].filter((key) => '0*#'.includes(key)),
      ['#'],
    );
    assert.deepEqual(
      nodes.filter(({ hidden }) => hidden).map(({ digit }) => digit),
      ['#'],
    );
  });

  it("presses no key before the prompt's end, which can still say what an option does", async () => {
    const ivr = ivrFileSchema.parse({
      name: 'Late',
      start: 'main',
      states: {
        main: {
          prompt:
            'Welcome. Press 1 for opening hours. Press 2 for your account. Cancellation of it is what this does. Press 3 for our address.',
          keys: { 1: 'hours', 2: 'gone', 3: 'address' },
        },
        hours: leaf('Nine to five.'),
        gone: leaf('It is gone.'),
        address: leaf('Main Street.'),
      },
    });
    const firstPress = async (guarded: boolean): Promise<number> => {
      const { events } = await map(ivr, { guarded });
      const options = events.findIndex((event) => event.type === 'node' && event.node.digit !== undefined);
      const menu = events.findIndex(
        (event) => event.type === 'node' && event.node.depth === 0 && event.node.status === 'explored',
      );
      return options - menu;
    };
    assert.ok((await firstPress(true)) > 0, 'no option before the menu was heard whole');
    assert.ok((await firstPress(false)) < 0, 'on a practice IVR time matters more');
  });

  it('speaks no phrase that does more than lead on, even if it names a key', async () => {
    const ivr = ivrFileSchema.parse({
      name: 'Voice',
      start: 'main',
      states: {
        main: {
          prompt: 'Welcome. You can say billing, opening hours, or cancel my card.',
          speech: { billing: 'billing', 'opening hours': 'hours', 'cancel my card': 'gone' },
        },
        billing: {
          prompt: 'Billing. For your balance, press or say one. To pay your bill, press or say two.',
          speech: { one: 'balance', two: 'paid' },
        },
        balance: leaf('Twelve dollars.'),
        paid: leaf('It is paid.'),
        hours: leaf('Nine to five.'),
        gone: leaf('It is cancelled.'),
      },
    });
    const { said, told } = await map(ivr, { config: { mappingMode: 'voice' } });
    assert.deepEqual([...new Set(said)].sort(), ['billing', 'one', 'opening hours']);
    assert.match(told('cancel my card'), /^skipped: .*may cancel/);
    assert.match(told('two'), /^skipped: .*may pay/);
    assert.ok((await map(ivr, { guarded: false, config: { mappingMode: 'voice' } })).said.includes('cancel my card'));
  });

  it('skips keys that do more according to another sentence of the prompt', async () => {
    const ivr = ivrFileSchema.parse({
      name: 'Terms',
      start: 'main',
      states: {
        main: {
          prompt:
            'For opening hours, press 1. For your balance, press 2. By pressing 2, you agree to a fee of ten dollars. For billing, press 3.',
          keys: { 1: 'hours', 2: 'balance', 3: 'billing' },
        },
        hours: leaf('We are open from nine to five on every day of the week.'),
        balance: leaf('Your balance is twelve dollars.'),
        billing: leaf('Write a letter to us with your questions about a bill.'),
      },
    });
    const { keys, told } = await map(ivr);
    assert.equal(keys, '13');
    assert.match(told('your balance'), /^skipped: .*may agree to something.*allowedLabels/);
    assert.equal((await map(ivr, { config: { allowedLabels: ['your balance'] } })).keys, '123');
  });

  it('skips keys that the prompt offers for something else, too', async () => {
    const ivr = ivrFileSchema.parse({
      name: 'Twice',
      start: 'main',
      states: {
        main: {
          prompt: 'For opening hours, press 1. For billing, press 2. To close your account, press 1.',
          keys: { 1: 'closed', 2: 'billing' },
        },
        closed: leaf('Your account is closed.'),
        billing: leaf('Write a letter to us with your questions about a bill.'),
      },
    });
    for (const config of [{}, { pressUnsure: true }, { allowedLabels: ['opening*', 'billing'], pressUnsure: true }]) {
      const { keys, told } = await map(ivr, { config });
      assert.ok(!keys.includes('1'), JSON.stringify(config));
      assert.match(told('opening hours / close your account'), /^skipped: .*may .*cancel or end something/);
    }
    const allowedLabels = ['opening hours', 'close your account', 'billing'];
    assert.equal((await map(ivr, { config: { allowedLabels } })).keys, '12');
  });

  it('presses no key at a menu whose options changed since an earlier call', async () => {
    const clinicOf = (greeting: string, billing: string, cancel: string): IvrFile =>
      ivrFileSchema.parse({
        name: 'Changing',
        start: 'main',
        states: {
          main: {
            prompt: `${greeting} For opening hours, press 1. To cancel an appointment, press ${cancel}. For billing, press ${billing}.`,
            keys: { 1: 'hours', [cancel]: 'cancelled', [billing]: 'billing' },
          },
          hours: leaf('We are open from nine to five on every day of the week.'),
          cancelled: leaf('Your appointment is cancelled.'),
          billing: leaf('Write a letter to us with your questions about a bill.'),
        },
      });
    const keysLater = async (later: IvrFile): Promise<string> => {
      const clock = new VirtualClock();
      const first = simulatedDialer({ ivr: clinicOf('Welcome to the clinic.', '3', '2'), clock });
      const others = simulatedDialer({ ivr: later, clock });
      let placed = 0;
      const dialer: Dialer = {
        dial: (...call) => {
          placed += 1;
          return (placed === 1 ? first : others).dial(...call);
        },
      };
      await clock.run(
        crawlTree({
          target: 'sip:x',
          clock,
          dialer,
          signal: new AbortController().signal,
          guarded: true,
          config: { mappingMode: 'dtmf', maxDepth: 5, maxCalls: 20, concurrency: 1 },
        }),
      );
      assert.deepEqual(
        first.calls.map(({ keys }) => keys.join('')),
        ['1'],
      );
      return others.calls.flatMap(({ keys }) => keys).join('');
    };
    assert.equal(await keysLater(clinicOf('Good evening, this is the night line.', '3', '2')), '3', 'as it was');
    assert.equal(await keysLater(clinicOf('Good evening, this is the night line.', '2', '3')), '', 'another order');
  });

  it('presses no key in an unsupported language, and plain ones in supported ones', async () => {
    const menu = (prompt: string): IvrFile =>
      ivrFileSchema.parse({
        name: 'Foreign',
        start: 'main',
        states: {
          main: { prompt, keys: { 1: 'one', 2: 'two' } },
          one: leaf('This is one.'),
          two: leaf('This is two.'),
        },
      });
    assert.equal((await map(menu('For avboka tid, press 1. For betala rakning, press 2.'))).keys, '');
    assert.equal((await map(menu('Para horarios, oprima 1. Para pagar su factura, oprima 2.'))).keys, '1');
  });

  describe('after an interruption', () => {
    const interrupted = async (): Promise<CrawlNode[]> => {
      const { nodes } = await map(clinic, { guarded: false });
      return nodes
        .filter(({ depth }) => depth <= 1)
        .map((node) => (node.depth === 0 ? { ...node } : { ...node, status: 'pending' as const }));
    };

    it('presses only harmless keys, whatever was planned before', async () => {
      const resume = await interrupted();
      assert.ok(resume.some(({ hidden }) => hidden));
      const { keys, told, nodes } = await map(clinic, { resume });
      assert.match(told('cancel an appointment'), /^skipped: .*may cancel/);
      assert.match(told('billing'), /^explored/);
      assert.ok(
        nodes
          .filter(({ hidden }) => hidden)
          .every(({ status, reason = '' }) => status === 'skipped' && reason.startsWith('No prompt offers this key')),
      );
      assert.ok(!/[0*#]/.test(keys), keys);
    });

    it('never goes through an option that must not be pressed', async () => {
      const { nodes } = await map(clinic, { guarded: false });
      const root = nodes.find(({ depth }) => depth === 0);
      const billing = nodes.find(({ label }) => label === 'billing');
      assert.ok(root && billing);
      const resume = [
        root,
        { ...billing, label: 'cancel a card' },
        ...nodes
          .filter(({ parentId }) => parentId === billing.id)
          .map((node) => ({ ...node, status: 'pending' as const })),
      ];
      assert.equal((await map(clinic, { resume })).keys, '');
      assert.ok((await map(clinic, { resume, guarded: false })).keys.includes('3'));
    });
  });
});

describe('a script on a live number', () => {
  it('presses what a person wrote, regardless of its effect', async () => {
    const clock = new VirtualClock();
    const dialer = simulatedDialer({ ivr: clinic, clock });
    const step = testStepSchema.parse({
      name: 'cancel',
      action: { type: 'press', keys: '2' },
      expectedTranscript: 'Your appointment is cancelled',
    });
    const { signal } = new AbortController();
    const { outcome } = await clock.run(
      callEnd(runScript({ target: 'sip:x', dialer, clock, signal, guarded: true, steps: [step] })),
    );
    assert.deepEqual([outcome, dialer.calls.flatMap(({ keys }) => keys)], ['PASS', ['2']]);
  });
});

describe('crawl: a menu on a live number that sounds like a known one', () => {
  it('gets no key of that menu if its announcement says that the key does something else', async () => {
    const menu = 'For opening hours, press 1. For directions, press 2. For the news, press 3.';
    const states = {
      main: { prompt: 'For the desk, press 1. For tickets, press 2.', keys: { 1: 'desk', 2: 'tickets' } },
      desk: { prompt: menu, keys: { 1: 'hours', 2: 'way', 3: 'news' } },
      tickets: { prompt: `Key 1 cancels your booking. ${menu}`, keys: { 1: 'cancelled', 2: 'way', 3: 'news' } },
      hours: leaf('We are open from nine to five on every day of the week.'),
      way: leaf('Take the second road on the left after the bridge.'),
      news: leaf('The boats leave at noon on Sundays.'),
      cancelled: leaf('Your booking is gone.'),
    };
    const { calls } = await mapIvr(ivrFileSchema.parse({ name: 'Twins', start: 'main', states }), { guarded: true });
    const pressed = calls.map(({ keys }) => keys.join(''));
    assert.ok(!pressed.some((keys) => keys.includes('21')), pressed.join());
  });
});
