import type { QuantityKind, Quantity } from '../evidence/quantities.ts';

/** A topic of a criterion, and how to recognise it in a call. */
export interface Topic {
  /** As written. */
  readonly text: string;
  /** The kinds of figures that state it; empty if words do ("your test results are normal"). */
  readonly kinds: readonly (QuantityKind | 'code' | 'label')[];
  /** Words that show that a sentence is about it. */
  readonly about: RegExp;
  /** Its name is only the kind ("a date"); its other words say which. */
  readonly generic: boolean;
  /** Each of its other words must occur in the sentence. */
  readonly strict?: true;
  /** Meanings of the other words. */
  readonly others: readonly string[];
}

export type Relation = 'is' | 'atMost' | 'atLeast' | 'less' | 'more';
/** The wanted figure: any of these. */
export interface WantedFigure {
  readonly relation: Relation;
  readonly quantities: readonly Quantity[];
}

export type Notice = 'recording' | 'emergency' | 'closed' | 'busy' | 'wrongNumber' | 'wrongEntry';

export type Event =
  /** Phrases, matched word for word if they were in quotation marks. */
  | {
      readonly kind: 'says';
      readonly phrases: readonly string[];
      readonly mode: 'all' | 'any' | 'inOrder';
      readonly literal: boolean;
      readonly where: 'anywhere' | 'first' | 'last';
    }
  | { readonly kind: 'mentions'; readonly topic: string }
  | { readonly kind: 'tells'; readonly topic: Topic; readonly wanted?: WantedFigure; readonly back?: true }
  /** A statement of fact; `whether`: or its opposite. */
  | { readonly kind: 'claims'; readonly claim: string; readonly whether: boolean }
  | { readonly kind: 'notice'; readonly notice: Notice }
  /** The callee says that it is a machine or a person. */
  | { readonly kind: 'self'; readonly as: 'machine' | 'human'; readonly always: boolean }
  | { readonly kind: 'asks'; readonly topic: string }
  | { readonly kind: 'asksToConfirm' }
  /** Another attempt after a wrong entry. */
  | { readonly kind: 'retry' }
  | { readonly kind: 'invites'; readonly to: string }
  | { readonly kind: 'offers'; readonly label: string; readonly literal: boolean; readonly key?: string | undefined }
  | { readonly kind: 'menu' }
  /** The number of options of each menu, or of the first. */
  | { readonly kind: 'menuSize'; readonly relation: Relation; readonly count: number; readonly first: boolean }
  | { readonly kind: 'person'; readonly of: string }
  | { readonly kind: 'transfer'; readonly to: string }
  /** Without digits: those that the caller entered. */
  | { readonly kind: 'readsBack'; readonly topic: string; readonly digits?: string | undefined }
  | { readonly kind: 'succeeds'; readonly what: string }
  | { readonly kind: 'apology' }
  | { readonly kind: 'goodbye' }
  /** The caller says, or denies, to be the person that the callee wants. */
  | { readonly kind: 'identity'; readonly confirmed: boolean }
  /** The caller was asked for something and didn't give it. */
  | { readonly kind: 'withheld'; readonly topic: string }
  | { readonly kind: 'asksWho' }
  | { readonly kind: 'caller'; readonly does: string };

/** The result of reading a clause: all, or any, of these must happen. */
export interface ReadEvents {
  readonly events: readonly Event[];
  readonly mode: 'all' | 'any';
}
/** The context for reading a clause: the quoted phrases, and its surroundings. */
export interface ReadContext {
  readonly phrases: readonly string[];
  readonly where: 'anywhere' | 'first' | 'last';
  readonly always: boolean;
}

export const single = (event: Event | undefined): ReadEvents | undefined => event && { events: [event], mode: 'all' };
