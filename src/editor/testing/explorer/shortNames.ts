import { groupBy } from '../../../base/groupBy.ts';
/** The subject of “Harbour Bank: balance by keypad”, with the sign after it. */
const subjectOf = (name: string): string => /^.+?(?:: | [-–—|·] )(?=\S)/.exec(name)?.[0] ?? '';

/**
 * Returns labels that begin with what distinguishes the tests: names without the subject that others share. A name stays
 * whole if two labels would be the same.
 */
export function shortNames(names: readonly string[]): string[] {
  const subjects = groupBy(names, subjectOf);
  const short = names.map((name) => {
    const subject = subjectOf(name);
    return (subjects.get(subject) ?? []).length > 1 ? name.slice(subject.length) : name;
  });
  const alike = groupBy(short, (label) => label);
  return short.map((label, at) => ((alike.get(label) ?? []).length > 1 ? (names[at] ?? label) : label));
}
