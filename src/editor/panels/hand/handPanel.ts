import { followedRun } from '../../../client/follow.ts';
import type { FromHand, HandSnapshot } from '../../../contract/handPanel.ts';
import type { StepAction, TestStep } from '../../../contract/testConfigs.ts';
import type { RunResults } from '../../../contract/testRuns.ts';
import { actionTextsOf } from '../../../model/secrets/secretSteps.ts';
import { masked } from '../../../model/secrets/secretMask.ts';
import { plainStep } from '../../../runner/guided.ts';
import type { Basics } from '../../basics/createBasics.ts';
import { shownMessage } from '../../basics/errors.ts';
import type { L10n } from '../../basics/localise.ts';
import { describeCause } from '../../basics/log/logger.ts';
import { storedWords } from '../../basics/words/handNames.ts';
import type { ServiceClient } from '../../host/serviceClient.ts';
import type { WorkspaceFeed } from '../../store/workspaceFeed.ts';
import { FollowedPage, type FollowedPageParts, type PageHandlers, type Shown } from '../webview/followedPage.ts';
import { SoundStream } from '../webview/soundStream.ts';
import type { WebviewHost } from '../webview/webviewHost.ts';
import type { HandCall } from './saveHandCall.ts';

export interface HandPanelParts extends FollowedPageParts, Pick<Basics, 'clock'> {
  readonly feed: Pick<WorkspaceFeed, 'follow'>;
  readonly client: Pick<ServiceClient, 'call' | 'sound'>;
  /** Returns the name by which the user knows a target. */
  readonly nameOf: (phoneNumber: string) => string;
  readonly openReport: (runId: string) => void;
  readonly callAgain: (target: string) => Promise<unknown>;
  readonly save: (as: Extract<FromHand, { type: 'save' }>['as'], call: HandCall) => Promise<unknown>;
}

/** The test whose steps the call carries out one by one. */
export interface HandTest {
  /** Those that the run wasn't launched with. */
  readonly steps: readonly TestStep[];
  readonly callAgain: () => unknown;
}

interface Deed {
  readonly action: StepAction;
  readonly secret: boolean;
  /** The step of the test that does it. */
  readonly step?: TestStep;
}

/** As many as a step can press. */
const mostKeys = 64;

/**
 * A call that the user makes by hand: a guided run, which gets the user's keys and words as its steps, and those of a
 * test when the user asks for the next one.
 */
export class HandPanel extends FollowedPage<'hand', RunResults> {
  readonly #runId: string;
  readonly #parts: HandPanelParts;
  readonly #sound: SoundStream;
  /** What the user did while the step before was on its way. */
  #waiting: Deed[] = [];
  #isSending = false;
  #isHangingUp = false;
  #trouble: string | undefined;
  /** When this window saw the answer. */
  #answeredAt: number | undefined;
  /** Sent secret keys and words, which the transcript masks. */
  readonly #secrets: string[] = [];
  /** The steps of the test that weren't asked for yet. */
  #rest: readonly TestStep[] = [];
  #callTestAgain: HandTest['callAgain'] | undefined;
  /** How many steps the run has, its first one included. */
  #given = 1;

  constructor(host: WebviewHost<'hand'>, runId: string, parts: HandPanelParts) {
    super(host, { id: runId, gone: parts.l10n.t('This run no longer exists.') }, parts);
    this.#runId = runId;
    this.#parts = parts;
    this.#sound = new SoundStream(runId, (message) => this.post(message), parts);
  }

  protected override readonly handlers: PageHandlers<'hand'> = {
    press: ({ key, secret }) => this.#give({ action: { type: 'press', keys: key }, secret }),
    say: (action) => this.#give({ action, secret: false }),
    hangUp: () => this.#hangUp(),
    listen: ({ on }) => this.#sound.listen(on, this.pageSignal),
    save: ({ as }) => this.lastSnapshot && this.#parts.save(as, { run: this.lastSnapshot.run, secrets: this.#secrets }),
    openReport: () => this.#parts.openReport(this.#runId),
    next: () => this.#giveNext(),
    callAgain: () =>
      this.#callTestAgain
        ? this.#callTestAgain()
        : this.lastSnapshot && this.#parts.callAgain(this.lastSnapshot.run.phoneNumber),
  };

  /** Offers the steps of this test, one after the other. */
  offer({ steps, callAgain }: HandTest): void {
    this.#rest = steps;
    this.#callTestAgain = callAgain;
    if (this.lastSnapshot) this.change({ next: this.#next(this.lastSnapshot.run) });
  }

  protected override follow(onRead: (run: RunResults) => void, signal: AbortSignal): Promise<unknown> {
    return this.#parts.feed.follow(followedRun(this.#parts.client, this.#runId), onRead, signal);
  }

  /** The user closed the page. Without it, no one would hear the call or end it. */
  closed(): void {
    if (this.#isHangingUp || this.lastSnapshot?.run.status === 'completed') return;
    this.#hangUp().catch((error: unknown) => {
      this.#parts.log.warn(`A call by hand wasn't hung up: ${describeCause(error)}`);
    });
  }

  protected override show(run: RunResults): Shown<'hand'> {
    const name = this.#parts.nameOf(run.phoneNumber);
    const answeredMs = this.#sinceAnswer(run);
    const last = run.status === 'running' ? run.steps.at(-1) : undefined;
    const next = this.#next(run);
    const trouble =
      this.#trouble ?? (last && last.outcome !== 'PASS' ? `${last.name}: ${last.reason ?? last.outcome}` : undefined);
    return {
      title: this.#parts.l10n.t('Call: {0}', name),
      snapshot: {
        type: 'snapshot',
        name,
        run,
        ...(answeredMs !== undefined && { answeredMs }),
        ...(next && { next }),
        ...(trouble !== undefined && { trouble }),
      },
    };
  }

  #next({ status, steps }: RunResults): HandSnapshot['next'] {
    const [step] = this.#rest;
    if (!step || status === 'completed') return undefined;
    return { text: describeStep(step, this.#parts.l10n), isReady: !this.#isSending && steps.length >= this.#given };
  }

  /**
   * The service reports the time of the answer only at the end. Until then, the first step ends with the answer, or with
   * the words that a test expects after it.
   */
  #sinceAnswer({ status, steps, transcript = [], callSeconds = 0, postDialMs }: RunResults): number | undefined {
    if (status === 'completed')
      return postDialMs === undefined ? undefined : Math.max(0, callSeconds * 1000 - postDialMs);
    if (steps[0]?.outcome !== 'PASS' && transcript.length === 0) return undefined;
    const now = this.#parts.clock.now();
    this.#answeredAt = Math.min(this.#answeredAt ?? now, now - (transcript.at(-1)?.endMs ?? 0));
    return now - this.#answeredAt;
  }

  /** Does nothing while an earlier step isn't over, because what it hears can change what is right to do next. */
  async #giveNext(): Promise<void> {
    const [step, ...rest] = this.#rest;
    if (!step || !this.lastSnapshot || this.#next(this.lastSnapshot.run)?.isReady !== true) return;
    this.#rest = rest;
    if (step.action.type === 'hangUp') this.#isHangingUp = true;
    await this.#give({ action: step.action, secret: step.secret === true, step });
  }

  /**
   * Sends what the user did, in order, each once. Keys that are typed while a step is on its way are sent together. If
   * a step is refused or can't be sent, what was typed after it isn't sent either, because it would go to another menu.
   */
  async #give(deed: Deed): Promise<void> {
    const last = this.#waiting.at(-1);
    const keys = last && joinedKeys(last, deed);
    if (keys === undefined) this.#waiting.push(deed);
    else this.#waiting.splice(-1, 1, { ...deed, action: { type: 'press', keys } });
    if (this.#isSending) return;
    this.#isSending = true;
    const { client, log, l10n } = this.#parts;
    let next: Deed | undefined;
    try {
      while ((next = this.#waiting.shift())) {
        const { action, secret } = next;
        const name = nameOf(next, this.#callTestAgain ? l10n : storedWords);
        const step = next.step ?? plainStep({ name, action, ...(secret && { secret }) });
        await client.call('guideTestRun', { runId: this.#runId, step });
        this.#given += 1;
        if (secret) this.#secrets.push(...actionTextsOf(action));
        this.#tell(undefined);
      }
    } catch (error) {
      log.warn(`A step of a call by hand was not sent: ${describeCause(error)}`);
      const lost = [...(next ? [next] : []), ...this.#waiting.splice(0)];
      this.#rest = [...lost.flatMap(({ step }) => step ?? []), ...this.#rest];
      this.#isHangingUp = false;
      const names = lost.map((deed) => nameOf(deed, l10n)).join(', ');
      this.#tell(l10n.t("Couldn't send this: {0}. {1}", names, shownMessage(error, l10n)));
    } finally {
      this.#isSending = false;
      if (this.lastSnapshot && this.#callTestAgain) this.change({ next: this.#next(this.lastSnapshot.run) });
    }
  }

  #tell(trouble: string | undefined): void {
    if (trouble === this.#trouble) return;
    this.#trouble = trouble;
    this.change({ trouble });
  }

  /** Hangs up as the last step. A call that isn't answered, or doesn't end after that, is cancelled. */
  async #hangUp(): Promise<void> {
    this.#waiting = [];
    if (this.#answeredAt === undefined || this.#isHangingUp)
      await this.#parts.client.call('cancelTestRun', { runId: this.#runId });
    else {
      this.#isHangingUp = true;
      await this.#give({ action: { type: 'hangUp' }, secret: false });
    }
  }
}

function joinedKeys({ action, secret, step }: Deed, deed: Deed): string | undefined {
  const { action: next } = deed;
  if (action.type !== 'press' || next.type !== 'press' || secret !== deed.secret || step || deed.step) return undefined;
  const keys = action.keys + next.keys;
  return keys.length <= mostKeys ? keys : undefined;
}

/** Names the step in the report. */
const nameOf = (deed: Deed, l10n: L10n): string => deed.step?.name ?? wordsOf(deed, l10n) ?? l10n.t('Hang up');

/** Returns what is pressed or said. */
const wordsOf = ({ action, secret = false }: Pick<TestStep, 'action' | 'secret'>, l10n: L10n): string | undefined =>
  action.type === 'press'
    ? l10n.t('Keys {0}', secret ? masked : action.keys)
    : action.type === 'say'
      ? l10n.t('Say “{0}”', secret ? masked : action.text.slice(0, 150))
      : undefined;

const describeStep = (step: TestStep, l10n: L10n): string => [step.name, wordsOf(step, l10n) ?? []].flat().join(' · ');
