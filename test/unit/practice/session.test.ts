import assert from 'node:assert/strict';
import type { IvrFile } from '../../../src/contract/ivrFile.ts';
import { ivrOf, SessionCall } from './sessionCall.ts';

const bye = { prompt: 'Goodbye.', end: 'hangup' };
const sales = { prompt: 'Sales.', end: 'busy' };
const main = { prompt: 'Welcome.', keys: { 1: 'sales', 2: 'bye' } };
const simple = (state: object = {}, rest: object = {}): IvrFile =>
  ivrOf({ main: { ...main, ...state }, sales, bye }, rest);

describe('a call to a practice IVR', () => {
  const calls: SessionCall[] = [];
  const dial = (ivr: IvrFile, promptMs?: number): SessionCall => {
    const call = new SessionCall(ivr, promptMs);
    calls.push(call);
    return call;
  };
  afterEach(async () => {
    for (const call of calls) call.hangUp();
    await Promise.all(calls.splice(0).map(({ run }) => run));
  });

  describe('keys during a prompt', () => {
    it('interrupt it with barge-in', async () => {
      const call = await dial(simple()).do(400, '1', 1000);
      assert.deepEqual(call.heard, ['0 says Welcome.', '400 cut', '400 says Sales.', '1400 busy']);
    });

    it('wait for its end without barge-in, and are used then', async () => {
      const call = await dial(simple({ bargeIn: false })).do(400, '2', 600);
      assert.deepEqual(call.heard, ['0 says Welcome.', '1000 says Goodbye.']);
    });

    it('follow the menu if it differs from the file', async () => {
      const call = await dial(simple({ bargeIn: true }, { bargeIn: false })).do(100, '1');
      assert.deepEqual(call.heard, ['0 says Welcome.', '100 cut', '100 says Sales.']);
    });

    it('have no effect without a buffer if there is no barge-in', async () => {
      const call = await dial(simple({ bargeIn: false, timeoutMs: 500 }, { digitBufferMs: 0 })).do(900, '1', 100);
      assert.deepEqual(call.states, ['main']);
      await call.do('1');
      assert.deepEqual(call.states, ['main', 'sales']);
    });

    it('still interrupt it without a buffer if there is barge-in', async () => {
      const call = await dial(simple({}, { digitBufferMs: 0 })).do(500, '1');
      assert.deepEqual(call.heard, ['0 says Welcome.', '500 cut', '500 says Sales.']);
    });

    it('expire if the prompt outlasts the buffer', async () => {
      const call = await dial(simple({ bargeIn: false, timeoutMs: 200 }), 5000).do(1500, '1', 3500);
      assert.deepEqual(call.states, ['main'], 'pressed 3.5 s before the menu listened');
      const other = await dial(simple({ bargeIn: false }), 5000).do(2500, '1', 2500);
      assert.deepEqual(other.states, ['main', 'sales'], 'pressed 2.5 s before');
    });

    it('can be pressed ahead for several menus', async () => {
      const call = await dial(
        ivrOf({
          main: { prompt: 'Welcome.', keys: { 1: 'second' } },
          second: { prompt: 'Second.', keys: { 2: 'third' } },
          third: { prompt: 'Third.', keys: { 3: 'bye' } },
          bye,
        }),
      ).do(300);
      await call.press('123', 200);
      assert.deepEqual(call.states, ['main', 'second', 'third', 'bye']);
    });

    it('have no effect once the path has ended', async () => {
      const call = await dial(simple()).do('1', 500, '2', 2000);
      assert.deepEqual(call.heard, ['0 says Welcome.', '0 cut', '0 says Sales.', '1000 busy']);
    });
  });

  describe('no key, or a wrong one', () => {
    it('repeats the prompt three times after 4 s each, then hangs up, by default', async () => {
      const call = await dial(simple()).do(16_000);
      assert.deepEqual(call.heard, ['0 says Welcome.', '5000 says Welcome.', '10000 says Welcome.', '15000 hangs up']);
      await call.run;
      assert.deepEqual(call.events.at(-1), { type: 'ended', state: 'main', detail: 'hangup' });
    });

    it("doesn't time out while the caller speaks", async () => {
      const call = await dial(simple({ speech: { 'the sales department': 'sales' } })).do(3000);
      await call.speak();
      await call.do(9000);
      await call.say('the sales department');
      assert.deepEqual(call.states, ['main', 'sales']);
    });

    it("times out if a caller's speech is never recognised", async () => {
      const call = await dial(simple()).do(3000);
      await call.speak();
      await call.do(16_000);
      assert.deepEqual(call.heard, ['0 says Welcome.', '18000 says Welcome.']);
    });

    it('plays the prompt of onTimeout, and goes to its target', async () => {
      const call = await dial(
        simple({ timeoutMs: 1000, onTimeout: { prompt: 'I did not hear you.', next: 'sales' } }),
      ).do(4000);
      assert.deepEqual(call.heard, [
        '0 says Welcome.',
        '2000 says I did not hear you.',
        '3000 says Sales.',
        '4000 busy',
      ]);
    });

    it('stays if onTimeout names no state', async () => {
      const call = await dial(simple({ timeoutMs: 1000, onTimeout: { prompt: 'I did not hear you.' } })).do(3500);
      assert.deepEqual(call.heard, ['0 says Welcome.', '2000 says I did not hear you.', '3000 says Welcome.']);
    });

    it('plays the prompt of onInvalid, and counts timeouts and wrong keys together', async () => {
      const call = await dial(
        simple({
          timeoutMs: 1000,
          maxTries: 3,
          onInvalid: { prompt: 'That is not valid.', next: 'main' },
          onExhausted: 'bye',
        }),
      ).do('7', 1000);
      assert.deepEqual(call.heard, ['0 says Welcome.', '0 cut', '0 says That is not valid.', '1000 says Welcome.']);
      await call.do(2000);
      assert.deepEqual(call.heard.slice(4), ['3000 says Welcome.']);
      await call.do('8', 1100);
      assert.deepEqual(call.heard.slice(5), ['3000 cut', '3000 says Goodbye.', '4000 hangs up']);
      assert.deepEqual(
        call.events.filter(({ type }) => type === 'invalid' || type === 'timeout').map(({ type }) => type),
        ['invalid', 'timeout', 'invalid'],
      );
    });

    it('allows one try if maxTries is 1', async () => {
      const call = await dial(simple({ timeoutMs: 1000, maxTries: 1, onTimeout: { prompt: 'never said' } })).do(2100);
      assert.deepEqual(call.heard, ['0 says Welcome.', '2000 hangs up']);
    });

    it('restarts the count after a menu was left and entered again', async () => {
      const call = await dial(
        ivrOf({ main: { prompt: 'Welcome.', keys: { 9: 'main', 1: 'bye' }, timeoutMs: 1000, maxTries: 2 }, bye }),
      ).do(2000, '9', 2000);
      assert.deepEqual(call.heard, [
        '0 says Welcome.',
        '2000 says Welcome.',
        '2000 cut',
        '2000 says Welcome.',
        '4000 says Welcome.',
      ]);
    });
  });

  describe('an entry', () => {
    const entry = (collect: object, rest: object = {}): IvrFile =>
      ivrOf({
        main: {
          prompt: 'Enter your number.',
          collect: { max: 4, next: 'right', ...collect },
          onInvalid: { prompt: 'Not valid.' },
        },
        right: { prompt: 'Thank you.', next: 'menu', pauseMs: 500 },
        menu: { prompt: 'Menu.', keys: { 1: 'bye' } },
        ...rest,
        bye,
      });

    it('ends with its last digit', async () => {
      const call = dial(entry({ min: 4 }));
      await call.press('1234', 100);
      assert.deepEqual(call.states, ['main', 'right']);
      assert.equal(call.heard[1], '0 cut');
    });

    it('ends with its terminator, or three seconds after the last digit', async () => {
      const ended = dial(entry({ terminator: '#' }));
      await ended.press('12#', 100);
      assert.deepEqual(ended.states, ['main', 'right']);
      const late = await dial(entry({})).do('12', 2900);
      assert.deepEqual(late.states, ['main']);
      await late.do(200);
      assert.deepEqual(late.states, ['main', 'right']);
    });

    it("doesn't treat the terminator after its last digit as a key for the next state", async () => {
      for (const gapMs of [0, 200]) {
        const call = dial(entry({ min: 4, terminator: '#' }));
        await call.press('1234#', gapMs);
        await call.do(2000);
        assert.ok(
          call.heard.some((line) => line.endsWith('Menu.')),
          `digits ${String(gapMs)} ms apart`,
        );
        assert.deepEqual(
          call.events.filter(({ type }) => type === 'invalid'),
          [],
        );
        assert.equal(call.heard.filter((line) => line.endsWith('cut')).length, 1, "only the entry's prompt is cut");
      }
    });

    it('treats the terminator as a key again long after the entry', async () => {
      const call = await dial(
        ivrOf({
          main: { prompt: 'Enter.', collect: { max: 1, terminator: '#', next: 'menu' } },
          menu: { prompt: 'Menu.', keys: { '#': 'bye' } },
          bye,
        }),
      ).do('1', 2000, '#');
      assert.deepEqual(call.states, ['main', 'menu', 'bye']);
    });

    it('rejects what is too short or not accepted', async () => {
      const short = await dial(entry({ min: 3, terminator: '#' })).do('12#');
      assert.deepEqual(short.heard.slice(2), ['0 says Not valid.']);
      const wrong = await dial(entry({ min: 4, accept: ['1234'], onReject: 'bye' })).do('4321');
      assert.deepEqual(wrong.states, ['main', 'bye']);
      const right = await dial(entry({ min: 4, accept: ['1234'], onReject: 'bye' })).do('1234');
      assert.deepEqual(right.states, ['main', 'right']);
    });

    it('accepts an empty entry if min is 0', async () => {
      const call = await dial(entry({ min: 0, terminator: '#' })).do('#');
      assert.deepEqual(call.states, ['main', 'right']);
    });

    it('hangs up after three rejections without onReject', async () => {
      const call = dial(entry({ min: 4, accept: ['1234'] }));
      for (let count = 0; count < 3; count += 1) {
        await call.do('9999', 1200);
      }
      assert.ok(call.over);
      assert.match(call.heard.at(-1) ?? '', /hangs up$/);
    });

    it('counts silence as a timeout', async () => {
      const call = await dial(
        ivrOf({ main: { prompt: 'Enter.', collect: { max: 4, next: 'bye' }, timeoutMs: 1000, maxTries: 1 }, bye }),
      ).do(2100);
      assert.deepEqual(call.heard, ['0 says Enter.', '2000 hangs up']);
    });

    it('accepts spoken digits as a recogniser writes them', async () => {
      const call = dial(entry({ min: 4 }));
      await call.say('1 2 3 4');
      await call.do(100);
      assert.deepEqual(call.states, ['main', 'right']);
    });
  });

  describe('a speaking-only state', () => {
    const message = (state: object = {}, rest: object = {}): IvrFile =>
      ivrOf(
        { main: { prompt: 'News.', next: 'menu', ...state }, menu: { prompt: 'Menu.', keys: { 1: 'bye' } }, bye },
        rest,
      );

    it('continues after its pause', async () => {
      const call = await dial(message({ pauseMs: 600 })).do(1700);
      assert.deepEqual(call.heard, ['0 says News.', '1600 says Menu.']);
    });

    it('continues immediately without a pause', async () => {
      const call = await dial(message()).do(1100);
      assert.deepEqual(call.heard, ['0 says News.', '1000 says Menu.']);
    });

    it('keeps a key pressed ahead for the next menu, whose prompt is then skipped', async () => {
      const call = await dial(message({ pauseMs: 600 })).do(500, '1', 700);
      assert.deepEqual(call.heard, ['0 says News.', '500 cut', '1100 says Goodbye.']);
    });

    it('loses such a key without a buffer', async () => {
      for (const at of [500, 1500]) {
        const call = dial(message({ pauseMs: 600 }, { digitBufferMs: 0 }));
        await call.pass(at);
        await call.do('1');
        await call.pass(1700 - at);
        assert.deepEqual(call.states, ['main', 'menu'], `pressed at ${String(at)} ms`);
        assert.match(call.heard.at(-1) ?? '', /says Menu\.$/);
      }
    });
  });

  describe('the ends', () => {
    const ends: [string, string[]][] = [
      ['hangup', ['1000 hangs up']],
      ['transfer-ringback', ['1000 ringback']],
      ['hold-music', ['1000 music']],
      ['busy', ['1000 busy']],
      ['fax', ['1000 fax']],
      ['dead-air', []],
      ['human', ['1000 says Hello, this is Sam speaking. How can I help you?']],
      ['voicemail', ['1000 says Please leave a message after the tone.', '2000 beep']],
    ];
    for (const [end, expected] of ends) {
      it(`${end}: the caller hears ${expected.join(', ') || 'nothing more'}`, async () => {
        const call = await dial(ivrOf({ main: { prompt: 'Last words.', end } })).do(5000);
        assert.deepEqual(call.heard, ['0 says Last words.', ...expected]);
        assert.deepEqual(call.events.at(-1), { type: 'ended', state: 'main', detail: end });
        assert.equal(call.over, end === 'hangup');
      });
    }
  });

  describe('a prompt', () => {
    const says = (call: SessionCall): string[] => call.heard.filter((line) => / (?:says|cut)/.test(line));

    it('can differ at each try, and the last one repeats', async () => {
      const prompt = { byTry: ['For sales, press 1.', 'Press 1.'] };
      const onTimeout = { prompt: { byTry: ['Pardon?', 'One more try.'] } };
      const call = await dial(simple({ prompt, onTimeout, timeoutMs: 1000 })).do(20_000);
      assert.deepEqual(says(call), [
        '0 says For sales, press 1.',
        '2000 says Pardon?',
        '3000 says Press 1.',
        '5000 says One more try.',
        '6000 says Press 1.',
      ]);
    });

    it('can change from call to call, in turn', async () => {
      const ivr = simple({ prompt: [{ byCall: ['Summer sale.', 'The wait is two minutes.', ''] }, 'Press 1.'] });
      const firsts = [];
      for (const callsBefore of [0, 1, 2, 3]) {
        const call = new SessionCall(ivr, 1000, { callsBefore });
        calls.push(call);
        await call.do(10);
        firsts.push(call.heard[0]);
      }
      assert.deepEqual(firsts, [
        '0 says Summer sale.',
        '0 says The wait is two minutes.',
        '0 says Press 1.',
        '0 says Summer sale.',
      ]);
    });

    it('plays parts without barge-in to their end, and skips those with barge-in that a key cuts', async () => {
      const ivr = simple({ prompt: [{ say: 'Notice.', bargeIn: false }, 'Press 1.', 'Press 2.'] });
      const early = await dial(ivr).do(400, '1', 700);
      assert.deepEqual(says(early), ['0 says Notice.', '1000 says Sales.']);
      const late = await dial(ivr).do(1400, '2', 100);
      assert.deepEqual(says(late), ['0 says Notice.', '1000 says Press 1.', '1400 cut', '1400 says Goodbye.']);
    });

    it('keeps a part with barge-in in a menu without', async () => {
      const ivr = simple({ bargeIn: false, prompt: ['Notice.', { say: 'Press 1.', bargeIn: true }] });
      const call = await dial(ivr).do(1400, '1', 100);
      assert.deepEqual(says(call), ['0 says Notice.', '1000 says Press 1.', '1400 cut', '1400 says Sales.']);
    });
  });

  describe('several keys in a row', () => {
    const keys = { 1: 'sales', 10: 'bye', 4072: 'dana', '4XXX': 'nobody' };
    const onKey = { 0: { prompt: "0 isn't available here." }, '5XX': { prompt: 'No such extension.', next: 'nobody' } };
    const named = ivrOf({
      main: { ...main, keys, onKey, onInvalid: { prompt: 'Not valid.' } },
      sales,
      bye,
      dana: { prompt: 'Dana.', end: 'busy' },
      nobody: { prompt: 'Nobody.', end: 'busy' },
    });

    for (const [pressed, expected] of [
      ['10', 'bye'],
      ['4072', 'dana'],
      ['4073', 'nobody'],
    ] as const)
      it(`form one option, also while the prompt plays: ${pressed}`, async () => {
        const call = await dial(named).do(300);
        await call.press(pressed, 200);
        assert.deepEqual(call.states, ['main', expected]);
      });

    it('end early if none follows within three seconds', async () => {
      const call = await dial(named).do('1', 2900);
      assert.deepEqual(call.states, ['main']);
      await call.do(200);
      assert.deepEqual(call.states, ['main', 'sales']);
    });

    it('count as one invalid input if no option fits them', async () => {
      const call = await dial(named).do('15', 100);
      assert.deepEqual(call.heard.slice(1), ['0 cut', '0 says Not valid.']);
      const half = await dial(named).do('40', 3100);
      assert.deepEqual(half.heard.at(-1), '3000 says Not valid.');
    });

    it('play their own announcement or lead to their own target if they are wrong', async () => {
      const call = await dial(named).do('0', 1100);
      assert.deepEqual(call.heard.slice(1), ['0 cut', "0 says 0 isn't available here.", '1000 says Welcome.']);
      const other = await dial(named).do('512', 1100);
      assert.deepEqual(other.heard.slice(2, 4), ['0 says No such extension.', '1000 says Nobody.']);
    });

    it('end with a phrase', async () => {
      const call = await dial(
        ivrOf({ ...named.states, main: { ...named.states['main'], speech: { sales: 'dana' } } }),
      ).do('1');
      await call.say('sales');
      assert.deepEqual(call.states, ['main', 'sales']);
    });
  });

  describe('branches', () => {
    const entry = ivrOf({
      main: {
        prompt: 'PIN?',
        collect: { min: 4, max: 4, next: 'unknown' },
        branches: [
          { entered: ['1111'], callers: ['+1202*'], next: 'known' },
          { entered: ['1111', '2222'], next: 'accepted' },
          { entered: ['3333'], next: 'declined' },
        ],
      },
      ...Object.fromEntries(['known', 'accepted', 'declined', 'unknown'].map((name) => [name, sales])),
    });
    const welcome = ivrOf({
      main: { prompt: 'Hi.', next: 'bye', branches: [{ callers: ['+12025550101', 'Anonymous'], next: 'sales' }] },
      sales,
      bye,
    });
    const from = (ivr: IvrFile, caller: string): SessionCall => {
      const call = new SessionCall(ivr, 1000, { caller });
      calls.push(call);
      return call;
    };

    for (const [caller, pressed, state] of [
      ['+12025550199', '1111', 'known'],
      ['+13035550199', '1111', 'accepted'],
      ['', '2222', 'accepted'],
      ['+12025550199', '3333', 'declined'],
      ['', '9999', 'unknown'],
    ] as const)
      it(`lead ${caller || 'a caller'} who enters ${pressed} to the state ${state}`, async () =>
        assert.deepEqual((await from(entry, caller).do(pressed, 100)).states, ['main', state]));

    it('depend on the caller ID after an announcement', async () => {
      for (const [caller, state] of [
        ['+12025550101', 'sales'],
        ['+120255501019', 'bye'],
        ['anonymous', 'sales'],
      ] as const)
        assert.deepEqual((await from(welcome, caller).do(1100)).states, ['main', state]);
    });
  });

  describe('staying on the line', () => {
    it('uses up no try, however often the caller does it', async () => {
      const ivr = ivrOf({
        main: { ...main, timeoutMs: 1000, stay: 'offer' },
        offer: { ...main, timeoutMs: 1000, stay: 'main' },
        sales,
        bye,
      });
      const call = await dial(ivr).do(9000);
      assert.deepEqual(call.states, ['main', 'offer', 'main', 'offer', 'main']);
    });

    it('counts as no entry', async () => {
      const ivr = ivrOf({ main: { prompt: 'PIN?', collect: { max: 4, next: 'bye' }, stay: 'sales' }, sales, bye });
      assert.deepEqual((await dial(ivr).do(5100)).states, ['main', 'sales']);
    });
  });

  it('continues after an end that lasts for a time, without hearing keys until then', async () => {
    const ringing = { prompt: 'One moment.', end: 'transfer-ringback', then: { afterMs: 20_000, next: 'mailbox' } };
    const mailbox = { prompt: 'Press 1 to leave a message.', keys: { 1: 'beep' } };
    const beep = { prompt: 'Dana.', end: 'voicemail', greeting: false, then: { afterMs: 5000, next: 'bye' } };
    const call = await dial(ivrOf({ main: ringing, mailbox, beep, bye })).do(19_000, '1', 3000, '1', 8000);
    assert.deepEqual(call.heard, [
      '0 says One moment.',
      '1000 ringback',
      '21000 says Press 1 to leave a message.',
      '22000 says Dana.',
      '23000 beep',
      '28000 says Goodbye.',
      '29000 hangs up',
    ]);
  });

  it('goes dead in the state with the fault, without its prompt, and hears no key', async () => {
    const call = await dial(simple({}, { faults: { deadAirState: 'sales' } })).do('1', 2000, '2', 60_000);
    assert.deepEqual(call.heard, ['0 says Welcome.', '0 cut']);
    assert.deepEqual(call.events.at(-1), { type: 'ended', state: 'sales', detail: 'dead-air' });
  });

  it('accepts a spoken phrase with recognition errors, and says so for others', async () => {
    const ivr = ivrOf({
      main: {
        prompt: 'What is it about?',
        speech: { 'lost card': 'bye', billing: 'sales' },
        onInvalid: { prompt: 'Pardon?' },
      },
      sales,
      bye,
    });
    const call = await dial(ivr).do(1100);
    await call.say('I have lost my cart.');
    await call.do(10);
    assert.deepEqual(call.states, ['main', 'bye']);
    const other = await dial(ivr).do(1100);
    await other.say('the weather');
    await other.do(10);
    assert.match(other.heard.at(-1) ?? '', /says Pardon\?$/);
  });

  it('stops when the caller hangs up, in any state', async () => {
    for (const at of [0, 500, 1500, 6500]) {
      const call = dial(simple({ onTimeout: { prompt: 'Pardon?' } }));
      await call.pass(at);
      call.hangUp();
      await call.run;
      const heard = call.heard.length;
      await call.do(20_000);
      assert.equal(call.heard.length, heard, `hung up at ${String(at)} ms`);
      assert.equal(call.clock.pending, 0, 'no timer is left');
    }
  });
});
