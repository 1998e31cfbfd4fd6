import { limits } from '../../contract/limits.ts';
import { defaultPassThreshold, type StepAction, type TestStep } from '../../contract/testConfigs.ts';
import type { RunResults, Turn } from '../../contract/testRuns.ts';
import { masked } from '../secrets/secretMask.ts';
import type { TestTarget } from './callTestText.ts';
import { promptExcerpt } from './promptExcerpt.ts';

/** What was said and pressed on a call. */
type DoneCall = Pick<RunResults, 'transcript' | 'hangUp'>;

interface Deed {
  action: Extract<StepAction, { type: 'dial' | 'press' | 'say' }>;
  readonly isSecret: boolean;
  endMs: number | undefined;
  readonly heard: Turn[];
}

/** A comma among keys pauses for this long. */
const pauseMs = 500;
/** As many as a step can press. */
const mostKeys = 64;

/**
 * Returns the steps of a test that repeats a call: what was pressed and said, and the words that were heard after each.
 * Keys without words in between are one step.
 *
 * @param secrets the keys and words that the transcript masks, in order. Those that are missing become the column `{secret}`.
 */
export function testFromCall(call: DoneCall, secrets: readonly string[]): TestStep[] {
  const deeds = deedsOf(call, secrets);
  const by = call.hangUp?.by;
  const theirEnd = call.hangUp?.transferTo === undefined ? 'hangup' : 'transfer-ringback';
  return [
    ...deeds.map((deed, index): TestStep => {
      const expected = expectedOf(deed, deeds[index + 1]);
      return {
        name: nameOf(deed),
        passThreshold: defaultPassThreshold,
        action: deed.action,
        ...(expected !== undefined && { expectedTranscript: expected }),
        ...(deed.isSecret && { secret: true }),
        ...(by === 'them' && index === deeds.length - 1 && { expectedEnd: theirEnd }),
      };
    }),
    ...(by === 'us' ? [{ name: 'End', passThreshold: defaultPassThreshold, action: { type: 'hangUp' as const } }] : []),
  ];
}

/** Returns a mission to the same target. The user replaces the goal; the criterion is what the call ended with. */
export function missionText(name: string, call: DoneCall, target: TestTarget): string {
  const last = deedsOf(call, []).findLast((deed) => expectedOf(deed, undefined) !== undefined);
  const words = last && expectedOf(last, undefined);
  const file = {
    name,
    ...target,
    mission:
      'You are a customer. Replace this sentence with what you want to find out or do, and with what the system can ask you for. Then hang up.',
    acceptance:
      words === undefined
        ? 'Replace this sentence with what must happen for the call to pass.'
        : `The system says “${words}”`,
  };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

function deedsOf({ transcript = [] }: DoneCall, secrets: readonly string[]): [Deed, ...Deed[]] {
  const hidden = [...secrets];
  const deeds: [Deed, ...Deed[]] = [{ action: { type: 'dial' }, isSecret: false, endMs: undefined, heard: [] }];
  for (const turn of transcript) {
    const last = deeds.at(-1) ?? deeds[0];
    if (turn.beforeAnswer === true) continue;
    if (turn.speaker === 'them') {
      last.heard.push(turn);
      continue;
    }
    const shown = /^\[keys (.*)\]$/.exec(turn.text)?.[1];
    const isSecret = (shown ?? turn.text) === masked;
    const text = isSecret ? (hidden.shift() ?? '{secret}') : (shown ?? turn.text);
    const keys = shown === undefined ? undefined : text;
    const joined = keys !== undefined && isSecret === last.isSecret ? joinedKeys(last, keys, turn) : undefined;
    if (joined !== undefined) Object.assign(last, { action: { type: 'press', keys: joined }, endMs: turn.endMs });
    else
      deeds.push({
        action: keys === undefined ? { type: 'say', text } : { type: 'press', keys },
        isSecret,
        endMs: turn.endMs,
        heard: [],
      });
  }
  return deeds;
}

/** Returns the keys of a step together with those that follow in silence; undefined if they are another step. */
function joinedKeys({ action, heard, endMs }: Deed, keys: string, { startMs }: Turn): string | undefined {
  if (action.type !== 'press' || heard.length > 0) return undefined;
  const pauses = Math.floor(Math.max(0, (startMs ?? 0) - (endMs ?? Infinity)) / pauseMs);
  const joined = action.keys + ','.repeat(Math.min(pauses, mostKeys)) + keys;
  return joined.length <= mostKeys ? joined : undefined;
}

/**
 * Secrets that were read back can be any words. The last sentence is kept unless the caller interrupted it. How often a
 * prompt begins again depends on how long the caller waited, so it is expected once.
 */
function expectedOf({ heard }: Deed, next: Deed | undefined): string | undefined {
  const openings = heard.map(({ text }) => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, 3).join(' '));
  const again = openings.findIndex((opening, index) => index > 0 && opening.includes(' ') && opening === openings[0]);
  const words = (again < 0 ? heard : heard.slice(0, again)).map(({ text }) => text).join(' ');
  return promptExcerpt(words, next && { goesOnBy: '' })?.replaceAll(masked, '*');
}

/** Keys are named with the beginning of the prompt that they lead to. Secret keys could be read back in it. */
function nameOf({ action, isSecret, heard: [prompt] }: Deed): string {
  if (action.type === 'dial') return 'Greeting';
  if (isSecret) return action.type === 'say' ? 'Secret words' : 'Secret keys';
  if (action.type === 'say') return `Say “${action.text.slice(0, 150)}”`;
  const way = action.keys.length === 1 ? `Key ${action.keys}` : `Keys ${action.keys}`;
  const [sentence = ''] = prompt?.text.split(/(?<=[.?!])\s/) ?? [];
  return (sentence === '' ? way : `${way}: ${sentence}`).slice(0, limits.name.max);
}
