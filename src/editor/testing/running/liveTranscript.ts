import type { RunResults } from '../../../contract/testRuns.ts';
import { clockTime, stepBlocks, type StepBlock } from '../../../model/report/runBlocks.ts';
import { changesIn } from '../../../model/tests/heardInstead.ts';
import type { L10n } from '../../basics/localise.ts';
import { matchWords, testStateWord } from '../../basics/words/outcomeWords.ts';

/**
 * Formats what is new at each reading of a run, as lines for a terminal: turns with their times, steps as they end, and
 * the end of the call.
 */
export class LiveTranscript {
  readonly #l10n: L10n;
  readonly #turns = new Set<string>();
  #steps = 0;
  #ended = false;

  constructor(l10n: L10n) {
    this.#l10n = l10n;
  }

  /** Lines end in CR LF. Empty if nothing is new. */
  next(results: RunResults): string {
    const { transcript = [], status } = results;
    const over = status === 'completed';
    // Only the end of the run shows whether a step that broke off was cancelled.
    const all = stepBlocks(results);
    const broken = over ? -1 : all.findIndex(({ outcome }) => outcome === 'ERROR');
    const steps = broken < 0 ? all : all.slice(0, broken);
    // Words that became text late are inserted before the caller's later actions, so these wait for something later.
    const heardMs = transcript.findLast(({ speaker }) => speaker === 'them')?.startMs ?? 0;
    const knownMs = Math.max(heardMs, steps.at(-1)?.endMs ?? 0);
    const newTurns = transcript.filter(({ speaker, text, startMs }) => {
      if (!over && speaker === 'us' && startMs !== undefined && startMs > knownMs) return false;
      const turn = `${speaker} ${String(startMs ?? text)}`;
      return !this.#turns.has(turn) && this.#turns.add(turn);
    });
    const turns = newTurns.map(({ speaker, text, startMs }) => ({
      atMs: startMs,
      line: `${clockColumn(startMs)}  ${speaker === 'us' ? '→' : '←'} ${oneLine(text)}`,
    }));
    const ended = steps.slice(this.#steps).map((step) => ({ atMs: step.endMs, line: this.#stepLine(step) }));
    this.#steps = Math.max(this.#steps, steps.length);
    // A step ends after the words inside it.
    const lines = [...turns, ...ended]
      .sort((one, other) => (one.atMs ?? Infinity) - (other.atMs ?? Infinity))
      .map(({ line }) => line);
    if (over && !this.#ended) {
      this.#ended = true;
      lines.push(...this.#end(results));
    }
    return lines.map((line) => `${line}\r\n`).join('');
  }

  judged(reasoning: string): string {
    return `         ${this.#l10n.t('Judge: {0}', oneLine(reasoning))}\r\n`;
  }

  #stepLine(step: StepBlock): string {
    const { number, name, outcome, state, reason, similarity = 1, optional } = step;
    const { expectedTranscript = '', transcript = '' } = step;
    const how = matchWords(step, this.#l10n);
    const other = changesIn({ expected: similarity < 1 ? expectedTranscript : transcript, heard: transcript })
      .flatMap(({ stays, expected, heard }) => (stays ? [] : [`“${expected}” → “${heard}”`]))
      .join(', ');
    const about = outcome === 'PASS' ? other : (reason ?? '');
    const why = about === '' ? '' : `: ${oneLine(about)}`;
    const sign =
      outcome === 'PASS'
        ? '\u001B[32m✔\u001B[0m'
        : optional === true || outcome === 'INCONCLUSIVE' || state !== outcome
          ? '\u001B[33m○\u001B[0m'
          : '\u001B[31m✘\u001B[0m';
    return `         ${sign} ${String(number)} ${oneLine(name)}${how === undefined ? '' : ` ${how}`}${why}`;
  }

  #end(results: RunResults): string[] {
    const { outcome, reason, hangUp } = results;
    return [
      ...(hangUp ? [`${clockColumn(hangUp.atMs)}  ${oneLine(hangUp.sentence)}`] : []),
      ...(outcome
        ? [`         ${testStateWord(results, this.#l10n)}${reason === undefined ? '' : `: ${oneLine(reason)}`}`]
        : []),
    ];
  }
}

/** `m:ss.t` in seven characters. */
export const clockColumn = (ms: number | undefined): string => (ms === undefined ? '' : clockTime(ms)).padStart(7);

/** Heard text can contain anything, including control sequences of a terminal. */
const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ');
