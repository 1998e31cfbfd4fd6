import fc from 'fast-check';
import type { EndKind, TreeNode } from '../../../../src/contract/tree.ts';

/**
 * An IVR as a test wants it; its tree is what a perfect run would map. Prompts name their options, so that an edit of
 * the menu is audible.
 */
export interface SketchedStep {
  readonly topic: string;
  key: string;
  end?: EndKind;
  /** Topic of the menu that this leads back to. */
  link?: string;
  greeting?: string;
  latencyMs?: number;
  status?: TreeNode['status'];
  readonly children: SketchedStep[];
}

const places =
  'northern southern eastern western harbour valley meadow riverside mountain island garden castle forest market station village capital frontier desert orchard'.split(
    ' ',
  );
const things =
  'billing mortgage insurance prescription delivery furniture electricity library passport parking laundry kitchen football chocolate umbrella elephant vaccination pension holiday keyboard'.split(
    ' ',
  );
const verbs =
  'refunds complaints renewals upgrades invoices appointments subscriptions warranties estimates vouchers permits licences donations rentals repairs'.split(
    ' ',
  );

/** Topics, no two of which share more than two of three words. */
export const topics: readonly string[] = places.flatMap((place, a) =>
  things.flatMap((thing, b) =>
    verbs.filter((_, c) => (a + b + c) % 3 === 0).map((verb) => `${place} ${thing} ${verb}`),
  ),
);

export const stepKeys = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

export function treeOfSketch(root: SketchedStep, hear: (text: string) => string = (text) => text): TreeNode {
  const ids = new Map<string, string>();
  const node = (step: SketchedStep, depth: number, path: string): TreeNode => {
    const stepId = `id-${step.topic}`;
    ids.set(step.topic, stepId);
    const offers = step.children.map((child) => `For ${child.topic}, press ${child.key}.`).join(' ');
    const heard = step.status === undefined;
    return {
      stepId,
      depth,
      path,
      status: step.status ?? (step.link === undefined ? 'explored' : 'linked'),
      stepType: 'dtmf',
      isTerminal: step.end !== undefined,
      ...(depth === 0 ? {} : { digit: step.key, label: hear(step.topic) }),
      ...(step.link === undefined ? {} : { linksTo: `id-${step.link}` }),
      ...(step.end === undefined ? {} : { end: step.end }),
      ...(heard && step.link === undefined
        ? {
            transcript: hear(
              step.greeting ??
                (step.end === undefined
                  ? `Welcome to ${step.topic}. ${offers}`
                  : `You have chosen ${step.topic}. Please hold the line.`),
            ),
          }
        : {}),
      ...(heard && step.latencyMs !== undefined ? { latencyMs: step.latencyMs } : {}),
      ...(heard && step.end === undefined && step.link === undefined
        ? { options: step.children.map((child) => ({ key: child.key, label: child.topic })) }
        : {}),
      children:
        step.status === undefined
          ? step.children.map((child) => node(child, depth + 1, path === '' ? child.key : `${path} > ${child.key}`))
          : [],
    };
  };
  return node(root, 0, '');
}

/** Every menu has at least two options; topics are unlike each other; some steps lead back to the first menu. */
export function sketches(most = 60): fc.Arbitrary<SketchedStep> {
  return fc
    .record({ seed: fc.integer({ min: 1, max: 2 ** 31 - 2 }), size: fc.integer({ min: 4, max: most }) })
    .map(({ seed, size }) => sketch(size, seed));
}

export function sketch(size: number, seed: number): SketchedStep {
  const random = minimalStandard(seed);
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const free = shuffled(topics, random);
  const topic = (): string => free.pop() ?? `number ${String(random(1e9))}`;
  const root: SketchedStep = { topic: topic(), key: '', children: [], latencyMs: 500 };
  const menus = [root];
  for (let count = 1; count < size;) {
    const menu = menus.length > 3 && random(3) > 0 ? (menus[menus.length - 1 - random(3)] ?? root) : pick(menus);
    const keys = stepKeys.filter((key) => menu.children.every((child) => child.key !== key));
    const key = keys[0];
    if (key === undefined || menu.children.length > 7) {
      menus.splice(menus.indexOf(menu), 1);
      if (menus.length === 0) break;
      continue;
    }
    const kind = random(10);
    const child: SketchedStep = {
      topic: topic(),
      key,
      children: [],
      latencyMs: 300 + random(2000),
      ...(kind < 6
        ? { end: pick(['hangup', 'voicemail', 'hold-music', 'busy'] as const) }
        : kind === 6 && menu !== root
          ? { link: root.topic }
          : {}),
    };
    menu.children.push(child);
    count += 1;
    if (child.end === undefined && child.link === undefined) menus.push(child);
  }
  // A menu without options isn't a menu.
  for (const step of stepsOf(root))
    if (step.children.length === 0 && step.end === undefined && step.link === undefined) step.end = 'hangup';
  return root;
}

export const copyOf = (root: SketchedStep): SketchedStep => structuredClone(root);

export function stepsOf(root: SketchedStep): SketchedStep[] {
  const steps = [root];
  for (const step of steps) steps.push(...step.children);
  return steps;
}

export const parentOf = (root: SketchedStep, step: SketchedStep): SketchedStep | undefined =>
  stepsOf(root).find(({ children }) => children.includes(step));

/** Park and Miller's generator (1988): returns numbers from 0 up to, but excluding, its argument. */
export function minimalStandard(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

export function shuffled<T>(list: readonly T[], random: (below: number) => number): T[] {
  const copy = [...list];
  for (let index = copy.length - 1; index > 0; index -= 1) {
    const other = random(index + 1);
    [copy[index], copy[other]] = [copy[other] as T, copy[index] as T];
  }
  return copy;
}
