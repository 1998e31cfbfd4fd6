import { ivrFileSchema, type IvrFile, type IvrState } from '../../src/contract/ivrFile.ts';
import { seededRandom } from '../../src/practice/random.ts';
import { addHabits, chanceOf } from './ivrHabits.ts';
import { reachable } from './ivrManners.ts';
import { listed } from './listed.ts';

/** Earlier seeds are those of tests and figures, which stay as they are. */
const firstWithHabits = 5000;

const subjects = listed(`
  billing | claims | orders | deliveries | returns | repairs | warranties | appointments | prescriptions | accounts |
  payments | loans | mortgages | savings | insurance | pensions | reservations | baggage | refunds | upgrades |
  subscriptions | technical support | internet service | television | mobile phones | outages | meter readings |
  permits | licenses | taxes | parking | recycling | libraries | schools | admissions | housing | catering | travel |
  hotels | car rental | fleet services | spare parts | invoices | contracts | training | events | tickets | donations
`);
const places = listed(`
  north south east west central harbour airport river garden station market castle forest valley summit coast
`);
const ends = ['hangup', 'transfer-ringback', 'human', 'hold-music', 'voicemail', 'busy', 'fax', 'dead-air'] as const;
const endPrompts: Record<(typeof ends)[number], string> = {
  hangup: 'is closed today. Thank you for calling. Goodbye.',
  'transfer-ringback': 'is being connected now.',
  human: 'will be with you in a moment.',
  'hold-music': 'is busy. Please stay on the line.',
  voicemail: 'cannot take your call.',
  busy: 'is not available.',
  fax: 'takes documents by fax only.',
  'dead-air': 'has a problem with this line.',
};

export interface ShapeOptions {
  readonly maxDepth?: number;
  readonly maxMenus?: number;
  /** Whether some menus can't be interrupted by a key. */
  readonly stubborn?: boolean;
  /** Whether zero leads to an agent that isn't announced. */
  readonly hidden?: boolean;
}

/**
 * Generates a random IVR, the same for the same seed: menus, links back and across, announcements, inputs, and every
 * kind of end. From seed 5000 on, with the habits of `ivrHabits.ts`.
 */
export function generateIvr(
  seed: number,
  { maxDepth = 3, maxMenus = 9, stubborn = false, hidden = false }: ShapeOptions = {},
): IvrFile {
  const random = seededRandom(seed * 7919 + 13);
  const below = (count: number): number => Math.floor(random() * count);
  const states: Record<string, unknown> = {};
  const menus: string[] = [];
  const used = new Set<string>();
  const subject = (): string => {
    for (;;) {
      const name = `${places[below(places.length)] ?? ''} ${subjects[below(subjects.length)] ?? ''}`;
      if (!used.has(name)) {
        used.add(name);
        return name;
      }
    }
  };

  const leaf = (about: string): string => {
    const name = `leaf${String(Object.keys(states).length)}`;
    const roll = random();
    if (roll < 0.12) {
      states[name] = {
        prompt: `For ${about}, please enter your ${['six', 'eight', 'ten'][below(3)] ?? 'six'} digit account number followed by the pound key.`,
        collect: { min: 6, max: 10, terminator: '#', next: 'goodbye' },
      };
      states['goodbye'] ??= { prompt: 'Thank you. Goodbye.', end: 'hangup' };
    } else {
      const end = ends[below(ends.length)] ?? 'hangup';
      states[name] = { prompt: `The ${about} desk ${endPrompts[end]}`, end };
    }
    return name;
  };

  const menu = (about: string, depth: number): string => {
    const name = `menu${String(menus.length)}`;
    menus.push(name);
    states[name] = {};
    const count = 2 + below(depth === 0 ? 4 : 3);
    const keys: Record<string, string> = {};
    const parts = [depth === 0 ? `Welcome to ${about}.` : `You have reached ${about}.`];
    for (let index = 0; index < count; index += 1) {
      const key = String(index + 1);
      const topic = subject();
      const roll = random();
      if (depth + 1 < maxDepth && menus.length < maxMenus && roll < (depth === 0 ? 0.75 : 0.4))
        keys[key] = menu(topic, depth + 1);
      else if (depth > 0 && roll > 0.93 && menus.length > 2) keys[key] = menus[below(menus.length - 1)] ?? 'menu0';
      else if (depth > 0 && roll > 0.88) {
        const notice = `notice${String(Object.keys(states).length)}`;
        states[notice] = { prompt: `Our ${topic} office has moved.`, next: 'menu0', pauseMs: 600 };
        keys[key] = notice;
      } else keys[key] = leaf(topic);
      parts.push(random() < 0.7 ? `For ${topic}, press ${key}.` : `Press ${key} for ${topic}.`);
    }
    if (random() < 0.3) {
      keys['9'] = name;
      parts.push('To repeat these options, press 9.');
    }
    if (depth > 0 && random() < 0.5) {
      keys['*'] = 'menu0';
      parts.push('To return to the main menu, press star.');
    }
    if (hidden && (depth === 0 || random() < 0.3)) keys['0'] = leaf(`${about} operator`);
    states[name] = {
      prompt: parts.join(' '),
      keys,
      onInvalid: { prompt: 'That is not a valid option.' },
      maxTries: 4,
      ...(stubborn && random() < 0.4 ? { bargeIn: false } : {}),
    };
    return name;
  };

  menu(subject(), 0);
  const plain = ivrFileSchema.parse({
    name: `Generated ${String(seed)}`,
    language: 'en-US',
    voice: 'rms',
    answerAfterMs: 200,
    digitBufferMs: [3000, 0][below(2)],
    start: 'menu0',
    states,
  });
  if (seed < firstWithHabits) return plain;
  const varied: Record<string, IvrState> = plain.states;
  const { start } = addHabits(varied, plain.start, chanceOf(random));
  return ivrFileSchema.parse({ ...plain, start, states: reachable(start, varied) });
}
