/**
 * What the sources of keys count for, as natural logs of odds against the words that were heard. The ear adds its own, and
 * can outweigh more than 60, because the aligner compares a hundred frames per second.
 */
export const weights = {
  /** The words can't be right, so that the ear isn't asked: more than it can outweigh, by far. */
  certain: 200,
  /** Readings that are this much less likely than the best one aren't compared by ear. */
  margin: 100,
  /** The words are as likely as a key: the ear alone decides. 20 for star at the end of a menu already finds it for pound. */
  even: 0,
  /** A key that is due in a menu: a misheard verb and key sound about this much less like the key, by the human prompts. */
  due: Math.log(1e12),
  /** The same words stood before other keys, so they are this voice's verb. */
  dueAfterSameVerb: Math.log(1e20),
  /** Nothing was offered before, so it may not be a menu. */
  dueOutsideMenu: Math.log(1e6),
  /** The key was offered before; menus rarely repeat one. */
  dueAgain: Math.log(1e3),
  /** By which the language of menus must prefer a key that sounds alike: less finds keys in announcements. */
  language: 6,
  /** How much likelier "press" is than another verb that this call hasn't used. */
  otherVerb: 2,
  /** For the share of the sounds in which a key differs: makes the order of keys that sound almost equally alike. */
  differing: 1,
  /** The odds of a template fall with this power of its distance, so that the margin is a ratio of distances. */
  voice: 10,
  /** Mean distance of frames: the same word in one voice is at 2 to 6.5, other words are at 8 and more. */
  voiceCost: 6.7,
  /** A word must sound this much more like one key than like any other: 0.8 of the distance. */
  voiceMargin: 10 * Math.log(1 / 0.8),
} as const;
