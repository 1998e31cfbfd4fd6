import type { FromHand, HandSnapshot, ToHand } from '../../src/contract/handPanel.ts';
import { cancelling } from '../page/cutShort.ts';
import type { EditorHost } from '../page/editorHost.ts';
import { element, on, setText } from '../page/element.ts';
import { clock } from '../page/formats.ts';
import { icon } from '../page/icons.ts';
import type { MessageHandlers } from '../page/incoming.ts';
import { t } from '../page/l10n.ts';
import type { PageNotices } from '../page/notices.ts';
import { pageHead } from '../page/part.ts';
import { LiveSound } from '../player/liveSound.ts';
import { TranscriptList } from '../report/transcriptList.ts';
import { inTimeOrder } from '../report/turns.ts';
import { hangUpWords } from '../report/words.ts';
import { button, checkbox, textField } from '../toolkit.ts';

const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'];
/** The clock shows seconds. */
const tickMs = 250;
/** A list that is this close to its end, in pixels, is followed to its end. */
const nearEnd = 40;

/** A call that the user makes by hand: a keypad, words to say, and what is heard. */
export class HandPage {
  readonly #host: EditorHost<FromHand>;
  readonly #name = element('h1');
  readonly #state = element('p', { class: 'run-outcome row', role: 'status' });
  readonly #clock = element('span', { class: 'number cut', role: 'timer', 'aria-label': t('Time since the answer') });
  readonly #reason = element('p', { class: 'run-reason' });
  readonly #trouble = element('p', { class: 'judge-trouble', role: 'alert' });
  readonly #hangUp = button(t('Hang up'), () => this.#host.post({ type: 'hangUp' }), { icon: 'hangup' });
  readonly #report = button(t('Open report'), () => this.#host.post({ type: 'openReport' }), { icon: 'transcript' });
  readonly #again = button(t('Call again'), () => this.#host.post({ type: 'callAgain' }), { icon: 'phone' });
  readonly #sound = new LiveSound((on) => this.#host.post({ type: 'listen', on }));
  readonly #saves = [
    button(t('Save as test…'), () => this.#host.post({ type: 'save', as: 'calltest' })),
    button(t('Save as mission…'), () => this.#host.post({ type: 'save', as: 'mission' })),
  ];
  readonly #next = button(t('Next step'), () => this.#giveNext(), { appearance: 'primary' });
  readonly #nextText = element('p', { id: 'next-step' });
  readonly #test = element('div', { class: 'next-step' }, this.#next, this.#nextText);
  readonly #keys = keys.map((key) => button(key, () => this.#press(key)));
  readonly #secret = checkbox(t('Keep keys secret'));
  readonly #words = textField(t('What to say'), t('Say…'));
  readonly #say = button(t('Say'), () => this.#speak());
  readonly #transcript = new TranscriptList(() => undefined);
  readonly #heard: HTMLElement;
  #snapshot: HandSnapshot | undefined;
  /** When the call was answered, on the page's clock. */
  #answeredAt: number | undefined;

  constructor(root: HTMLElement, host: EditorHost<FromHand>, notices: PageNotices) {
    this.#host = host;
    for (const [index, made] of this.#keys.entries()) made.setAttribute('aria-label', t('Key {0}', keys[index] ?? ''));
    this.#next.setAttribute('aria-describedby', 'next-step');
    this.#words.setAttribute('maxlength', '500');
    on(this.#words, 'keydown', (event) => {
      if (event.key === 'Enter') this.#speak();
    });
    on(this.#hangUp, 'keydown', (event) => {
      if (event.key === 'Escape') this.#hangUp.click();
    });
    on(document, 'keydown', (event) => this.#typed(event));
    this.#heard = element(
      'section',
      { class: 'column part', tabindex: '0', role: 'log', 'aria-label': t('Transcript') },
      element('h2', {}, t('Transcript')),
      this.#transcript.element,
    );
    this.#followWords();
    root.classList.add('report', 'hand');
    root.append(
      pageHead(
        [this.#name, this.#clock],
        [this.#again, this.#report, ...this.#saves, this.#sound.element, this.#hangUp],
        this.#state,
        this.#reason,
        this.#trouble,
      ),
      notices.element,
      element(
        'main',
        { class: 'parts' },
        element(
          'div',
          { class: 'column' },
          this.#test,
          element('div', { class: 'keypad', role: 'group', 'aria-label': t('Keypad') }, ...this.#keys),
          this.#secret,
          element('div', { class: 'say' }, this.#words, this.#say),
        ),
        this.#heard,
      ),
    );
    setInterval(() => this.#tick(), tickMs);
  }

  readonly handlers: MessageHandlers<ToHand> = {
    snapshot: (snapshot) => this.#show(snapshot),
    sound: (part) => this.#sound.take(part),
  };

  get #isConnected(): boolean {
    return this.#snapshot?.run.status === 'running' && this.#answeredAt !== undefined;
  }

  #show(snapshot: HandSnapshot): void {
    const { name, run, answeredMs, next, trouble, isCancelling } = snapshot;
    this.#snapshot = snapshot;
    setText(this.#name, name);
    this.#answeredAt = answeredMs === undefined ? undefined : performance.now() - answeredMs;
    const isOver = run.status === 'completed';
    const words = isOver
      ? t('The call is over')
      : isCancelling === true
        ? cancelling
        : this.#isConnected
          ? t('Connected')
          : t('Calling');
    if (this.#state.textContent !== words) this.#state.replaceChildren(icon(isOver ? 'hangup' : 'phone'), words);
    this.#state.classList.toggle('is-running', !isOver);
    const reason = isOver ? whyOver(run) : '';
    this.#reason.hidden = reason === '';
    setText(this.#reason, reason);
    setText(this.#trouble, trouble ?? '');
    const ends = [this.#next, ...this.#keys, this.#say, this.#words, this.#secret, this.#hangUp];
    const isLost = isOver && [...ends, this.#sound.element].some((control) => control.contains(document.activeElement));
    this.#sound.show(isOver);
    for (const control of ends) control.disabled = !this.#isConnected;
    this.#test.hidden = next === undefined;
    setText(this.#nextText, next?.text ?? '');
    // It stays enabled, so that it keeps the focus from step to step.
    this.#next.setAttribute('aria-disabled', String(next?.isReady !== true));
    // It keeps its place, so that a second click hits no other button.
    this.#hangUp.disabled = isOver || isCancelling === true;
    this.#again.hidden = this.#report.hidden = !isOver;
    // The controls of the call can't keep the focus after it. A key that is pressed too late must not call again.
    if (isLost) this.#report.focus();
    const turns = inTimeOrder(run.transcript ?? []);
    for (const save of this.#saves) save.hidden = turns.length === 0;
    this.#transcript.show(turns, [], run);
    this.#tick();
  }

  #tick(): void {
    const { run, answeredMs } = this.#snapshot ?? {};
    const ms = run?.status === 'completed' ? answeredMs : this.#answeredAt && performance.now() - this.#answeredAt;
    setText(this.#clock, ms === undefined ? '' : clock(Math.floor(ms / 1000)));
  }

  /** Keeps the end of the transcript in sight, unless the user has scrolled up. */
  #followWords(): void {
    let [follows, before] = [true, 0];
    on(this.#heard, 'scroll', () => {
      const { scrollHeight, scrollTop, clientHeight } = this.#heard;
      // New words can arrive before the event, so only a scroll upwards ends it.
      follows = scrollHeight - scrollTop - clientHeight < nearEnd || (follows && scrollTop >= before);
      before = scrollTop;
    });
    new ResizeObserver(() => {
      if (follows) this.#heard.scrollTop = this.#heard.scrollHeight;
    }).observe(this.#transcript.element);
  }

  /** Keys of the keyboard are keys of the call, except in the words to say. */
  #typed(event: KeyboardEvent): void {
    const [target] = event.composedPath();
    const isText = target instanceof HTMLInputElement && target.type !== 'checkbox';
    if (isText || event.repeat || event.ctrlKey || event.metaKey || event.altKey || !keys.includes(event.key)) return;
    event.preventDefault();
    this.#press(event.key);
  }

  #press(key: string): void {
    if (this.#isConnected) this.#host.post({ type: 'press', key, secret: this.#secret.checked });
  }

  #giveNext(): void {
    if (this.#isConnected && this.#snapshot?.next?.isReady === true) this.#host.post({ type: 'next' });
  }

  #speak(): void {
    const text = this.#words.value.trim();
    if (text === '' || !this.#isConnected) return;
    this.#host.post({ type: 'say', text });
    this.#words.value = '';
    this.#words.focus();
  }
}

/** If the called side hung up, its hang-up says it all. Otherwise, Dialtree had a reason, such as that no key came. */
function whyOver(run: HandSnapshot['run']): string {
  const { hangUp, reason = '' } = run;
  const words = hangUpWords(run) ?? '';
  return hangUp?.by === 'them' || (hangUp && reason.includes(words)) ? words : `${words} ${reason}`.trim();
}
