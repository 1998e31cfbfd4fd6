import type { InputType } from '../../contract/menu.ts';
import type { EndKind } from '../../contract/tree.ts';

/** What an IVR does at the end of a path, after "it". */
export const endPhrases: Readonly<Record<EndKind, string>> = {
  hangup: 'hangs up',
  'transfer-ringback': 'transfers the call',
  human: 'reaches a person',
  'hold-music': 'puts the caller on hold',
  voicemail: 'goes to voicemail',
  busy: 'is busy',
  fax: 'reaches a fax machine',
  'dead-air': 'falls silent',
  input: 'asks for data',
};

export const inputNouns: Readonly<Record<InputType, string>> = {
  account_number: 'account number',
  pin: 'PIN',
  date: 'date',
  card_number: 'card number',
  phone_number: 'phone number',
  zip: 'ZIP code',
  extension: 'extension',
  amount: 'amount',
  other: 'number',
};
