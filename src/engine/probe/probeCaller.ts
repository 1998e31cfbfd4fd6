import { failure, join, sentence, type Sentences } from '../../base/sentences.ts';
import { pattern } from '../../base/rows.ts';
import type { ProbeQuestion, ProbeStep } from '../../contract/probe.ts';
import { announcesTransfer, personHeard, saidBy } from '../../language/heard/callEnds.ts';
import { matchesAny } from '../../language/checks/rows/said.ts';
import { seenInSentence } from '../../language/checks/sightings.ts';
import type { StepOnCall } from '../../language/checks/heardCall.ts';
import type { Evidence } from '../../language/heard/quotes.ts';
import { readMenu } from '../../language/menu/readMenu.ts';
import { similarity } from '../../model/heard/similarity.ts';
import { samplesPerMs } from '../call/callAudio.ts';
import { whyNotSent } from '../call/door.ts';
import { deadAirReason } from '../hearing/deadAir.ts';
import { listen } from '../hearing/listen.ts';
import { patience } from '../hearing/patience.ts';
import { hearTurn } from '../hearing/turn.ts';
import type { HeardTurn, Silence } from '../hearing/turn.ts';
import type { OpenCall, TestCall } from '../call/testCall.ts';
import { chooseOption, TriedOptions, yesOrNo } from './chooseOption.ts';
import type { ReachStep, Refuses, Way } from './chooseOption.ts';

/** The number of prompts to hear before something is asked for. */
const maxPrompts = 4;
/** How often to repeat an answer that the called side didn't accept, because it can mishear a spoken one. */
const maxAnswers = 3;
/** Above this similarity, a request is the one that was already answered. */
const sameRequest = 0.8;
/** Consecutive prompts that lead nowhere. */
const maxMisses = 2;
/** What the probe states is sent as it is. */
const stated = { fits: true, chosenBy: 'person' } as const;
const nothingFits = sentence`No offered option leads there.`;
const withheld = sentence`The option that leads there may do something irreversible that this probe doesn't ask for, or may not be harmless, so it wasn't chosen on a live number.`;
const queued = pattern`
  \b(?:
    please hold|stay on the line|hold the line|all (?:of )?our|next available|in the queue
    |your call is important
  )\b
`;
const waiting = /\b(?:please wait|one moment|just a moment)\b/;

/** A step of one call. */
export type CallStep = Exclude<ProbeStep, { do: 'call' }>;
type Reached = Pick<StepOnCall, 'reached' | 'reason' | 'undecided' | 'found' | 'choices'> &
  Partial<Pick<StepOnCall, 'actionMs' | 'actedMs'>>;
/** A search: remaining menus, consecutive prompts that lead nowhere, and whether the caller was put on hold. */
interface Search {
  readonly choices: number;
  readonly misses: number;
  readonly held: boolean;
}
type AnswerStep = Extract<ProbeStep, { do: 'answer' }>;

/** Carries out a probe's steps on an answered call, by rules. */
export class ProbeCaller {
  readonly #test: TestCall;
  readonly #call: OpenCall;
  readonly #maxMs: number;
  readonly #isDecided: () => boolean;
  readonly #deadAirMs: number;
  #cursorMs = 0;
  /** The part of the last prompt to which the caller hasn't responded. */
  #prompt = '';
  #action = { startMs: 0, endMs: 0 };
  /** Where the text ended that was last responded to. */
  #readMs = 0;
  /** A matching option was refused in this step. */
  #withheld = false;

  /** `isDecided`: nothing that follows can change the result. */
  constructor(test: TestCall, call: OpenCall, maxSeconds: number, isDecided: () => boolean) {
    this.#test = test;
    this.#call = call;
    this.#maxMs = maxSeconds * 1000;
    this.#isDecided = isDecided;
    this.#deadAirMs = test.patienceMs ?? patience.deadAir.conversation;
  }

  /** Rejects if the run is cancelled or its seconds are used up. */
  async do(step: CallStep): Promise<StepOnCall> {
    const startMs = this.#call.call.now();
    this.#action = { startMs, endMs: startMs };
    this.#withheld = false;
    if (this.#call.log.ended)
      return {
        startMs,
        actionMs: startMs,
        actedMs: startMs,
        reached: false,
        undecided: true,
        reason: this.#whyEnded(),
      };
    const reached = await this.#carryOut(step);
    return { startMs, actionMs: this.#action.startMs, actedMs: this.#action.endMs, ...reached };
  }

  async #carryOut(step: CallStep): Promise<Reached> {
    switch (step.do) {
      case 'listen':
        return this.#listen(step);
      case 'greet':
        return this.#greet(step.text);
      case 'say':
        return this.#actAndHear(
          {
            ...stated,
            say: step.secretDigits === undefined ? step.text : `${step.text} ${spelled(step.secretDigits)}`,
          },
          step.secretDigits !== undefined,
        );
      case 'press':
        return this.#actAndHear({ ...stated, press: step.keys });
      case 'reach':
        return this.#reach(step);
      case 'answer':
        return this.#answer(step);
    }
  }

  /** Listens while the step lasts or until all is decided, and lets a speaker finish. */
  async #listen({ seconds, until }: Extract<ProbeStep, { do: 'listen' }>): Promise<Reached> {
    const untilMs = Math.min(this.#call.call.now() + seconds * 1000, this.#maxMs);
    if (until === 'speech') return this.#awaitSpeech(untilMs);
    if (until === 'promptEnd') {
      const heard = await this.#hear(untilMs);
      return 'text' in heard ? { reached: true } : { reached: false, reason: this.#whySilent(heard.silence) };
    }
    const atMostMs = Math.min(this.#maxMs, untilMs + patience.hearOut);
    let read = '';
    const heard = await listen(this.#call, this.#cursorMs, (so) => {
      const isFinished = !so.spoke || so.isQuiet(patience.prompt.turn);
      if (so.hasEnded || so.isPast(atMostMs) || (so.isPast(untilMs) && isFinished)) return so;
      if (!isFinished || so.text === read) return undefined;
      read = so.text;
      return this.#isDecided() && so;
    });
    this.#heard({ text: heard.text, endMs: heard.endMs });
    return { reached: true };
  }

  /** The action ends with its last sound, from which seconds are counted, not with the silence that a voice adds. */
  async #greet(text: string): Promise<Reached> {
    if (!(await this.#act({ ...stated, say: text }, false)))
      return { reached: false, undecided: true, reason: this.#whyEnded() };
    const said = this.#call.call.spoken().at(-1);
    const { startMs, endMs } = this.#action;
    if (said) this.#action = { startMs, endMs: Math.min(endMs, said.startMs + lastSoundMs(said.pcm)) };
    return { reached: true };
  }

  /** The caller may speak before the called side has said hello. */
  async #awaitSpeech(untilMs: number): Promise<Reached> {
    const { call, log } = this.#call;
    const seconds = Math.round((untilMs - call.now()) / 1000);
    const over = await listen(
      this.#call,
      0,
      (heard) => log.onsetAfter(0) ?? (heard.hasEnded ? 'ended' : heard.isPast(untilMs) && 'silent'),
    );
    if (typeof over === 'number') {
      this.#action = { startMs: over, endMs: over };
      return { reached: true };
    }
    const reason = over === 'ended' ? this.#whyEnded() : sentence`The other side said nothing for ${seconds} s.`;
    return { reached: false, undecided: true, reason };
  }

  async #actAndHear(way: Way, secret = false): Promise<Reached> {
    if (!(await this.#act(way, secret))) return { reached: false, reason: this.#whyEnded() };
    await this.#hear();
    return { reached: true };
  }

  async #answer({ when, give }: AnswerStep): Promise<Reached> {
    for (let prompts = 0; prompts < maxPrompts; prompts += 1) {
      const request = this.#requestIn(when);
      if (request !== undefined) return this.#giveUntilTaken(when, give, request);
      const heard = await this.#hear();
      if (!('text' in heard))
        return { reached: false, reason: join(sentence`It wasn't asked for.`, this.#whySilent(heard.silence)) };
    }
    return { reached: false, reason: sentence`It wasn't asked for.` };
  }

  /** If the same is requested again, it is answered again. What is said in between counts as said after the first. */
  async #giveUntilTaken(when: ProbeQuestion, give: AnswerStep['give'], request: string): Promise<Reached> {
    let first: { readonly startMs: number; readonly endMs: number } | undefined;
    for (let answers = 0; answers < maxAnswers; answers += 1) {
      const [way, secret] = this.#answerTo(when, give, request);
      if (!way) return { reached: false, undecided: true, reason: withheld };
      const { reached, reason } = await this.#actAndHear(way, secret);
      if (!reached) return { reached, reason };
      first ??= this.#action;
      const again = this.#requestIn(when);
      if (again === undefined || similarity(request, again).score < sameRequest)
        return { reached: true, actionMs: first.startMs, actedMs: first.endMs };
    }
    return {
      reached: false,
      undecided: true,
      reason: sentence`The answer wasn't accepted: the other side asked for it again ${maxAnswers} times.`,
      ...this.#lastHeard(),
    };
  }

  /** Returns the words with which the last prompt asks for it. */
  #requestIn({ asks, says = [] }: ProbeQuestion): string | undefined {
    const prompt = this.#prompt;
    const sentences = sentencesOf(prompt);
    const said = sentences.find((one) => matchesAny(says, one));
    if (said !== undefined) return said;
    const input = prompt === '' ? null : readMenu(prompt).input;
    return input !== null && asks?.includes(input.type) === true
      ? (sentences.find((one) => readMenu(one).input !== null) ?? prompt)
      : undefined;
  }

  async #reach(step: ReachStep): Promise<Reached> {
    const { call, log } = this.#call;
    const untilMs = Math.min(call.now() + step.maxSeconds * 1000, this.#maxMs);
    const tried = new TriedOptions();
    let choices = 0,
      misses = 0,
      held = false;
    let silence: Silence | undefined;
    for (;;) {
      const found = this.#arrived(step.until);
      if (found) return { reached: true, found, choices };
      if (silence) return this.#reachInSilence(step.until, silence, { choices, misses, held });
      if (this.#prompt === '') {
        const heard = await this.#hear(untilMs, () => held || (log.onHold && step.until !== 'help'));
        if ('silence' in heard) silence = heard.silence;
        continue;
      }
      const prompt = this.#prompt;
      const way = chooseOption(
        prompt,
        step,
        new Set([...tried.at(prompt), ...this.#test.forbiddenKeys]),
        this.#refuses,
      );
      const hold = holdIn(prompt);
      if (hold) {
        if (hold === 'through' && (step.until === 'help' || (step.until === 'option' && choices > 0)))
          return { reached: true, choices, ...this.#lastHeard() };
        held = true;
        this.#prompt = '';
        continue;
      }
      if (!way) {
        misses += 1;
        if (misses >= maxMisses) return { reached: false, choices, ...this.#nothingFits(), ...this.#lastHeard() };
        this.#prompt = '';
        continue;
      }
      if (choices >= step.maxSteps) {
        const reason = sentence`It wasn't reached after ${choices} steps.`;
        return { reached: false, choices, reason, ...this.#lastHeard() };
      }
      tried.add(prompt, way);
      choices += 1;
      if (step.until === 'option' && way.fits) return { ...(await this.#takeOption(way, untilMs)), choices };
      await this.#act(way, false);
    }
  }

  /** Decides what it means for the search that no other prompt follows. */
  #reachInSilence(until: ReachStep['until'], silence: Silence, { choices, misses, held }: Search): Reached {
    const last = { choices, ...this.#lastHeard() };
    if (until === 'help' && choices > 0 && this.#call.log.onHold) return { reached: true, ...last };
    if (misses > 0 && silence !== 'unread') return { reached: false, ...this.#nothingFits(), ...last };
    const undecided = choices === 0 || silence === 'unread' || (held && silence === 'late');
    return { reached: false, undecided, reason: this.#whySilent(silence), ...last };
  }

  /** The searched option is reached when something is said after it was chosen. */
  async #takeOption(way: Way, untilMs: number): Promise<Reached> {
    const { call, log } = this.#call;
    const actedAt = call.now();
    await this.#act(way, false);
    const heard = await this.#hear(untilMs);
    if ('text' in heard) return { reached: true, ...this.#lastHeard() };
    const reason = this.#whySilent(heard.silence);
    return { reached: false, reason, ...(log.spokeSince(actedAt) && this.#lastHeard()) };
  }

  /** Options that Dialtree refuses say nothing about the called side. */
  #nothingFits(): Pick<Reached, 'reason' | 'undecided'> {
    return this.#withheld ? { undecided: true, reason: withheld } : { reason: nothingFits };
  }

  /** Returns true if an option may do more than the step asks for. Speech that isn't text yet can change that. */
  readonly #refuses: Refuses = (way, chosenBy) => {
    const refused = this.#call.door.whyNot(way, chosenBy);
    this.#withheld ||= refused !== undefined && refused.because !== 'forbidden';
    return refused !== undefined;
  };

  /** Returns the answer, and whether it is secret. One that the probe states may do what the request says. */
  #answerTo(
    { says = [] }: ProbeQuestion,
    give: AnswerStep['give'],
    request: string,
  ): [way: Way | undefined, secret: boolean] {
    if (typeof give !== 'string') {
      const { digits, by, secret } = give;
      return [
        by === 'keys' ? { ...stated, press: digits + terminatorOf(this.#prompt) } : { ...stated, say: spelled(digits) },
        secret,
      ];
    }
    const asked = says.flatMap((pattern) => request.match(new RegExp(pattern, 'gu')) ?? []);
    return [yesOrNo(this.#prompt, give, asked, this.#refuses), false];
  }

  #arrived(until: ReachStep['until']): Evidence | undefined {
    const { log } = this.#call;
    if (until === 'option') return undefined;
    if (until === 'human' || until === 'help') {
      const person = personHeard(log.turns);
      return person.kind === 'person' ? seenInSentence(person.said).evidence : undefined;
    }
    if (this.#requestIn(until) === undefined) return undefined;
    const wanted = saidBy(log.turns).findLast(
      ({ lower }) =>
        matchesAny(until.says ?? [], lower) || (until.asks !== undefined && readMenu(lower).input !== null),
    );
    return wanted ? seenInSentence(wanted).evidence : this.#lastHeard().found;
  }

  #lastHeard(): { readonly found?: Evidence } {
    const last = saidBy(this.#call.log.turns).at(-1);
    return last ? { found: seenInSentence(last).evidence } : {};
  }

  /** Returns false if the call was over before the action, or what was said since it was chosen forbids it. */
  async #act(way: Way, isSecret: boolean): Promise<boolean> {
    const { call } = this.#call;
    this.#prompt = '';
    this.#cursorMs = Math.max(this.#cursorMs, call.now());
    if (call.ended) return false;
    const sent = await this.#test.act(this.#call, way, { chosenBy: way.chosenBy, isSecret });
    if ('because' in sent && sent.because === 'forbidden') throw failure(whyNotSent(sent));
    if ('because' in sent) return false;
    this.#action = sent;
    return true;
  }

  /** Listens until the called side has finished. A waiting caller stays until `untilMs` of the call's audio. */
  async #hear(
    untilMs = Math.min(this.#maxMs, this.#call.call.now() + patience.longestPrompt),
    waits = (): boolean => false,
  ): Promise<HeardTurn> {
    const heard = await hearTurn(this.#call, {
      fromMs: this.#cursorMs,
      deadAirMs: () => (waits() ? Infinity : this.#deadAirMs),
      untilMs: () => untilMs,
      isUnread: () => this.#actedTooSoon(),
      whole: true,
    });
    if ('text' in heard) this.#heard(heard);
    return heard;
  }

  #heard({ text, endMs }: { readonly text: string; readonly endMs: number }): void {
    this.#call.door.hear();
    this.#cursorMs = this.#readMs = endMs;
    this.#prompt = text;
  }

  /** Words from before the last action became text only after it, so the action didn't respond to all of them. */
  #actedTooSoon(): boolean {
    return this.#call.log.turns.some(
      ({ speaker, startMs = 0, endMs = 0 }) =>
        speaker === 'them' && startMs < this.#action.startMs && endMs > this.#readMs + patience.text.correction,
    );
  }

  #whySilent(silence: Silence): Sentences {
    if (silence === 'ended') return this.#whyEnded();
    if (silence === 'unread') return sentence`The other side spoke, but the speech couldn't be turned into text.`;
    return silence === 'deadAir'
      ? deadAirReason(this.#call.call, this.#deadAirMs / 1000)
      : sentence`The time for this step was used up.`;
  }

  #whyEnded(): Sentences {
    return this.#test.whyEnded();
  }
}

/** Returns the key that ends an entry, even if the request itself was misheard. */
const terminatorOf = (prompt: string): string =>
  readMenu(prompt).input?.terminator ??
  (/\b(?:pound|hash) key\b/i.test(prompt) ? '#' : /\bstar key\b/i.test(prompt) ? '*' : '');
/** What a synthesiser adds after the last word is quieter. */
const minAudible = 200;
const lastSoundMs = (pcm: Int16Array): number =>
  (pcm.findLastIndex((sample) => Math.abs(sample) > minAudible) + 1) / samplesPerMs;

/** Returns what a prompt without options does: it connects the caller, or asks them to wait. */
function holdIn(prompt: string): 'through' | 'wait' | undefined {
  const { options, input } = readMenu(prompt);
  if (options.length > 0 || input !== null) return undefined;
  const lower = prompt.toLowerCase();
  if (queued.test(lower) || saidBy([{ speaker: 'them', text: prompt }]).some(announcesTransfer)) return 'through';
  return waiting.test(lower) ? 'wait' : undefined;
}

const spelled = (digits: string): string => [...digits].join(' ');
const sentencesOf = (text: string): string[] => saidBy([{ speaker: 'them', text }]).map(({ lower }) => lower);
