import assert from 'node:assert/strict';
import fs from 'node:fs';
import { hear } from '../../../../src/engine/crawl/hear.ts';
import { patience } from '../../../../src/engine/hearing/patience.ts';
import { spokenEvents } from '../../../support/spokenEvents.ts';
import { ScriptedLine } from './scriptedLine.ts';

interface Prompt {
  readonly text: string;
  readonly expect: {
    readonly options: readonly { readonly key: string }[];
    readonly input: unknown;
    readonly speech: readonly string[];
  };
}

type Kind = 'menu' | 'menu of one key' | 'request for input' | 'announcement';

interface Ending {
  readonly kind: Kind;
  readonly text: string;
  /** From the last word until the prompt is considered over, in milliseconds; negative if that was too early. */
  readonly afterMs: number;
}

const pausesMs = [200, 400, 700, 1000, 1300, 1600, 2000, 2500];
/** Silence until the prompt is repeated. */
const timeoutMs = 12_000;

const prompts = ['heldout', 'blind', 'menus'].flatMap((name) =>
  fs
    .readFileSync(`test/fixtures/prompts/${name}.jsonl`, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Prompt),
);

function kindOf({ expect: { options, input, speech } }: Prompt): Kind {
  if (options.length + speech.length > 1) return 'menu';
  if (input) return 'request for input';
  return options.length + speech.length === 1 ? 'menu of one key' : 'announcement';
}

async function endingOf(prompt: Prompt, pauseMs: number): Promise<Ending> {
  const sentences = prompt.text.split(/(?<=[.?!:;])\s+/);
  const first = spokenEvents(sentences, pauseMs, 500);
  const again = spokenEvents(sentences, pauseMs, first.endMs + timeoutMs);
  const line = new ScriptedLine([...first.events, ...again.events]);
  await hear(
    line,
    { expect: () => undefined, fingerprint: () => new Uint8Array(), promptIn: () => undefined },
    {
      fromMs: 0,
      known: () => [],
      // A crawl knows a number's pauses from its first menu.
      ...(kindOf(prompt) === 'menu' ? {} : { pauseMs: () => pauseMs }),
    },
  );
  return { kind: kindOf(prompt), text: prompt.text, afterMs: line.nowMs - first.endMs };
}

describe('engine: the end of a prompt', function () {
  let endings: readonly Ending[];
  before(async () => {
    endings = await Promise.all(
      prompts.map((prompt, index) => endingOf(prompt, pausesMs[index % pausesMs.length] ?? 0)),
    );
  });
  const of = (kind: Kind): Ending[] => endings.filter((ending) => ending.kind === kind);

  const early = (kind: Kind): string[] => of(kind).flatMap(({ afterMs, text }) => (afterMs < 0 ? [text] : []));
  /** The 90th percentile of that time, in milliseconds. */
  const p90 = (kind: Kind): number => {
    const after = of(kind).map(({ afterMs }) => afterMs);
    return after.toSorted((one, other) => one - other)[Math.floor(after.length * 0.9)] ?? Infinity;
  };

  it('waits through a pause of up to 2.5 seconds', () => {
    for (const kind of ['menu of one key', 'request for input', 'announcement'] as const)
      assert.deepEqual(early(kind), [], kind);
    // One is misheard, and one asks for input before it offers a key.
    assert.ok(early('menu').length <= 2, early('menu').join('\n'));
  });

  it('follows soon after the last word of a menu or a request', () => {
    assert.ok(p90('menu') <= patience.pause.unknown + patience.recheck + 2500 * 0.2);
    assert.ok(p90('request for input') < p90('announcement'));
  });

  it('follows other words only once a system that waits for an answer would have asked again', () =>
    assert.ok(p90('announcement') <= patience.timeout.longest + patience.recheck));
});
