/**
 * What the called side said on a call on which no words are recognised: those of another call that sounded the same. On
 * a live number, only what is the same decides what is sent.
 */
export interface HeardBySound {
  /** Returns what was said since this time of the call's audio. */
  since(fromMs: number): HeardSounds;
}

export interface HeardSounds {
  /** The words of what sounds the same, and a phrase that isn't harmless for what doesn't. */
  readonly text: string;
  /** A part isn't compared, because it differed from call to call. */
  readonly varies: boolean;
  /** A part sounds like nothing on the other call. */
  readonly isUnknown: boolean;
}
