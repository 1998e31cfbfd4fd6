import { groupBy } from '../../base/groupBy.ts';
import { sentence } from '../../base/sentences.ts';
import type { ProbeAssertion } from '../../contract/probe.ts';
import { readMenu } from '../../language/menu/readMenu.ts';
import { failed, inconclusive, longest, matchesAny, passed } from './finding.ts';
import type { Finding, Sentence } from './finding.ts';

type OffersAssertion = Extract<ProbeAssertion, { kind: 'offersOnly' | 'offersKeys' | 'offersAgain' }>;
interface Offered {
  readonly said: Sentence;
  readonly label: string;
  readonly key?: string;
}

/** Judges the offered options: those in `heard`, and those `before` it. */
export function judgeOffers(
  assertion: OffersAssertion,
  heard: readonly Sentence[],
  before: readonly Sentence[],
): Finding {
  switch (assertion.kind) {
    case 'offersOnly': {
      const other = offersIn(heard).find(({ label }) => !matchesAny(assertion.patterns, label));
      return other
        ? failed(
            other.label === ''
              ? sentence`Something else is offered: key ${other.key ?? ''}.`
              : sentence`Something else is offered: ${other.label}.`,
            other.said.evidence,
          )
        : passed(sentence`Nothing else is offered. The quote is what was heard.`, longest(heard));
    }
    case 'offersKeys':
      return judgeKeys(heard);
    case 'offersAgain':
      return judgeAgain(heard, before);
  }
}

/** A caller with only keys is stuck at a prompt that offers phrases but no keys. */
function judgeKeys(heard: readonly Sentence[]): Finding {
  for (const prompt of promptsOf(heard)) {
    const { options, speech, input } = readMenu(prompt.map(({ lower }) => lower).join(' '));
    if (speech.length > 0 && options.length === 0 && input === null)
      return failed(
        sentence`These options can be chosen only by speech.`,
        prompt.find(({ lower }) => readMenu(lower).speech.length > 0)?.evidence ?? prompt[0]?.evidence,
      );
  }
  const keyed = offersIn(heard).find(({ key }) => key !== undefined);
  return keyed
    ? passed(sentence`Every option has a key.`, keyed.said.evidence)
    : inconclusive(sentence`No options were offered. The quote is what was heard.`, longest(heard));
}

/** The same keys are offered again, or there was a key that repeats them. */
function judgeAgain(heard: readonly Sentence[], before: readonly Sentence[]): Finding {
  const keys = new Set(offersIn(before).flatMap(({ key }) => key ?? []));
  // If the menu began only then, it must occur twice.
  if (keys.size === 0) {
    const offered = offersIn(heard).flatMap(({ key }) => key ?? []);
    const twice = offered.length > 0 && offered.every((key) => offered.filter((other) => other === key).length > 1);
    return (twice ? passed : inconclusive)(
      twice ? sentence`All options are offered again.` : sentence`No options were offered before that point.`,
      offersIn(heard)[0]?.said.evidence ?? heard[0]?.evidence,
    );
  }
  const again = offersIn(heard).filter(({ key }) => key !== undefined && keys.has(key));
  if (new Set(again.map(({ key }) => key)).size === keys.size)
    return passed(sentence`All options are offered again.`, again[0]?.said.evidence);
  const repeat = [...before, ...heard].find(({ lower }) => readMenu(lower).repeatKey !== null);
  if (repeat) return passed(sentence`A key repeats the options.`, repeat.evidence);
  return failed(
    again.length === 0
      ? sentence`None of the options is offered again. The quote is what was heard.`
      : sentence`Not all options are offered again.`,
    (again[0]?.said ?? heard[0])?.evidence,
  );
}

const offersIn = (heard: readonly Sentence[]): Offered[] =>
  heard.flatMap((said) => {
    const { options, speech } = readMenu(said.lower);
    return [
      ...options.map(({ key, label }) => ({ said, label, key })),
      ...(options.length === 0 ? speech.map((label) => ({ said, label })) : []),
    ];
  });

/** Sentences of one turn belong together. */
const promptsOf = (heard: readonly Sentence[]): Sentence[][] => [...groupBy(heard, ({ turn }) => turn).values()];
