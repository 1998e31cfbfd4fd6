import type { IvrState } from '../../src/contract/ivrFile.ts';
import type { Prompt } from '../../src/contract/ivrPrompt.ts';

interface Chance {
  readonly has: (share: number) => boolean;
  readonly pick: <Item>(items: readonly Item[]) => Item;
}

interface Habits {
  readonly start: string;
  readonly traits: readonly string[];
}

export const chanceOf = (random: () => number): Chance => ({
  has: (share) => random() < share,
  pick: <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item,
});

/** Changes the states of an IVR so that it varies by try, call, caller and entry, like real ones. */
export function addHabits(states: Record<string, IvrState>, start: string, chance: Chance): Habits {
  const { has, pick } = chance;
  const traits: string[] = [];
  const trait = (share: number, name: string): boolean => {
    const given = has(share);
    if (given) traits.push(name);
    return given;
  };
  const known = Object.values(states);
  const menus = known.filter(({ keys }) => keys !== undefined);
  const [main] = menus;

  if (trait(0.3, 'extensions') && main) {
    main.keys = { ...main.keys, '4XXX': 'no-extension', 4072: 'extension' };
    states['no-extension'] = { prompt: 'That extension is not valid.', next: start };
    states['extension'] = { prompt: 'Dana Okafor is not available.', end: 'voicemail' };
  }
  if (trait(0.4, 'zero refused'))
    for (const menu of menus)
      if (!menu.keys?.['0']) menu.onKey = { 0: { prompt: 'Zero is not available in this menu.' } };
  if (trait(0.3, 'stay on the line')) {
    states['waiting'] = { prompt: 'Please wait for the next agent.', end: 'hold-music' };
    for (const menu of menus) {
      if (menu !== main && has(0.5)) continue;
      delete menu.onTimeout;
      menu.stay = 'waiting';
      if (has(0.7)) menu.prompt = joined(menu.prompt, 'Or stay on the line for an agent.');
    }
  }
  if (trait(0.4, 'phases'))
    for (const state of known) {
      if (state.end === 'hold-music') state.then = { afterMs: pick([20_000, 45_000]), next: 'person' };
      if (state.end === 'transfer-ringback') state.then = { afterMs: 20_000, next: 'mailbox' };
    }
  states['person'] = { prompt: '', end: 'human' };
  states['mailbox'] = { prompt: 'Nobody answers. To leave a message, press 1.', keys: { 1: 'message' } };
  states['message'] = { prompt: '', end: 'voicemail' };
  if (trait(0.3, 'known entries'))
    for (const state of known) {
      const { collect } = state;
      if (collect)
        state.branches = [{ entered: ['1', '2'].map((digit) => digit.repeat(collect.max)), next: 'account' }];
    }
  states['account'] = { prompt: 'Thank you. I am connecting you.', end: 'human' };

  if (trait(0.3, 'other order each call'))
    for (const menu of menus) menu.prompt = { byCall: [menu.prompt, reversed(menu.prompt)] };
  if (trait(0.4, 'shorter retry'))
    for (const menu of menus) {
      const { maxTries = 3 } = menu;
      if (maxTries > 1) menu.prompt = { byTry: [menu.prompt, withoutFirst(menu.prompt)] };
      if (maxTries > 2 && menu.onInvalid)
        menu.onInvalid.prompt = { byTry: ['Sorry.', 'Sorry. You have one more try.'] };
    }
  if (trait(0.4, 'news by call') && main)
    main.prompt = joined(
      {
        say: { byCall: ['Ask us about our spring rates.', 'The wait is about two minutes.', ''] },
        bargeIn: has(0.5),
      },
      main.prompt,
    );
  const gated = has(0.5) ? addGate(states, start, chance) : undefined;
  return { start: gated?.start ?? start, traits: [...traits, ...(gated?.traits ?? [])] };
}

/** A language gate, a notice without barge-in and sometimes a promotion, in any order, and then the IVR. */
function addGate(states: Record<string, IvrState>, start: string, { has, pick }: Chance): Habits {
  const orders = [
    ['language', 'notice'],
    ['notice', 'language'],
    ['language', 'notice', 'promotion'],
    ['language', 'promotion', 'notice'],
    ['notice', 'language', 'promotion'],
    ['notice', 'promotion', 'language'],
    ['promotion', 'language', 'notice'],
    ['promotion', 'notice', 'language'],
  ];
  const order = pick(orders);
  const waiting = pick(['continues', 'repeats', 'ends']);
  order.forEach((kind, index) => {
    const following = order[index + 1];
    const next = following === undefined ? start : `first-${following}`;
    const name = `first-${kind}`;
    if (kind === 'notice')
      states[name] = {
        prompt: 'This call may be monitored or recorded.',
        next,
        pauseMs: pick([0, 300]),
        bargeIn: false,
      };
    else if (kind === 'promotion')
      states[name] = { prompt: 'Save time and visit us on our website.', next, pauseMs: 300, bargeIn: has(0.5) };
    else
      states[name] = {
        prompt: 'For English, press 1. Para continuar en español, oprima el dos.',
        keys: { 1: next, 2: 'in-spanish' },
        timeoutMs: pick([1500, 2500, 4000]),
        ...(waiting === 'continues' ? { stay: next } : { maxTries: waiting === 'ends' ? 1 : 3 }),
        ...(waiting === 'repeats' && { onExhausted: next }),
      };
  });
  states['in-spanish'] = { prompt: 'Gracias por llamar. Espere por favor.', end: 'hold-music' };
  return { start: `first-${order[0] ?? ''}`, traits: [`${order.join(', ')}, menu`, `waiting at the gate ${waiting}`] };
}

const joined = (...prompts: Prompt[]): Prompt =>
  prompts.flatMap((prompt) => (Array.isArray(prompt) ? prompt : [prompt]));

const sentences = (text: string): string[] => text.split(/(?<=[.?!]) /);
const isOption = (sentence: string): boolean => /\b(?:press|dial|choose)\b/i.test(sentence);

function reversed(prompt: Prompt): Prompt {
  if (typeof prompt !== 'string') return prompt;
  const all = sentences(prompt);
  return [...all.filter((one) => !isOption(one)), ...all.filter(isOption).reverse()].join(' ');
}

/** Returns the options of a prompt without the words before them. */
function withoutFirst(prompt: Prompt): Prompt {
  if (Array.isArray(prompt)) return prompt.map(withoutFirst);
  if (typeof prompt !== 'string') return prompt;
  return sentences(prompt).filter(isOption).join(' ') || prompt;
}
