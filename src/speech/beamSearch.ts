export interface LanguageState {
  /** The text in one spelling: texts that differ only in case or punctuation are the same to the search. */
  readonly text: string;
  /** Complete words. */
  readonly words: number;
}

/** Scores a growing text, token by token. */
export interface TokenLanguage<State extends LanguageState> {
  readonly start: State;
  /** Returns the state after a token, and its weighted log probability. */
  next(state: State, token: number): { readonly state: State; readonly score: number };
  /** Returns the state with its last word complete, and the score of that word. */
  end(state: State): { readonly state: State; readonly score: number };
}

/** One step of a decoder over several texts. */
export interface TokenDecoder {
  /**
   * Returns the log probabilities after each row's text: `rows` × tokens, one row after the other.
   * @param rows the previous step's row that each text continues, and its new token
   */
  step(rows: readonly { readonly parent: number; readonly token: number }[]): Promise<Float32Array>;
}

export interface Hypothesis {
  readonly tokens: readonly number[];
  /** Natural log of the decoder's own probability. */
  readonly acoustic: number;
  /** `acoustic` plus the language score. */
  readonly score: number;
  /** The text that the decoder alone prefers at each step. */
  readonly greedy: boolean;
  readonly words: number;
}

interface Beam<State> extends Hypothesis {
  readonly state: State;
}

/** A text that continues row `parent` of the previous step with `token`. */
interface Candidate<State> {
  readonly beam: Beam<State>;
  readonly parent: number;
  readonly token: number;
}

interface BeamOptions {
  readonly width: number;
  readonly startToken: number;
  readonly endToken: number;
  readonly maxTokens: number;
  /** Awaited between steps; false ends the search early. */
  readonly breathe: () => Promise<boolean>;
}

/** A text this much worse than the best is dropped. */
const prune = 3;
/** A text that lacks words of the greedy one, or adds many, is a mistake of the beam. */
const fewerWords = { share: 0.06, words: 1 };
const moreWords = { share: 0.25, words: 3 };

/**
 * Beam search with a language model (shallow fusion). The greedy text is always among the results, because plain beams
 * prefer texts that are too short.
 * @returns hypotheses, the best first; empty if `breathe` ended the search before any text was complete
 */
export async function beamSearch<State extends LanguageState>(
  decoder: TokenDecoder,
  language: TokenLanguage<State>,
  { width, startToken, endToken, maxTokens, breathe }: BeamOptions,
): Promise<readonly Hypothesis[]> {
  const finished: Hypothesis[] = [];
  let beams: Beam<State>[] = [{ tokens: [], acoustic: 0, score: 0, greedy: true, words: 0, state: language.start }];
  let rows = [{ parent: 0, token: startToken }];
  for (let step = 0; step < maxTokens && beams.length > 0 && (await breathe()); step += 1) {
    const logits = await decoder.step(rows);
    const vocabulary = logits.length / beams.length;
    const next: Candidate<State>[] = [];
    const candidates = beams
      .flatMap((beam, parent) =>
        best(logits.subarray(parent * vocabulary, (parent + 1) * vocabulary), width + 2).map(
          ({ token, logProbability }, rank) => extend(beam, parent, token, logProbability, beam.greedy && rank === 0),
        ),
      )
      .sort((a, b) => b.beam.score - a.beam.score);
    for (const candidate of candidates) {
      const { beam, token } = candidate;
      if (token === endToken) finished.push(beam);
      else if (beam.greedy || hasRoom(next, beam)) next.push(candidate);
    }
    if (isDecided(finished, next[0]?.beam.score)) break;
    beams = next.map(({ beam }) => beam);
    rows = next.map(({ parent, token }) => ({ parent, token }));
  }
  return ranked(finished.length > 0 ? finished : beams);

  function extend(
    beam: Beam<State>,
    parent: number,
    token: number,
    logProbability: number,
    greedy: boolean,
  ): Candidate<State> {
    const acoustic = beam.acoustic + logProbability;
    const before = beam.score - beam.acoustic;
    const { state, score } = token === endToken ? language.end(beam.state) : language.next(beam.state, token);
    return {
      beam: {
        tokens: token === endToken ? beam.tokens : [...beam.tokens, token],
        acoustic,
        score: acoustic + before + score,
        greedy,
        words: state.words,
        state,
      },
      parent,
      token,
    };
  }

  function hasRoom(next: readonly { readonly beam: Beam<State> }[], beam: Beam<State>): boolean {
    const greedyPlaced = next.some((other) => other.beam.greedy) || finished.some((other) => other.greedy);
    return (
      next.length < width - (greedyPlaced ? 0 : 1) &&
      beam.score > (next[0]?.beam.score ?? -Infinity) - prune &&
      !next.some((other) => other.beam.state.text === beam.state.text)
    );
  }
}

/** Returns true if no running text can still win. */
function isDecided(finished: readonly Hypothesis[], bestRunning = -Infinity): boolean {
  return (
    finished.some(({ greedy }) => greedy) && bestRunning < Math.max(...finished.map(({ score }) => score)) - prune / 2
  );
}

function ranked(hypotheses: readonly Hypothesis[]): readonly Hypothesis[] {
  const greedy = hypotheses.find((hypothesis) => hypothesis.greedy)?.words;
  const allowed = (words: number): boolean =>
    greedy === undefined ||
    (words >= greedy - Math.max(fewerWords.words, fewerWords.share * greedy) &&
      words <= greedy + Math.max(moreWords.words, moreWords.share * greedy));
  return hypotheses.filter(({ words }) => allowed(words)).sort((a, b) => b.score - a.score);
}

/** Returns the `count` most probable tokens with their natural log probabilities, the most probable first. */
function best(logits: Float32Array, count: number): { readonly token: number; readonly logProbability: number }[] {
  const top: { token: number; logit: number }[] = [];
  let least = -Infinity;
  for (let token = 0; token < logits.length; token += 1) {
    const logit = logits[token] ?? -Infinity;
    if (logit <= least && top.length === count) continue;
    let at = top.length;
    while (at > 0 && (top[at - 1]?.logit ?? Infinity) < logit) at -= 1;
    top.splice(at, 0, { token, logit });
    if (top.length > count) top.pop();
    least = top.at(-1)?.logit ?? -Infinity;
  }
  const highest = top[0]?.logit ?? 0;
  let sum = 0;
  for (const logit of logits) sum += Math.exp(logit - highest);
  const total = highest + Math.log(sum);
  return top.map(({ token, logit }) => ({ token, logProbability: logit - total }));
}
