import { callBounds } from '../../model/calls/callBudget.ts';

/**
 * How long a caller waits, in milliseconds of the call's audio. The more certain it is what was heard, the shorter the
 * wait. All callers take their times from here.
 */
export const patience = {
  /** Silence within a prompt. */
  pause: {
    /** A longer one can be a time-out as well as a pause between two options. */
    boundary: 1100,
    /**
     * Between the first option of a menu and what follows it. This is longer than most time-outs, so that a menu with
     * one option has certainly ended before its key is pressed.
     */
    afterFirstOption: 10_000,
    /** After options, while it isn't known how long the menu pauses between two of them. */
    unknown: 2900,
    /** Later pauses of a menu are up to this factor longer than the longest one before. */
    growth: 1.2,
  },
  /** Silence that ends a prompt, by what was read of it. */
  prompt: {
    /** A menu whose last words offer to repeat it or to stay on the line: nothing follows them. */
    closedMenu: 800,
    /** A menu that is known, with its last words. */
    wholeMenu: 400,
    menu: 1200,
    input: 1200,
    /** A person who is expected, and has greeted. */
    person: 600,
    /** A greeting that can be a person's, or the first sentence of a menu. */
    greeting: 2000,
    /** An announcement can pause before its next sentence. */
    announcement: 5000,
    /** A test knows the words that it waits for, so a short pause is enough. */
    expectedWords: 700,
    /** Other words than expected that offer keys. Such a menu waits for a key, and only repeats itself. */
    otherMenu: 2000,
    /** Other words than expected. Systems look things up before they continue. */
    otherWords: 5000,
    /** Any words, if the test accepts any. */
    anyWords: 1400,
    /** A conversation: it is the caller's turn. */
    turn: 1200,
  },
  /** Silence after which a system that waits for an answer asks again or gives up. */
  timeout: {
    /** A shorter silence after words is a pause. */
    shortest: 2000,
    /** Nearly all systems wait less. After words that may be a request, nothing more is expected after this time. */
    longest: 10_500,
    /** The time-outs of one state differ by this much, because its recordings end with different silences. */
    slack: 500,
  },
  /**
   * Words that ask the caller to hold are followed by music, a ringing tone or an answer within this time. A queue offers
   * what a caller can do instead of waiting within this time after its music began.
   */
  queue: 10_000,
  /** Silence without any words that counts as dead air, by the kind of caller. */
  deadAir: { crawl: 6500, script: 10_000, conversation: 12_000, onHold: 300_000 },
  /** Speech becomes text late on a busy machine. After these times it counts as lost, by what depends on it. */
  text: {
    /** Any text. */
    lost: 20_000,
    /** The end of a prompt of which some is text. */
    rest: 15_000,
    /** Without this text, nothing is known of the turn. */
    turn: 30_000,
    /** The last words of an ended call: for a run that can be cancelled, and for a probe, which needs them all. */
    last: 3000,
    allOfLast: 20_000,
    /** The words of a step that a mapping has stored, once its call has ended. */
    recorded: 120_000,
    /** The end of an utterance can move by this much when all of it is text. */
    correction: 1500,
  },
  /** The longest prompt that is heard to its end. */
  longestPrompt: callBounds.listening * 1000,
  /** Speech that is in progress when the time to listen is over is heard for up to this long. */
  hearOut: 30_000,
  /** Sound is known to be speech this much later. */
  onset: 500,
  /** If recognition lags, a listener checks again after this time, because no event says when it catches up. */
  recheck: 50,
  /** After this silence, a system may have given up on its caller. Most wait for four seconds or more. */
  ofSystems: 3500,
} as const;
