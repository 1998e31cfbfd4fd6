import { sentence, type Sentences } from '../../../base/sentences.ts';
import { sentencesOfEnd } from '../../../model/calls/sentencesOfEnd.ts';
import type { HeardCall } from '../heardCall.ts';
import { sentencesIn, slackMs, type Find, type Part } from '../part.ts';
import { seenInSentence, seenInTurn, somewhere, type Seen, type Sightings } from '../sightings.ts';

/** Figures of a call, measured from its audio and signalling. */

/** The last words of a part, or of the call. */
const lastIn = (call: HeardCall, part: Part): Seen[] => {
  const last = sentencesIn(call, part).at(-1) ?? call.sentences.at(-1);
  return [last ? seenInSentence(last) : somewhere];
};
const endMsOf = ({ end, lastedMs = 0 }: HeardCall): number => end?.atMs ?? lastedMs;
const seconds = (ms: number): string => (ms / 1000).toFixed(1);
const unknown = (missing: Sentences, context: readonly Seen[] = []): Sightings => ({
  sure: [],
  context,
  complete: false,
  placed: true,
  shown: missing,
  missing,
});
const decided = (isMet: boolean, why: Sentences, seen: readonly Seen[]): Sightings => ({
  sure: isMet ? seen : [],
  denied: isMet ? [] : seen,
  complete: true,
  placed: true,
  shown: why,
  missing: why,
});

export const findHangUp: Find<'hangsUp'> = ({ within }, call, part) => {
  const { end } = call;
  if (!end && call.lastedMs === undefined) return unknown(sentence`How this call ended isn't known.`);
  const atMs = endMsOf(call);
  const last = lastIn(call, part);
  const observed = sentence`The call was observed for ${seconds(atMs - part.fromMs)} s.`;
  if (end && end.by === 'them')
    return within === undefined
      ? decided(atMs >= part.fromMs, sentencesOfEnd(end), last)
      : decided(
          atMs < part.toMs,
          sentence`The other side ended the call after ${seconds(atMs - part.fromMs)} s. Up to ${within} s are allowed.`,
          last,
        );
  if (within === undefined || atMs < part.toMs)
    return end?.by === 'us' && within === undefined
      ? decided(false, sentencesOfEnd(end), last)
      : unknown(observed, last);
  return decided(false, sentence`The other side didn't end the call within ${within} s.`, last);
};

export const findStaysOn: Find<'staysOn'> = ({ within }, call, part) => {
  const { end } = call;
  if (!end && call.lastedMs === undefined) return unknown(sentence`How this call ended isn't known.`);
  const atMs = endMsOf(call);
  const last = lastIn(call, part);
  if (end && end.by !== 'us' && atMs < part.toMs) return decided(false, sentencesOfEnd(end), last);
  if (within !== undefined && atMs < part.toMs)
    return unknown(sentence`The call was observed for ${seconds(atMs - part.fromMs)} s of ${within} s.`, last);
  return decided(true, sentence`The call didn't end.`, last);
};

export const findAnswered: Find<'answersWithin'> = ({ seconds: most }, { postDialMs }) =>
  postDialMs === undefined
    ? unknown(sentence`The time until the answer isn't known.`)
    : decided(
        postDialMs <= most * 1000,
        sentence`The answer came after ${seconds(postDialMs)} s. Up to ${most} s are allowed.`,
        [somewhere],
      );

export const findPrompt: Find<'promptWithin'> = ({ seconds: most }, call, part) => {
  const { speaksAt, onsetAfter, lastedMs = 0, end } = call;
  const { fromMs } = part;
  const [first] = sentencesIn(call, part);
  const seen = [first ? seenInSentence(first) : somewhere];
  if (speaksAt?.(fromMs) === true) return decided(true, sentence`The other side was already speaking.`, seen);
  // Without its audio, the words show when it speaks.
  const onset = onsetAfter ? onsetAfter(fromMs - slackMs) : first?.turn.startMs;
  if (onset === undefined)
    return first
      ? unknown(sentence`The transcript has no times.`, seen)
      : end?.by !== 'them' && lastedMs < fromMs + most * 1000
        ? unknown(sentence`The call was observed for ${seconds(Math.max(0, lastedMs - fromMs))} s of ${most} s.`)
        : decided(false, sentence`There was no answer.`, seen);
  const after = Math.max(0, onset - fromMs);
  return decided(
    after <= most * 1000,
    sentence`The answer began after ${seconds(after)} s. Up to ${most} s are allowed.`,
    seen,
  );
};

/** The longest time without words of either side. Holding music counts as silence, so only words end one. */
export const findSilence: Find<'silenceAtMost'> = ({ seconds: most }, call, part) => {
  const turns = call.turns.filter(
    ({ startMs, endMs }) => startMs !== undefined && endMs !== undefined && endMs >= part.fromMs && startMs < part.toMs,
  );
  let [worst, before] = [0, part.fromMs];
  let seen: readonly Seen[] = [somewhere];
  for (const turn of turns) {
    const gap = (turn.startMs ?? 0) - before;
    if (gap > worst) [worst, seen] = [gap, [seenInTurn({ turn, index: call.turns.indexOf(turn) })]];
    before = Math.max(before, turn.endMs ?? 0);
  }
  worst = Math.max(worst, Math.min(call.lastedMs ?? 0, part.toMs) - before);
  return turns.length === 0
    ? unknown(sentence`The transcript has no times.`)
    : decided(
        worst <= most * 1000,
        sentence`The longest silence was ${seconds(worst)} s. Up to ${most} s are allowed.`,
        seen,
      );
};

/** Speech that ends this soon after a key was stopped by it. */
const stopsWithinMs = 1000;
export const findStopped: Find<'stopsOnKey'> = (_check, { turns, speaksAt }, part) => {
  if (!speaksAt) return unknown(sentence`The times of this call's audio aren't known.`);
  const keys = turns.flatMap((turn, index) => {
    const { speaker, text, startMs } = turn;
    const isKey = speaker === 'us' && text.startsWith('[keys');
    return isKey && startMs !== undefined && startMs >= part.fromMs && startMs < part.toMs && speaksAt(startMs)
      ? [{ seen: seenInTurn({ turn, index }), atMs: startMs }]
      : [];
  });
  const runsOn = keys.filter(({ atMs }) => speaksAt(atMs + stopsWithinMs));
  return {
    sure: runsOn.length === 0 ? keys.map(({ seen }) => seen) : [],
    denied: runsOn.map(({ seen }) => seen),
    complete: false,
    shown: sentence`The prompt stopped at the key.`,
    missing:
      runsOn.length > 0 ? sentence`The prompt didn't stop at the key.` : sentence`No key was pressed during a prompt.`,
  };
};
