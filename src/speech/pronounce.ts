/** Letter groups and their ARPAbet sounds, longest first: rough, but good enough to find unknown words in time. */
const groups: readonly (readonly [string, string])[] = [
  ['tion', 'SH AH N'],
  ['sion', 'ZH AH N'],
  ['ough', 'AO'],
  ['augh', 'AO'],
  ['eigh', 'EY'],
  ['igh', 'AY'],
  ['tch', 'CH'],
  ['dge', 'JH'],
  ['ing', 'IH NG'],
  ['air', 'EH R'],
  ['ear', 'IH R'],
  ['our', 'AO R'],
  ['ure', 'ER'],
  ['ch', 'CH'],
  ['sh', 'SH'],
  ['th', 'TH'],
  ['ph', 'F'],
  ['wh', 'W'],
  ['ck', 'K'],
  ['ng', 'NG'],
  ['qu', 'K W'],
  ['kn', 'N'],
  ['wr', 'R'],
  ['ee', 'IY'],
  ['ea', 'IY'],
  ['oo', 'UW'],
  ['ou', 'AW'],
  ['ow', 'OW'],
  ['oa', 'OW'],
  ['ai', 'EY'],
  ['ay', 'EY'],
  ['oi', 'OY'],
  ['oy', 'OY'],
  ['au', 'AO'],
  ['aw', 'AO'],
  ['ie', 'IY'],
  ['ei', 'EY'],
  ['ew', 'UW'],
  ['ue', 'UW'],
  ['er', 'ER'],
  ['ir', 'ER'],
  ['ur', 'ER'],
  ['ar', 'AA R'],
  ['or', 'AO R'],
  ['a', 'AE'],
  ['b', 'B'],
  ['c', 'K'],
  ['d', 'D'],
  ['e', 'EH'],
  ['f', 'F'],
  ['g', 'G'],
  ['h', 'HH'],
  ['i', 'IH'],
  ['j', 'JH'],
  ['k', 'K'],
  ['l', 'L'],
  ['m', 'M'],
  ['n', 'N'],
  ['o', 'AA'],
  ['p', 'P'],
  ['q', 'K'],
  ['r', 'R'],
  ['s', 'S'],
  ['t', 'T'],
  ['u', 'AH'],
  ['v', 'V'],
  ['w', 'W'],
  ['x', 'K S'],
  ['y', 'IY'],
  ['z', 'Z'],
];

/** Returns the ARPAbet sounds of a lower-case word; empty if there is nothing to say. */
export function roughPronunciation(word: string): string {
  const letters = word
    .replace(/[^a-z]/g, '')
    .replace(/([^aeiou])\1/g, '$1')
    .replace(/([^aeiou])e$/, '$1');
  const sounds: string[] = [];
  for (let at = 0; at < letters.length;) {
    const group = groups.find(([spelling]) => letters.startsWith(spelling, at));
    if (!group) break;
    sounds.push(group[1]);
    at += group[0].length;
  }
  return sounds.join(' ');
}
