/** Sentences as templates with their values: `['It took {0} s.', '4.2']`. They are joined by spaces. */
export type Parts = readonly (readonly string[])[];

/** Sentences that a client can show in its language. As text, they are in English. */
export class Sentences {
  readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  toString(): string {
    return this.parts
      .map(([template = '', ...values]) =>
        template.replaceAll(/\{(\d+)\}/g, (_place, index) => values[Number(index)] ?? ''),
      )
      .join(' ');
  }

  /** Returns these sentences with their values changed, such as masked. */
  with(change: (value: string, isQuoted: boolean) => string): Sentences {
    return new Sentences(
      this.parts.map(([template = '', ...values]) => [
        template,
        ...values.map((value, index) => change(value, template.includes(`“{${String(index)}}”`))),
      ]),
    );
  }
}

/** The tag of a sentence that a client shows. `node test/generate.ts` collects these for translation. */
export const sentence = (texts: TemplateStringsArray, ...values: readonly (string | number)[]): Sentences =>
  new Sentences([
    [texts.reduce((before, text, index) => `${before}{${String(index - 1)}}${text}`), ...values.map(String)],
  ]);

/** Returns all that are given, one after the other. */
export const join = (...all: readonly (Sentences | undefined)[]): Sentences =>
  new Sentences(all.flatMap((one) => one?.parts ?? []));

/** An error whose message is also shown in other languages. */
export const failure = (why: Sentences): Error => new Error(String(why), { cause: why });

/** Returns why something failed or was aborted. A text that isn't made of templates stays as it is. */
export function sentencesOf(why: unknown): Sentences {
  if (why instanceof Sentences) return why;
  if (!(why instanceof Error)) return sentence`${String(why)}`;
  return why.cause instanceof Sentences ? why.cause : sentence`${why.message}`;
}

/** A reason in English, and the same in parts. Older results have only the first. */
export interface Reason {
  readonly reason?: string | undefined;
  readonly reasonParts?: Parts | undefined;
}

export const because = (why: Sentences): { readonly reason: string; readonly reasonParts: Parts } => ({
  reason: String(why),
  reasonParts: why.parts,
});

export function reasonOf({ reason, reasonParts }: Reason): Sentences | undefined {
  if (reasonParts) return new Sentences(reasonParts);
  return reason === undefined ? undefined : sentence`${reason}`;
}
