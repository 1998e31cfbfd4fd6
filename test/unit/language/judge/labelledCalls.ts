import type { Turn } from '../../../../src/contract/testRuns.ts';

/** A call as recognised, a criterion as people write it, and a careful person's verdict. */
export interface LabelledCall {
  readonly transcript: readonly Turn[];
  readonly acceptance: string;
  readonly label: 'pass' | 'fail';
}

/** One line per turn: `<` the called side, `>` ours. Five seconds each. */
export const call = (...lines: readonly string[]): Turn[] =>
  lines.map((line, index) => ({
    speaker: line.startsWith('<') ? 'them' : 'us',
    text: line.slice(1).trim(),
    startMs: index * 5000,
    endMs: index * 5000 + 4000,
  }));

const balance = call(
  '< Welcome to First Harbor Bank. This call may be recorded for quality purposes.',
  '< For account balance, press 1. For lost or stolen cards, press 2. To speak to an agent, press 0.',
  '> [keys 1]',
  '< Please enter your eight digit account number followed by the pound key.',
  '> [keys 12345678#]',
  '< You entered one two three four five six seven eight. If this is correct, press 1.',
  '> [keys 1]',
  '< Your current balance is four hundred and twenty dollars and fifty cents.',
  '< Thank you for calling First Harbor Bank. Goodbye.',
);
const noBalance = call(
  '< Welcome to First Harbor Bank.',
  '< For account balance, press 1. For lost or stolen cards, press 2.',
  '> [keys 1]',
  '< Please enter your eight digit account number followed by the pound key.',
  '> [keys 12345678#]',
  '< Sorry, we are unable to find that account. Please try again later. Goodbye.',
);
const agent = call(
  '< Thank you for calling Northwind Energy.',
  '< For billing press 1. For outages press 2. For all other questions press 3.',
  '> [keys 1]',
  '< Please hold while I transfer you to the billing department.',
  '< All of our representatives are busy. Your call is important to us.',
  '< Thank you for holding, this is Maria from billing, how can I help you today?',
);
const noAgent = call(
  '< Thank you for calling Northwind Energy.',
  '< For billing press 1. For outages press 2.',
  '> [keys 1]',
  '< Our billing office is closed. Please call again during business hours. Goodbye.',
);
const voicemail = call(
  '< Hi, you have reached the desk of Peter Hall. I am not available. Please leave a message after the tone.',
);
const clinic = call(
  '< Welcome to Lakeside Clinic. If this is a medical emergency hang up and dial 911.',
  '< For appointments press 1. For prescription refills press 2. For our opening hours press 3.',
  '> [keys 3]',
  '< We are open Monday to Friday from 8 am to 5 pm and on Saturday from 9 am to noon.',
  '< Goodbye.',
);
const declined = call(
  '< Parcel Post, please enter your tracking number.',
  '> [keys 998877]',
  '< Your payment was declined. Please use another card.',
  '< Goodbye.',
);
const parcel = call(
  '< Parcel Post. Please say or enter your tracking number.',
  '> [keys 998877]',
  '< Tracking number 9 9 8 8 7 7. Your parcel was delivered on Tuesday at 4 pm.',
  '< Is there anything else?',
  '> No.',
  '< Thanks for calling Parcel Post. Good bye.',
);
const wrongDigits = call(
  '< Please enter your account number.',
  '> [keys 12345678]',
  '< You entered 1 2 3 4 5 6 7 9.',
  '< Goodbye.',
);
const silentMenu = call(
  '< For sales press 1. For support press 2.',
  '> [keys 2]',
  '< For hardware press 1. For software press 2.',
);
const noisy = call(
  '< Welcome to first harbour bank. This call maybe recorded for quality purposes.',
  '< For account balances press one. For lost or stolen cards press to.',
);

export const labelledCalls: readonly LabelledCall[] = (
  [
    [balance, 'The IVR says "your current balance is".', 'pass'],
    [noBalance, 'The IVR says "your current balance is".', 'fail'],
    [balance, 'The caller hears the account balance.', 'pass'],
    [noBalance, 'The IVR tells the caller the account balance', 'fail'],
    [balance, 'The system reads back the account number 12345678.', 'pass'],
    [noBalance, 'The system reads back the account number that the caller entered.', 'fail'],
    [balance, 'It reads back the number the caller entered and tells the account balance.', 'pass'],
    [balance, 'The IVR must not ask for a PIN.', 'pass'],
    [balance, 'The IVR asks for the account number. It must not say "declined".', 'pass'],
    [balance, 'Says "this call may be recorded" before "your current balance"', 'pass'],
    [noBalance, '"this call may be recorded"', 'fail'],
    [noisy, 'The greeting says "this call may be recorded for quality purposes"', 'pass'],
    [balance, 'Ends with "goodbye".', 'pass'],
    [silentMenu, 'The IVR says goodbye at the end.', 'fail'],
    [balance, 'The menu offers "lost or stolen cards" on key 2.', 'pass'],
    [silentMenu, 'The menu offers "billing".', 'fail'],
    [silentMenu, 'The menu offers support on key 1.', 'fail'],
    [noisy, 'The menu offers account balance on key 1', 'pass'],
    [agent, 'The caller reaches a live agent.', 'pass'],
    [noAgent, 'The caller reaches a person.', 'fail'],
    [voicemail, 'The caller reaches a human.', 'fail'],
    [balance, 'The caller gets through to an operator', 'fail'],
    [agent, 'The call is transferred to the billing department.', 'pass'],
    [noAgent, 'The caller is transferred to billing.', 'fail'],
    [clinic, 'The IVR tells the opening hours.', 'pass'],
    [noAgent, 'The IVR tells the opening hours.', 'fail'],
    [clinic, 'Pass if the greeting says "dial 911".', 'pass'],
    [agent, 'Pass if the greeting says "dial 911".', 'fail'],
    [clinic, 'Fails if the IVR says "please leave a message".', 'pass'],
    [voicemail, 'Fails if the IVR says "please leave a message".', 'fail'],
    [declined, 'The IVR says "your payment was approved".', 'fail'],
    [declined, 'The IVR must never say "declined" or "failed".', 'fail'],
    [parcel, 'It reads back the tracking number 998877 and says goodbye.', 'pass'],
    [parcel, 'The IVR says "your parcel was delivered" or "your parcel is on its way".', 'pass'],
    [wrongDigits, 'The system reads back the digits the caller entered.', 'fail'],
    [parcel, 'The agent sounds friendly and apologises for the delay.', 'fail'],
    [balance, 'The caller learns how much money is in the account.', 'pass'],
    [noBalance, 'The IVR answers within 5 seconds and the account is found.', 'fail'],
    [agent, 'The caller waits less than two minutes for a human.', 'pass'],
    [clinic, 'The clinic is open on Saturdays.', 'pass'],
    [agent, 'The IVR mentions billing and reaches an agent; the caller is not asked for a card number.', 'pass'],
    [declined, 'The payment goes through, or the caller is told why not.', 'fail'],
    [parcel, 'Says "thanks for calling" in its last message', 'pass'],
    [noisy, 'The IVR says "press 2 for lost or stolen cards".', 'fail'],
  ] as const
).map(([transcript, acceptance, label]) => ({ transcript, acceptance, label }));
