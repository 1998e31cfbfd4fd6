import type * as z from 'zod';
import type { CalltreeNode } from '../../../contract/calltreeFile.ts';
import { findGraphProblems } from '../../../contract/ivrGraph.ts';
import { ivrFileSchema, type IvrState } from '../../../contract/ivrFile.ts';
import type { IvrPrompt } from '../../../contract/ivrPrompt.ts';
import { menuKeySchema } from '../../../contract/menu.ts';
import type { TreeNode } from '../../../contract/tree.ts';
import { similarity } from '../../heard/similarity.ts';
import { allPaths, pathsById, type TreePath } from '../treePaths.ts';
import { waveFormats, waveLayout } from '../../../base/riff.ts';

/** A practice IVR as written in a file: properties with a default can be left out. */
type Cassette = z.input<typeof ivrFileSchema>;

interface CassetteOptions {
  readonly name: string;
  /** E.164; only if calls to this number should reach the practice IVR. */
  readonly number?: string | undefined;
  /**
   * Returns the recording of a step's prompt, by its path from the file, or undefined if it is synthesised. `state`
   * would be a good name for it.
   */
  readonly recordingOf?: (node: CalltreeNode, state: string) => string | undefined;
}

const notExplored = {
  prompt: 'What lies behind this was not explored when this IVR was recorded. Goodbye.',
  end: 'hangup',
} as const;
/** Only a state at an end can be silent. */
const nothingHeard = 'Nothing was heard here when this IVR was recorded.';
const gaveUp = { prompt: '', end: 'hangup' } as const;
/** A short time around a prompt belongs to its first and last sounds. */
const aroundMs = 60;
/** The silence before a prompt separates it from an interrupted one. */
const leadMs = 300;
/** Between an announcement and the menu after it. */
const pauseMs = 500;
/** If this share of a menu is in the words before it, they are the menu itself. */
const heardWhole = 0.8;
/** For an entry whose length the prompt doesn't say. */
const longestEntry = 64;
const longestPrompt = 4000,
  longestPhrase = 200,
  longestName = 80;

/**
 * Returns a practice IVR that plays a mapped tree: one state per step, named by its path. A link leads to the state of
 * its menu. What couldn't be explored says so and hangs up. The file is always valid.
 */
export function cassetteOf(tree: CalltreeNode, options: CassetteOptions): Cassette {
  return new Recorder(tree, options).record();
}

/**
 * Returns the prompt of a step without the rest of the step's recording, such as ringing or music. Undefined if the
 * position of the prompt isn't known.
 */
export function promptRecording(
  { promptStartMs, promptEndMs }: Pick<TreeNode, 'promptStartMs' | 'promptEndMs'>,
  wav: Uint8Array,
): Uint8Array<ArrayBuffer> | undefined {
  return promptStartMs === undefined || promptEndMs === undefined
    ? undefined
    : wavSlice(wav, promptStartMs - aroundMs, promptEndMs + aroundMs, leadMs);
}

class Recorder {
  readonly #options: CassetteOptions;
  readonly #states: Record<string, IvrState> = {};
  readonly #names = new Map<CalltreeNode, string>();
  readonly #byId: ReadonlyMap<string, TreePath>;
  readonly #root: CalltreeNode;

  constructor(tree: CalltreeNode, options: CassetteOptions) {
    this.#options = options;
    this.#root = tree;
    const paths = allPaths(tree);
    this.#byId = pathsById(paths);
    const usedNames = new Set([unexplored, over]);
    for (const path of paths) for (const node of path.slice(-1)) this.#names.set(node, freeName(path, usedNames));
  }

  record(): Cassette {
    const { name, number } = this.#options;
    const start = this.#stateOf(this.#root);
    // If every branch leads on, a caller who presses nothing is hung up on.
    for (const problem of findGraphProblems({
      start,
      states: this.#states,
      hours: [],
      faults: { deadAirState: null },
    })) {
      const state = this.#states[String(problem.path[1])];
      if (problem.kind !== 'no-end' || !state || state.next !== undefined) continue;
      state.onExhausted = over;
      this.#states[over] = gaveUp;
    }
    const cassette: Cassette = { name, number, start, states: this.#states };
    ivrFileSchema.parse(cassette);
    return cassette;
  }

  /** Returns the state that plays this step, and creates it when it is first needed. */
  #stateOf(node: CalltreeNode): string {
    const { status = 'explored' } = node;
    if (status === 'linked') return this.#linkOf(node);
    if (status !== 'explored') return this.#unexplored();
    const name = this.#names.get(node) ?? unexplored;
    if (Object.hasOwn(this.#states, name)) return name;
    const prompt = this.#promptOf(node, name, node.transcript ?? '');
    // Created before its branches, which can lead back to it.
    const state: IvrState = (this.#states[name] = { prompt });
    Object.assign(state, this.#waysOf(node));
    if (prompt === '' && state.end === undefined) state.prompt = nothingHeard;
    return name;
  }

  #waysOf(node: CalltreeNode): Omit<IvrState, 'prompt'> {
    const { end } = node;
    // A person and a voicemail have said their greeting in the prompt.
    if (end === 'human' || end === 'voicemail') return { end, greeting: false };
    if (end === 'input') return { collect: this.#entryOf(node) };
    return end === undefined ? this.#choicesOf(node) : { end };
  }

  #entryOf({ inputRequired }: CalltreeNode): NonNullable<IvrState['collect']> {
    const digits = Math.min(longestEntry, Number(/^\d+/.exec(inputRequired?.formatHint ?? '')?.[0] ?? 0));
    return {
      min: Math.max(1, digits),
      max: digits === 0 ? longestEntry : digits,
      terminator: inputRequired?.terminator,
      next: this.#unexplored(),
    };
  }

  /** Returns the children's states by key and phrase. Options that weren't tried lead to the unexplored state. */
  #choicesOf({ children = [], options = [], phrases = [] }: CalltreeNode): Omit<IvrState, 'prompt'> {
    const keys: Record<string, string> = {};
    const speech: Record<string, string> = {};
    for (const child of children) {
      const phrase = child.spokenResponse?.slice(0, longestPhrase) ?? '';
      if (child.digit !== undefined && menuKeySchema.safeParse(child.digit).success)
        keys[child.digit] ??= this.#stateOf(child);
      else if (phrase !== '') speech[phrase] ??= this.#stateOf(child);
    }
    for (const { key } of options) if (menuKeySchema.safeParse(key).success) keys[key] ??= this.#unexplored();
    if (Object.keys(keys).length === 0)
      for (const phrase of phrases) if (phrase !== '') speech[phrase.slice(0, longestPhrase)] ??= this.#unexplored();
    const [hasKeys, hasSpeech] = [Object.keys(keys).length > 0, Object.keys(speech).length > 0];
    return hasKeys || hasSpeech ? { ...(hasKeys && { keys }), ...(hasSpeech && { speech }) } : { end: 'dead-air' };
  }

  /** Returns the menu that the link leads to, after its own announcement if there is one. */
  #linkOf(node: CalltreeNode): string {
    const target = this.#targetOf(node);
    if (!target) return this.#unexplored();
    const own = announcement(node.transcript ?? '', target.transcript ?? '');
    if (own === '') return this.#stateOf(target);
    const name = this.#names.get(node) ?? unexplored;
    // A recording that includes the menu isn't a recording of the announcement alone.
    if (!Object.hasOwn(this.#states, name)) {
      const prompt = own === node.transcript ? this.#promptOf(node, name, own) : own.slice(0, longestPrompt);
      const state: IvrState = (this.#states[name] = { prompt, pauseMs });
      state.next = this.#stateOf(target);
    }
    return name;
  }

  #targetOf(node: CalltreeNode): CalltreeNode | undefined {
    const seen = new Set([node]);
    const linked = ({ linksTo }: CalltreeNode): CalltreeNode | undefined =>
      linksTo === undefined ? undefined : this.#byId.get(linksTo)?.at(-1);
    for (let target = linked(node); target && !seen.has(target); target = linked(target)) {
      if (target.status !== 'linked' || target.linksTo === undefined) return target;
      seen.add(target);
    }
    return undefined;
  }

  #promptOf(node: CalltreeNode, name: string, transcript: string): IvrPrompt {
    const text = transcript.slice(0, longestPrompt);
    const wav = text === '' ? undefined : this.#options.recordingOf?.(node, name);
    return wav === undefined ? text : { wav, text };
  }

  #unexplored(): string {
    this.#states[unexplored] ??= notExplored;
    return unexplored;
  }
}

const unexplored = 'not-explored';
const over = 'over';

function announcement(heard: string, menu: string): string {
  const { score, window } = similarity(menu, heard);
  return menu === '' || score < heardWhole ? heard.trim() : heard.split(/\s+/).slice(0, window.start).join(' ');
}

/** Returns its path, with `star` and `pound` for the keys that a name can't contain. */
function freeName(path: TreePath, taken: Set<string>): string {
  const ways = path
    .slice(1)
    .map(({ digit, spokenResponse, label }) =>
      digit === '*' ? 'star' : digit === '#' ? 'pound' : (digit ?? spokenResponse ?? label ?? ''),
    );
  const plain =
    path.length === 1
      ? 'main'
      : ways
          .map((way) =>
            way
              .toLowerCase()
              .replaceAll(/[^a-z0-9]+/g, '-')
              .replaceAll(/^-+|-+$/g, ''),
          )
          .join('.')
          .slice(0, longestName - 5) || 'step';
  let name = plain;
  for (let number = 2; taken.has(name); number += 1) name = `${plain}_${String(number)}`;
  taken.add(name);
  return name;
}

/**
 * Returns the part of a WAV recording between two times, after this much silence, as a WAV of the same format.
 * Undefined if the bytes aren't a WAV file of 16 bit PCM, or the part is empty.
 */
export function wavSlice(
  wav: Uint8Array,
  fromMs: number,
  toMs: number,
  silenceMs = 0,
): Uint8Array<ArrayBuffer> | undefined {
  const layout = waveLayout(wav);
  if (!layout?.format || !layout.data) return undefined;
  const { code, bits, bytesPerSecond, blockAlign } = layout.format;
  if (code !== waveFormats.pcm || bits !== 16 || blockAlign === 0) return undefined;
  const { at, length } = layout.data;
  const bytesIn = (ms: number): number =>
    Math.max(0, Math.round(((ms / 1000) * bytesPerSecond) / blockAlign) * blockAlign);
  const [from, to] = [Math.min(length, bytesIn(fromMs)), Math.min(length, bytesIn(toMs))];
  return to > from ? joined(wav.subarray(0, at), bytesIn(silenceMs), wav.subarray(at + from, at + to)) : undefined;
}

/** Joins the head up to the samples, with updated lengths. */
function joined(head: Uint8Array, silence: number, samples: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(head.length + silence + samples.length);
  bytes.set(head);
  bytes.set(samples, head.length + silence);
  const view = new DataView(bytes.buffer);
  view.setUint32(4, bytes.length - 8, true);
  view.setUint32(head.length - 4, silence + samples.length, true);
  return bytes;
}
