/** Labels of keys that move money, end or order something, or agree to something: not pressed on a live number without consent for that key. */
const risky =
  /\b(?:pay|make (?:a|your) payment|purchase|buy|order|transfer (?:money|funds)|send money|withdraw|donate|cancel (?:my|your|a|an|the)?|terminate|close (?:my|your|the) account|report (?:a |your |my )?(?:lost|stolen)|lost or stolen|stolen|block (?:my|your)|freeze|activate|agree|accept|authori[sz]e|consent|confirm|opt out|unsubscribe|delete|erase|emergency)\b/;

export const isRisky = (label: string): boolean => risky.test(label.toLowerCase());
