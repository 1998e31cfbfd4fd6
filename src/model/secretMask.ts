/** What stands in the place of a secret. */
export const masked = '••••';

const digitWords: Readonly<Record<string, string>> = {
  zero: '0', oh: '0', o: '0', one: '1', two: '2', to: '2', too: '2', three: '3', four: '4', for: '4', five: '5', six: '6', seven: '7', eight: '8', ate: '8', nine: '9', star: '*', pound: '#', hash: '#',
};
/** The keys that a word stands for, such as `1`, `12`, `five`; undefined where it stands for none. */
function keysOf(word: string): string | undefined {
  const bare = word.toLowerCase().replaceAll(/[^\p{L}\p{N}*#]/gu, '');
  return digitWords[bare] ?? (/^[0-9*#]+$/.test(bare) ? bare : undefined);
}

/** Fewer keys than these in a row are said too often for other reasons. */
const leastKeys = 3;

/**
 * Masks secrets in texts: as they are written, and keys also as they are read back, one by one or in groups, in figures or in words. A part of at
 * least three keys at the end of a secret, as in "ending in one two three four", is masked too.
 */
export class SecretMask {
  readonly #secrets: readonly string[];

  constructor(secrets: Iterable<string>) { this.#secrets = [...new Set(secrets)].filter((secret) => secret.trim() !== ''); }

  get isEmpty(): boolean { return this.#secrets.length === 0; }

  text(text: string): string {
    const plain = this.#secrets.reduce((left, secret) => left.replaceAll(secret, masked), text);
    const words = plain.split(/(\s+)/);
    const hide = this.hidden(words.filter((_word, index) => index % 2 === 0));
    const shown: string[] = [];
    for (let index = 0; index < words.length; index += 1) {
      if (index % 2 === 0 && hide.has(index / 2)) {
        if (!hide.has(index / 2 - 1)) shown.push(masked);
        else shown.pop();
      } else shown.push(words[index] ?? '');
    }
    return shown.join('');
  }

  /** Indexes of words that tell a secret. */
  hidden(words: readonly string[]): ReadonlySet<number> {
    const hide = new Set<number>();
    words.forEach((word, index) => { if (this.#secrets.some((secret) => word.includes(secret))) hide.add(index); });
    const keys = this.#secrets.map((secret) => secret.replaceAll(/[\s,.-]/g, '')).filter((secret) => /^[0-9*#]{3,}$/.test(secret));
    for (let start = 0; start < words.length; start += 1) {
      let run = '';
      for (let end = start; end < words.length; end += 1) {
        const told = keysOf(words[end] ?? '');
        if (told === undefined) break;
        run += told;
        if (run.length >= leastKeys && keys.some((secret) => run === secret || (run.length < secret.length && secret.endsWith(run)) || run.includes(secret))) {
          for (let index = start; index <= end; index += 1) hide.add(index);
        }
      }
    }
    return hide;
  }
}
