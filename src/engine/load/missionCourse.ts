import type { StepAction, TestStep } from '../../contract/testConfigs.ts';
import type { PastTurn } from '../../language/mission/turnDecision.ts';
import type { Deed } from '../call/door.ts';
import type { LoadScript } from './loadCaller.ts';
import type { ReferenceCall } from './reference.ts';

/** Between recognitions of the same prompt. Parts that vary shouldn't end the second reference call. */
const wordsThreshold = 0.7;
/** Sounds are the same or not, and one sentence of a long prompt can matter. */
const soundsThreshold = 0.9;
const shownWords = 6;

/** Returns what the calls of a load test carry out, so that they take the same way as this call of a mission. */
export const taskOfMission = (
  call: Pick<ReferenceCall, 'ended' | 'heard' | 'sent'>,
  turns: readonly PastTurn[],
): Pick<LoadScript, 'steps' | 'wordsThreshold'> => ({
  steps: courseOf(call, turns).map((step) => ({ ...step, passThreshold: soundsThreshold })),
  wordsThreshold,
});

/**
 * Returns the course of a mission's call as the steps of a script: what its caller heard, pressed and said. With it,
 * other calls take the same way, and are judged by what they hear on it.
 */
export function courseOf(
  { ended, heard, sent }: Pick<ReferenceCall, 'ended' | 'heard' | 'sent'>,
  turns: readonly PastTurn[],
): TestStep[] {
  // The transcript has a turn of the caller for each of its actions, in which secrets are masked.
  const shown = ended.transcript.filter(({ speaker }) => speaker === 'us');
  const steps: TestStep[] = [];
  let action: Acting = { name: 'Answer', action: { type: 'dial' } };
  let acts = 0;
  /** Words since the caller's last action that it has decided about. */
  let decidedWords = 0;
  for (const { prompt, decision } of turns) {
    steps.push(listening(action, prompt));
    const deed = decision.action === 'press' || decision.action === 'say' ? sent[acts] : undefined;
    decidedWords = deed ? 0 : decidedWords + wordsIn(prompt).length;
    action = deed ? acting(deed, shown[acts++]?.text) : { name: 'Listen', action: { type: 'expect' } };
  }
  // The call ended before the caller's next turn.
  const { endMs: actedMs = 0 } = shown.at(-1) ?? {};
  const since = heard.filter(({ endMs }) => endMs > actedMs).map(({ text }) => text);
  const rest = since.slice(decidedWords);
  const isOver = turns.at(-1)?.decision.action === 'hangUp';
  if (!isOver && (rest.length > 0 || action.action.type !== 'expect')) steps.push(listening(action, rest.join(' ')));
  if (ended.hangUp?.by !== 'them')
    return [...steps, { name: 'Hang up', action: { type: 'hangUp' }, passThreshold: wordsThreshold }];
  const last = steps.at(-1);
  return last ? [...steps.slice(0, -1), { ...last, expectedEnd: 'hangup' }] : steps;
}

type Acting = Pick<TestStep, 'name' | 'action' | 'secret'>;

function acting(deed: Deed, shown: string | undefined): Acting {
  const action: StepAction = 'press' in deed ? { type: 'press', keys: deed.press } : { type: 'say', text: deed.say };
  const isSecret = shown !== ('press' in deed ? `[keys ${deed.press}]` : deed.say);
  return isSecret
    ? { name: action.type === 'press' ? 'Press secret keys' : 'Say a secret', action, secret: true }
    : { name: action.type === 'press' ? `Press ${action.keys}` : `Say “${shortened(action.text)}”`, action };
}

const wordsIn = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

function shortened(text: string): string {
  const words = wordsIn(text);
  return words.length > shownWords ? `${words.slice(0, shownWords).join(' ')} …` : text;
}

/** In expected words, `*` stands for any words, and braces for values of a row. */
const special = /[*{}]/g;

const listening = (step: Acting, expected: string): TestStep => ({
  ...step,
  passThreshold: wordsThreshold,
  ...(expected.trim() !== '' && { expectedTranscript: expected.replaceAll(special, ' ') }),
});
