import { ivrFileSchema, type IvrFile, type IvrState } from '../../src/contract/ivrFile.ts';
import type { IvrPrompt } from '../../src/contract/ivrPrompt.ts';
import type { IvrSource } from '../../src/practice/ivrSource.ts';
import { seededRandom } from '../../src/practice/random.ts';
import { soundEdges } from '../../src/speech/promptMatcher.ts';
import { reachable, withHabits, withManners } from './ivrManners.ts';

/** A recording of texts to be spoken and sounds (8 kHz), with this much silence between two of them. */
export interface ComposedSound {
  readonly parts: readonly (string | Int16Array)[];
  readonly gapMs: number;
  /** The silence around the words of each part is cut off. */
  readonly tight?: boolean;
}

export interface StrangeIvr {
  readonly ivr: IvrFile;
  /** The recordings that the file names, to be synthesised. */
  readonly composed: ReadonlyMap<string, ComposedSound>;
  readonly traits: readonly string[];
}

interface Sector {
  readonly name: string;
  readonly notice: string;
  readonly topics: readonly Topic[];
}
interface Topic {
  readonly label: string;
  readonly below?: readonly Topic[];
  readonly end?: readonly [NonNullable<IvrState['end']>, string];
  readonly entry?: readonly [prompt: string, digits: number];
  /** Spoken before the menu above is repeated. */
  readonly news?: string;
}

const sectors: readonly Sector[] = [
  {
    name: 'Brookfield Dental Group',
    notice:
      'Thank you for calling Brookfield Dental Group. If you have a medical emergency, please hang up and dial nine one one.',
    topics: [
      {
        label: 'appointments',
        below: [
          {
            label: 'book a new appointment',
            end: ['hold-music', 'Please hold while we find the next available scheduler.'],
          },
          {
            label: 'cancel an appointment',
            entry: ['Please enter your six digit appointment number, followed by the pound key.', 6],
          },
          { label: 'ask about a reminder you received', end: ['voicemail', 'Our reminder desk is closed.'] },
        ],
      },
      {
        label: 'billing and insurance',
        end: ['transfer-ringback', 'One moment, I am connecting you to our billing office.'],
      },
      {
        label: 'office hours and directions',
        news: 'We are open Monday through Friday from eight A M to five P M, at twelve Garden Street.',
      },
      {
        label: 'orthodontics',
        below: [
          { label: 'a broken bracket', end: ['human', 'I will put you through to the practice nurse.'] },
          {
            label: 'all other questions about braces',
            end: ['voicemail', 'Nobody is available in orthodontics right now.'],
          },
        ],
      },
    ],
  },
  {
    name: 'Lakeside Energy',
    notice: 'Welcome to Lakeside Energy. This call may be recorded for training and quality purposes.',
    topics: [
      {
        label: 'report a power outage',
        entry: ['Please enter the five digit zip code of the address without power.', 5],
      },
      {
        label: 'questions about your bill',
        below: [
          { label: 'hear your current balance', entry: ['Please enter your ten digit account number.', 10] },
          {
            label: 'make a payment',
            below: [
              {
                label: 'pay by bank account',
                end: ['transfer-ringback', 'You are being transferred to our payment partner.'],
              },
              {
                label: 'pay by card',
                end: ['hold-music', 'All of our payment agents are busy. Your call is important to us.'],
              },
            ],
          },
          {
            label: 'a payment extension',
            end: ['hangup', 'Payment extensions can be requested on our website. Goodbye.'],
          },
        ],
      },
      { label: 'start or stop service', end: ['human', 'Connecting you with a service representative.'] },
      {
        label: 'energy saving tips',
        news: 'Close your curtains at night, and set your thermostat to sixty eight degrees.',
      },
    ],
  },
  {
    name: 'Redwood Credit Union',
    notice:
      'Thank you for calling Redwood Credit Union. Please listen carefully, as our options have recently changed.',
    topics: [
      { label: 'checking and savings accounts', entry: ['Please enter your member number, then press pound.', 8] },
      {
        label: 'loans and mortgages',
        below: [
          { label: 'auto loans', end: ['hold-music', 'Please stay on the line for the next loan officer.'] },
          { label: 'home loans', end: ['voicemail', 'Our home loan team is in a meeting.'] },
          { label: 'current rates', news: 'Our thirty year fixed rate is six point two five percent today.' },
        ],
      },
      {
        label: 'lost or stolen cards',
        end: ['transfer-ringback', 'Please hold while we connect you to the card center.'],
      },
      {
        label: 'branch locations',
        end: ['hangup', 'Our main branch is at forty Oak Avenue. Thank you for calling. Goodbye.'],
      },
    ],
  },
  {
    name: 'Metro Parcel Service',
    notice: 'You have reached Metro Parcel Service.',
    topics: [
      { label: 'track a package', entry: ['Enter your twelve digit tracking number now.', 12] },
      {
        label: 'schedule a pickup',
        below: [
          { label: 'a pickup today', end: ['human', 'Let me get someone to help you with that.'] },
          {
            label: 'a pickup on another day',
            end: ['hangup', 'Please use our website to schedule a later pickup. Goodbye.'],
          },
        ],
      },
      {
        label: 'shipping rates and supplies',
        below: [
          { label: 'domestic rates', news: 'Domestic parcels start at seven dollars and forty cents.' },
          { label: 'international rates', end: ['busy', 'I will try the international desk.'] },
          { label: 'order boxes and labels', end: ['fax', 'Orders for supplies are taken by fax.'] },
        ],
      },
      { label: 'file a claim', end: ['voicemail', 'The claims office is closed at this time.'] },
      { label: 'speak to an agent', end: ['hold-music', 'All agents are assisting other customers.'] },
    ],
  },
  {
    name: 'Grand Plaza Hotels',
    notice: 'Thank you for choosing Grand Plaza Hotels, where every stay is special.',
    topics: [
      { label: 'make a reservation', end: ['hold-music', 'A reservations specialist will be right with you.'] },
      {
        label: 'change or cancel a reservation',
        entry: ['Please enter your confirmation number, followed by the hash key.', 7],
      },
      {
        label: 'the rewards club',
        below: [
          { label: 'check your points', entry: ['Please enter your nine digit membership number.', 9] },
          { label: 'join the club', end: ['hangup', 'You can join on our website at any time. Goodbye.'] },
          { label: 'missing points', end: ['voicemail', 'Our rewards desk is away.'] },
        ],
      },
      { label: 'events and weddings', end: ['transfer-ringback', 'Transferring you to our events team.'] },
      { label: 'directions to the hotel', news: 'We are two blocks from the central station, on Fifth Avenue.' },
    ],
  },
  {
    name: 'the City Library',
    notice: 'Welcome to the City Library. The library will be closed on Thursday for the holiday.',
    topics: [
      { label: 'renew your books', entry: ['Please enter the last four digits of your library card.', 4] },
      {
        label: 'opening hours',
        news: 'The library is open from ten to eight on weekdays, and from noon to five on weekends.',
      },
      { label: "the children's department", end: ['human', 'One moment please.'] },
      {
        label: 'meeting rooms',
        below: [
          { label: 'reserve a room', end: ['voicemail', 'The room desk is not staffed right now.'] },
          { label: 'cancel a room', end: ['dead-air', 'One moment.'] },
        ],
      },
    ],
  },
  {
    name: 'Summit Internet',
    notice:
      'Thanks for calling Summit Internet. We are aware of an outage in the northern area and are working to fix it.',
    topics: [
      {
        label: 'technical support',
        below: [
          {
            label: 'slow internet',
            below: [
              { label: 'wireless problems', end: ['hold-music', 'Please hold for a technician.'] },
              {
                label: 'problems with a cable connection',
                end: ['transfer-ringback', 'Connecting you to the network team.'],
              },
            ],
          },
          { label: 'no internet at all', end: ['human', 'I am getting a technician for you.'] },
          { label: 'email problems', end: ['hangup', 'Help with email is on our website. Goodbye.'] },
        ],
      },
      { label: 'sales', end: ['transfer-ringback', 'Connecting you to sales.'] },
      {
        label: 'billing',
        below: [
          { label: 'your balance', news: 'Your balance is forty five dollars, due on the tenth.' },
          { label: 'a question about a charge', end: ['hold-music', 'Please hold for the billing team.'] },
        ],
      },
      { label: 'move or cancel your service', entry: ['Please enter the phone number on your account.', 10] },
    ],
  },
  {
    name: 'Harvest Foods Customer Care',
    notice: 'Hello, and thank you for calling Harvest Foods Customer Care. Please note that our menu has changed.',
    topics: [
      { label: 'a question about a product', end: ['hold-music', 'Please wait for the next available agent.'] },
      { label: 'a product recall', news: 'There are no open recalls at this time.' },
      { label: 'store locations', entry: ['Please enter your five digit zip code.', 5] },
      {
        label: 'your order',
        below: [
          { label: 'where your order is', entry: ['Enter your order number followed by the pound sign.', 8] },
          { label: 'a missing item', end: ['human', 'Putting you through to our care team.'] },
          { label: 'a refund', end: ['voicemail', 'Our refund team is unavailable.'] },
        ],
      },
      { label: 'careers', end: ['hangup', 'Please visit our website to see open positions. Goodbye.'] },
    ],
  },
];

type Style = (label: string, key: string) => string;
const styles: readonly Style[] = [
  (label, key) => `For ${label}, press ${key}.`,
  (label, key) => `For ${label}, press ${key}.`,
  (label, key) => `Press ${key} for ${label}.`,
  (label, key) => `For ${label}, dial ${key}.`,
  (label, key) => `If you are calling about ${label}, press ${key}.`,
  (label, key) => `For ${label}, choose ${key}.`,
];

/** Earlier seeds are those of recorded calls, which stay as they are. */
const firstWithManners = 1000;
const firstWithHabits = 2000;

/** Builds a phone system with traits that are common in the field and awkward for a caller; the same for a seed. */
export function strangeIvr(seed: number): StrangeIvr {
  const random = seededRandom(seed * 7919 + 13);
  const chance = (share: number): boolean => random() < share;
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const sector = sectors[seed % sectors.length] as Sector;
  const traits: string[] = [];
  const trait = (share: number, name: string): boolean => {
    const has = chance(share);
    if (has) traits.push(name);
    return has;
  };
  const states: Record<string, IvrState> = {};
  const composed = new Map<string, ComposedSound>();
  const style = pick(styles);
  const pauseMs = pick([0, 0, 0, 700, 1500, 2200]);
  if (pauseMs > 0) traits.push(`pauses ${String(pauseMs)}`);
  const buffer = pick([0, 700, 3000, 3000]);
  traits.push(`buffer ${String(buffer)}`);
  const bargeIn = !trait(0.2, 'no barge-in');
  const timeoutMs = pick([2500, 4000, 4000, 6000, 8000]);
  const maxTries = pick([1, 2, 3, 3]);
  traits.push(`timeout ${String(timeoutMs)} tries ${String(maxTries)}`);
  const timeoutPrompt = trait(0.5, 'timeout prompt')
    ? pick(["Sorry, I didn't get that.", 'We did not receive a response.'])
    : undefined;
  const invalidPrompt = trait(0.7, 'invalid prompt')
    ? pick([
        'That option does not exist.',
        'That is not a valid selection. Please try again.',
        'Sorry, that is not a valid option.',
      ])
    : undefined;
  const exhausted = pick(['operator', 'operator', 'bye']);
  const announces = trait(0.3, 'announces selections');
  const goesBack = trait(0.6, 'previous menu');
  const repeats = trait(0.4, 'repeat key');

  const prompt = (name: string, sentences: readonly string[]): IvrPrompt => {
    if (pauseMs === 0) return sentences.join(' ');
    composed.set(`${name}.wav`, { parts: sentences, gapMs: pauseMs });
    return { wav: `${name}.wav`, text: sentences.join(' ') };
  };
  const menu = (name: string, lead: readonly string[], topics: readonly Topic[], above: string | undefined): void => {
    const keys: Record<string, string> = {};
    const lines: string[] = [...lead];
    topics.forEach((topic, index) => {
      const key = String(index + 1);
      const below = `${name}-${key}`;
      lines.push(style(topic.label, key));
      keys[key] = add(below, topic, name);
    });
    if (above !== undefined && goesBack) {
      lines.push('To return to the previous menu, press 9.');
      keys['9'] = above;
    }
    if (repeats) {
      lines.push('To hear these options again, press star.');
      keys['*'] = name;
    }
    if (above === undefined && trait(0.4, 'operator offered')) {
      lines.push('To speak with an operator, press 0.');
      keys['0'] = 'operator';
    } else if (above === undefined && trait(0.3, 'hidden 0')) keys['0'] = 'operator';
    states[name] = {
      prompt: prompt(name, lines),
      keys,
      timeoutMs,
      maxTries,
      ...(bargeIn ? {} : { bargeIn }),
      ...(timeoutPrompt !== undefined && { onTimeout: { prompt: timeoutPrompt, next: name } }),
      ...(invalidPrompt !== undefined && { onInvalid: { prompt: invalidPrompt, next: name } }),
      onExhausted: exhausted,
    };
  };
  const add = (name: string, topic: Topic, above: string): string => {
    const said = announces && topic.end === undefined ? `${name}-said` : name;
    if (said !== name)
      states[said] = { prompt: `You have selected ${topic.label}.`, next: name, pauseMs: 300, bargeIn: chance(0.5) };
    if (topic.below) menu(name, [], topic.below, above);
    else if (topic.entry) {
      const [text, digits] = topic.entry;
      const hash = /pound|hash/.test(text);
      states[name] = {
        prompt: text,
        collect: {
          min: digits,
          max: digits,
          ...(hash && { terminator: '#' as const }),
          next: `${name}-read`,
          onReject: above,
        },
        timeoutMs,
        maxTries,
        onExhausted: exhausted,
      };
      states[`${name}-read`] = { prompt: 'Thank you. We could not find your details.', next: above, pauseMs: 300 };
    } else if (topic.news !== undefined)
      states[name] = { prompt: topic.news, next: above, pauseMs: 500, bargeIn: chance(0.5) };
    else if (topic.end) states[name] = { prompt: topic.end[1], end: topic.end[0] };
    return said;
  };

  states['operator'] = pick<IvrState>([
    { prompt: 'Please hold for an operator.', end: 'hold-music' },
    { prompt: 'Connecting you to an operator.', end: 'human' },
    { prompt: 'Please wait while I transfer you.', end: 'transfer-ringback' },
  ]);
  states['bye'] = { prompt: 'We are sorry you are having trouble. Goodbye.', end: 'hangup' };
  const lead = trait(0.25, 'extension at any time') ? ['If you know your extension, you may dial it at any time.'] : [];
  const noticeApart = trait(0.5, 'notice apart');
  menu('main', noticeApart ? lead : [sector.notice, ...lead], sector.topics, undefined);
  let start = 'main';
  if (trait(0.3, 'gate')) {
    const language = chance(0.5);
    start = 'gate';
    states['gate'] = {
      prompt: language
        ? 'For English, press 1. Para continuar en español, oprima el dos.'
        : 'If you are a customer, press 1. If you are not yet a customer, press 2.',
      keys: { 1: 'main', 2: language ? 'spanish' : 'newcomer' },
      timeoutMs: 2500,
      maxTries: 1,
      onExhausted: 'main',
    };
    if (language) states['spanish'] = { prompt: 'Gracias por llamar. Espere por favor.', end: 'hold-music' };
    else
      states['newcomer'] = {
        prompt: 'Thank you for your interest. Please hold for our new customer team.',
        end: 'transfer-ringback',
      };
  }
  if (noticeApart) {
    const cuts = chance(0.3);
    if (!cuts) traits.push('notice goes on');
    states['notice'] = { prompt: sector.notice, next: start, pauseMs: pick([0, 300, 600]), bargeIn: cuts };
    start = 'notice';
  }
  const strange: StrangeIvr = {
    ivr: ivrFileSchema.parse({
      name: `Strange ${String(seed)}`,
      answerAfterMs: 300,
      digitBufferMs: buffer,
      voice: pick(['rms', 'rms', 'slt', 'awb']),
      start,
      states: reachable(start, states),
      faults: trait(0.3, 'bad line') ? { loss: 0.01, jitterMs: 20, noiseDb: -42, seed } : {},
    }),
    composed,
    traits,
  };
  if (seed < firstWithManners) return strange;
  const mannered = withManners(strange, seed);
  return seed < firstWithHabits ? mannered : withHabits(mannered, seed);
}

/** Returns the phone system with its recordings synthesised. */
export async function speakStrangeIvr(
  { ivr, composed }: StrangeIvr,
  speak: (text: string, voice: string) => Promise<Int16Array>,
): Promise<IvrSource> {
  const recordings = new Map<string, Int16Array>();
  for (const [wav, { parts, gapMs, tight = false }] of composed) {
    const pcms = await Promise.all(
      parts.map(async (part) => {
        const pcm = typeof part === 'string' ? await speak(part, ivr.voice ?? 'rms') : part;
        if (!tight || typeof part !== 'string') return pcm;
        const { firstMs, lastMs } = soundEdges(pcm);
        return pcm.subarray(Math.max(0, firstMs - softEdgeMs) * 8, (lastMs + softEdgeMs) * 8);
      }),
    );
    const gap = gapMs * 8;
    const sound = new Int16Array(pcms.reduce((length, pcm) => length + pcm.length + gap, -gap));
    let at = 0;
    for (const pcm of pcms) {
      sound.set(pcm, at);
      at += pcm.length + gap;
    }
    recordings.set(wav, sound);
  }
  return { ivr, file: `${ivr.name}.ivr.json`, recordings };
}

/** A soft consonant at the edge of a word is quieter than what counts as sound. */
const softEdgeMs = 20;
