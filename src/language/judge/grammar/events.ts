import type { QuantityKind, Quantity } from '../evidence/quantities.ts';

/** A thing of which a criterion speaks, and what it looks like in a call. */
export interface Topic {
  /** As it is written. */
  readonly text: string;
  /** Figures that tell it; none where words tell it ("your test results are normal"). */
  readonly kinds: readonly (QuantityKind | 'code' | 'label')[];
  /** Words that show that a sentence is about it. */
  readonly about: RegExp;
  /** A name of nothing but the kind ("a date"): what it is a date of are its other words. */
  readonly generic: boolean;
  /** Each of its other words must stand in the sentence. */
  readonly strict?: true;
  /** Meanings of the other words. */
  readonly others: readonly string[];
}

export type Relation = 'is' | 'atMost' | 'atLeast' | 'less' | 'more';
/** What a figure shall be: any of these. */
export interface Wanted {
  readonly relation: Relation;
  readonly quantities: readonly Quantity[];
}

export type Notice = 'recording' | 'emergency' | 'closed' | 'busy' | 'wrongNumber' | 'wrongEntry';

/** Something that may happen in a call. */
export type Event =
  /** Phrases, word for word where they stood in quotation marks. */
  | {
      readonly kind: 'says';
      readonly phrases: readonly string[];
      readonly mode: 'all' | 'any' | 'inOrder';
      readonly literal: boolean;
      readonly where: 'anywhere' | 'first' | 'last';
    }
  | { readonly kind: 'mentions'; readonly topic: string }
  | { readonly kind: 'tells'; readonly topic: Topic; readonly wanted?: Wanted; readonly back?: true }
  /** That something is so; `whether`: or that it is not. */
  | { readonly kind: 'claims'; readonly claim: string; readonly whether: boolean }
  | { readonly kind: 'notice'; readonly notice: Notice }
  /** What the callee says to be. */
  | { readonly kind: 'self'; readonly as: 'machine' | 'human'; readonly always: boolean }
  | { readonly kind: 'asks'; readonly topic: string }
  | { readonly kind: 'asksToConfirm' }
  /** Another go after a wrong entry. */
  | { readonly kind: 'retry' }
  | { readonly kind: 'invites'; readonly to: string }
  | { readonly kind: 'offers'; readonly label: string; readonly literal: boolean; readonly key?: string }
  | { readonly kind: 'menu' }
  /** The number of options of a menu, of each or of the first. */
  | { readonly kind: 'menuSize'; readonly relation: Relation; readonly count: number; readonly first: boolean }
  | { readonly kind: 'person'; readonly of: string }
  | { readonly kind: 'transfer'; readonly to: string }
  /** Without digits: those that the caller entered. */
  | { readonly kind: 'readsBack'; readonly topic: string; readonly digits?: string }
  | { readonly kind: 'succeeds'; readonly what: string }
  | { readonly kind: 'apology' }
  | { readonly kind: 'goodbye' }
  /** The caller says, or denies, to be who the callee wants to speak to. */
  | { readonly kind: 'identity'; readonly confirmed: boolean }
  /** The caller was asked for something and did not give it. */
  | { readonly kind: 'withheld'; readonly topic: string }
  /** The caller asks whether it is a person. */
  | { readonly kind: 'asksWho' }
  /** What the caller says or presses. */
  | { readonly kind: 'caller'; readonly does: string };

/** What a clause was read into: all, or any, of these must happen. */
export interface ReadEvents {
  readonly events: readonly Event[];
  readonly mode: 'all' | 'any';
}
/** What a clause has to be read with: the phrases in quotation marks, and what stands around it. */
export interface ReadContext {
  readonly phrases: readonly string[];
  readonly where: 'anywhere' | 'first' | 'last';
  readonly always: boolean;
}

export const single = (event: Event | undefined): ReadEvents | undefined => event && { events: [event], mode: 'all' };
