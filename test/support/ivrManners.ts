import { ivrFileSchema, type IvrState } from '../../src/contract/ivrFile.ts';
import { edgesOf } from '../../src/contract/ivrGraph.ts';
import { isSpoken } from '../../src/contract/ivrPrompt.ts';
import { seededRandom } from '../../src/practice/random.ts';
import { endSoundOf, tones } from '../../src/practice/sounds.ts';
import { addHabits, chanceOf } from './ivrHabits.ts';
import type { ComposedSound, StrangeIvr } from './strangeIvr.ts';

/** Adds habits of real systems, such as a language gate and prompts that change; the same for a seed. */
export function withHabits({ ivr, composed, traits }: StrangeIvr, seed: number): StrangeIvr {
  const states: Record<string, IvrState> = structuredClone(ivr.states);
  const habits = addHabits(states, ivr.start, chanceOf(seededRandom(seed * 4241 + 37)));
  return {
    ivr: ivrFileSchema.parse({ ...ivr, start: habits.start, states: reachable(habits.start, states) }),
    composed,
    traits: [...traits, ...habits.traits],
  };
}

/** Adds manners that the far sides of real calls have to a phone system; the same for a seed. */
export function withManners({ ivr, composed: before, traits: others }: StrangeIvr, seed: number): StrangeIvr {
  const random = seededRandom(seed * 6367 + 71);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const between = (least: number, most: number): number => Math.round(least + random() * (most - least));
  const traits = [...others];
  const has = (share: number): boolean => random() < share;
  const states: Record<string, IvrState> = structuredClone(ivr.states);
  const composed = new Map(before);
  const own = (name: string, sound: ComposedSound): { wav: string; text: string } => {
    composed.set(`${name}.wav`, sound);
    return { wav: `${name}.wav`, text: sound.parts.filter((part) => typeof part === 'string').join(' ') || 'A sound.' };
  };
  const eachState = (change: (state: IvrState, name: string) => void): void => {
    for (const [name, state] of Object.entries(states)) change(state, name);
  };

  if (has(0.4)) {
    traits.push('directory');
    offer(states, composed, { key: '7', line: 'To search our directory by name, press 7.', state: 'directory' });
    states['directory'] = {
      prompt: "Please enter the first three letters of your party's last name.",
      collect: { min: 3, max: 3, next: 'no-match' },
      ...(ivr.states['operator'] && { onExhausted: 'operator' }),
    };
    states['no-match'] = { prompt: 'There is no match in our directory.', next: 'main', pauseMs: 300 };
  }
  const saysGoodbye = has(0.4);
  if (saysGoodbye) {
    const afterMs = pick([3000, 6000, 10_000, 20_000]);
    traits.push(`goodbye after ${String(afterMs)}`);
    states['goodbye'] = { prompt: pick(['Goodbye.', 'Thank you for calling. Goodbye.']), end: 'hangup' };
    eachState((state) => {
      // A gate still times out into the main menu.
      if (state.keys && state.onExhausted !== 'main')
        Object.assign(state, { timeoutMs: afterMs, maxTries: 1, onExhausted: 'goodbye' });
    });
  }
  const invalid = pick(['as before', 'the same menu', 'the main menu', 'hang up'] as const);
  traits.push(`invalid key: ${invalid}`);
  if (invalid !== 'as before')
    eachState((state) => {
      if (!state.keys) return;
      state.onInvalid = {
        prompt: pick([
          'Invalid entry.',
          "I'm sorry, that is not a valid extension.",
          'Your response was not understood.',
        ]),
        ...(invalid === 'the main menu' && { next: 'main' }),
      };
      if (invalid === 'hang up' && !saysGoodbye) {
        delete state.onExhausted;
        state.maxTries = pick([2, 3]);
      }
    });
  if (has(0.7)) {
    traits.push('voicemail by name');
    eachState((state, name) => {
      if (state.end !== 'voicemail') return;
      const beep = tones([between(440, 1400)], between(200, 500));
      const greeting = pick([
        [
          'The person at extension',
          '4',
          '0',
          '7',
          '2',
          'is not available.',
          'Please leave your message after the tone.',
        ],
        ['You have reached the voice mailbox of', 'Dana Okafor.', 'At the tone, please record your message.'],
        ['Your call has been forwarded to an automatic voice message system.', 'Robin Delgado', 'is not available.'],
      ]);
      // A key cuts the greeting.
      const recorded = own(`${name}-greeting`, { parts: greeting, gapMs: between(0, 30), tight: true });
      Object.assign(states, {
        [name]: { prompt: recorded, next: `${name}-beep`, bargeIn: true },
        [`${name}-beep`]: {
          prompt: '',
          end: 'voicemail',
          greeting: false,
          sound: own(`${name}-beep`, { parts: [beep], gapMs: 0 }),
        },
      });
    });
  }
  if (has(0.7)) {
    const fades = has(0.4);
    traits.push(fades ? 'queue with music that fades in' : 'queue');
    const waltz = endSoundOf('music').subarray(0, between(6, 16) * 8000);
    const announcement = pick([
      'You are number three in the queue. Please continue to hold.',
      'Thank you for your patience. Your call will be answered in the order it was received.',
      'Did you know that you can find answers to many questions on our website?',
    ]);
    const sound = own('queue', { parts: [fades ? fadedIn(waltz, between(3, 8)) : waltz, announcement], gapMs: 200 });
    eachState((state) => {
      if (state.end === 'hold-music') state.sound = sound;
    });
  }
  if (has(0.4)) {
    const gapMs = between(0, 30);
    traits.push(`spliced with gaps of ${String(gapMs)}`);
    eachState((state, name) => {
      if (typeof state.prompt !== 'string' || state.prompt === '') return;
      // As systems do that have a recording of each phrase, number and name.
      const parts = state.prompt.split(/(?<=[,.]) | (?=\d)|(?<=\d) /);
      if (parts.length > 1) state.prompt = own(`${name}-spliced`, { parts, gapMs, tight: true });
    });
  }
  const leadMs = has(0.5) ? between(0, 40) : undefined;
  if (leadMs !== undefined) traits.push(`begins ${String(leadMs)} after the key`);
  const answer = pick([{}, { answerAfterMs: 0 }, { answerAfterMs: between(1000, 6000), earlyMedia: true }]);
  if ('answerAfterMs' in answer) traits.push(answer.answerAfterMs === 0 ? 'no ringing' : 'early media');

  return {
    ivr: ivrFileSchema.parse({ ...ivr, ...answer, leadMs, states: reachable(ivr.start, states) }),
    composed,
    traits,
  };
}

/** Offers a key at the end of the main menu. */
function offer(
  states: Record<string, IvrState>,
  composed: Map<string, ComposedSound>,
  { key, line, state }: { readonly key: string; readonly line: string; readonly state: string },
): void {
  const main = states['main'];
  if (!main || !isSpoken(main.prompt)) return;
  main.keys = { ...main.keys, [key]: state };
  if (typeof main.prompt === 'string') {
    main.prompt = `${main.prompt} ${line}`;
    return;
  }
  const { wav, text } = main.prompt;
  const sound = composed.get(wav);
  if (sound) composed.set(wav, { ...sound, parts: [...sound.parts, line] });
  main.prompt = { wav, text: `${text} ${line}` };
}

function fadedIn(pcm: Int16Array, seconds: number): Int16Array {
  const length = seconds * 8000;
  // From -40 dB, evenly in dB.
  return pcm.map((sample, at) => (at < length ? Math.round(sample * 10 ** (2 * (at / length - 1))) : sample));
}

/** Returns the states that a call can reach. */
export function reachable(start: string, states: Readonly<Record<string, IvrState>>): Record<string, IvrState> {
  const found: Record<string, IvrState> = {};
  const names = new Set([start]);
  for (const name of names) {
    const state = states[name];
    if (!state) continue;
    found[name] = state;
    for (const [, next] of edgesOf(state)) names.add(next);
  }
  return found;
}
