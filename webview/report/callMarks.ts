import type { StepResult } from '../../src/contract/testRuns.ts';
import { element } from '../page/element.ts';
import { t } from '../page/l10n.ts';
import { KeyedList } from './keyedList.ts';
import { press } from './stepList.ts';
import { keysIn, type ShownTurn } from './turns.ts';
import { clockTime } from '../../src/model/report/runBlocks.ts';

interface Mark {
  readonly ms: number;
  readonly share: number;
  readonly text: string;
  readonly name: string;
  readonly look: string;
}

/** More marks of a kind don't fit, so neighbours share one. */
const maxMarks = 40;
const places = 20;

/** Marks along the recording: where each step begins, and which keys were sent. */
export class CallMarks {
  readonly element = element('div', {
    class: 'call-marks',
    role: 'group',
    'aria-label': t('Markers in the recording'),
  });
  readonly #list: KeyedList<Mark>;

  constructor(onJump: (ms: number) => void) {
    this.#list = new KeyedList<Mark>(this.element, ({ ms, share, text, name, look }) => {
      const mark = press(`call-mark ${look}`, text, name, () => onJump(ms));
      mark.style.setProperty('--at', `${String(Math.round(share * 10_000) / 100)}%`);
      return mark;
    });
  }

  /** Keeps the marks below this part of the player. */
  align(track: Element): void {
    new ResizeObserver(() => {
      const [own, other] = [this.element.parentElement, track].map((box) => box?.getBoundingClientRect());
      if (!own || !other || other.width === 0) return;
      const padding = parseFloat(getComputedStyle(this.element.parentElement ?? track).paddingLeft);
      this.element.style.marginLeft = `${String(other.left - own.left - padding)}px`;
      this.element.style.marginRight = `${String(own.right - other.right - padding)}px`;
    }).observe(track);
  }

  /** @param lengthMs of the recording, which begins with the answer, like all times */
  show(steps: readonly StepResult[], turns: readonly ShownTurn[], lengthMs: number): void {
    const at = (ms: number): number => Math.min(1, ms / lengthMs);
    const stepMarks = steps.flatMap(({ name, startMs }, index): Mark[] =>
      startMs === undefined
        ? []
        : [
            {
              ms: startMs,
              share: at(startMs),
              text: String(index + 1),
              name: t('Step {0}, {1}, at {2}', index + 1, name, clockTime(startMs)),
              look: 'of-step',
            },
          ],
    );
    const keyMarks = turns.flatMap((turn): Mark[] => {
      const { startMs } = turn;
      const keys = keysIn(turn);
      return keys === undefined || startMs === undefined
        ? []
        : [
            {
              ms: startMs,
              share: at(startMs),
              text: keys,
              name: t('Keys {0} at {1}', keys, clockTime(startMs)),
              look: 'of-keys',
            },
          ];
    });
    const few = [
      ...thinned(stepMarks, (first, last) => ({
        text: `${first.text}–${last.text}`,
        name: t('Steps {0} to {1}, starting at {2}', first.text, last.text, clockTime(first.ms)),
      })),
      ...thinned(keyMarks, (first, _last, count) => ({
        text: `${first.text}…`,
        name: t('Keys {0} at {1}, and {2} more', first.text, clockTime(first.ms), count - 1),
      })),
    ];
    this.#list.show(lengthMs > 0 ? few : []);
  }
}

/** Returns the marks, or if there are many, one for each group of neighbours. */
function thinned(
  marks: readonly Mark[],
  joined: (first: Mark, last: Mark, count: number) => Pick<Mark, 'text' | 'name'>,
): Mark[] {
  if (marks.length <= maxMarks) return [...marks];
  return Array.from({ length: places }, (_value, place) =>
    marks.filter(({ share }) => Math.min(places - 1, Math.floor(share * places)) === place),
  ).flatMap((group) => {
    const [first, last] = [group[0], group.at(-1)];
    return first && last ? [first === last ? first : { ...first, ...joined(first, last, group.length) }] : [];
  });
}
