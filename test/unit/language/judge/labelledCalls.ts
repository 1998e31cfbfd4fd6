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

export const labelledCalls: readonly LabelledCall[] = [
  { transcript: balance, acceptance: 'The IVR says "your current balance is".', label: 'pass' },
  { transcript: noBalance, acceptance: 'The IVR says "your current balance is".', label: 'fail' },
  { transcript: balance, acceptance: 'The caller hears the account balance.', label: 'pass' },
  { transcript: noBalance, acceptance: 'The IVR tells the caller the account balance', label: 'fail' },
  { transcript: balance, acceptance: 'The system reads back the account number 12345678.', label: 'pass' },
  {
    transcript: noBalance,
    acceptance: 'The system reads back the account number that the caller entered.',
    label: 'fail',
  },
  {
    transcript: balance,
    acceptance: 'It reads back the number the caller entered and tells the account balance.',
    label: 'pass',
  },
  { transcript: balance, acceptance: 'The IVR must not ask for a PIN.', label: 'pass' },
  {
    transcript: balance,
    acceptance: 'The IVR asks for the account number. It must not say "declined".',
    label: 'pass',
  },
  { transcript: balance, acceptance: 'Says "this call may be recorded" before "your current balance"', label: 'pass' },
  { transcript: noBalance, acceptance: '"this call may be recorded"', label: 'fail' },
  {
    transcript: noisy,
    acceptance: 'The greeting says "this call may be recorded for quality purposes"',
    label: 'pass',
  },
  { transcript: balance, acceptance: 'Ends with "goodbye".', label: 'pass' },
  { transcript: silentMenu, acceptance: 'The IVR says goodbye at the end.', label: 'fail' },
  { transcript: balance, acceptance: 'The menu offers "lost or stolen cards" on key 2.', label: 'pass' },
  { transcript: silentMenu, acceptance: 'The menu offers "billing".', label: 'fail' },
  { transcript: silentMenu, acceptance: 'The menu offers support on key 1.', label: 'fail' },
  { transcript: noisy, acceptance: 'The menu offers account balance on key 1', label: 'pass' },
  { transcript: agent, acceptance: 'The caller reaches a live agent.', label: 'pass' },
  { transcript: noAgent, acceptance: 'The caller reaches a person.', label: 'fail' },
  { transcript: voicemail, acceptance: 'The caller reaches a human.', label: 'fail' },
  { transcript: balance, acceptance: 'The caller gets through to an operator', label: 'fail' },
  { transcript: agent, acceptance: 'The call is transferred to the billing department.', label: 'pass' },
  { transcript: noAgent, acceptance: 'The caller is transferred to billing.', label: 'fail' },
  { transcript: clinic, acceptance: 'The IVR tells the opening hours.', label: 'pass' },
  { transcript: noAgent, acceptance: 'The IVR tells the opening hours.', label: 'fail' },
  { transcript: clinic, acceptance: 'Pass if the greeting says "dial 911".', label: 'pass' },
  { transcript: agent, acceptance: 'Pass if the greeting says "dial 911".', label: 'fail' },
  { transcript: clinic, acceptance: 'Fails if the IVR says "please leave a message".', label: 'pass' },
  { transcript: voicemail, acceptance: 'Fails if the IVR says "please leave a message".', label: 'fail' },
  { transcript: declined, acceptance: 'The IVR says "your payment was approved".', label: 'fail' },
  { transcript: declined, acceptance: 'The IVR must never say "declined" or "failed".', label: 'fail' },
  { transcript: parcel, acceptance: 'It reads back the tracking number 998877 and says goodbye.', label: 'pass' },
  {
    transcript: parcel,
    acceptance: 'The IVR says "your parcel was delivered" or "your parcel is on its way".',
    label: 'pass',
  },
  { transcript: wrongDigits, acceptance: 'The system reads back the digits the caller entered.', label: 'fail' },
  { transcript: parcel, acceptance: 'The agent sounds friendly and apologises for the delay.', label: 'fail' },
  { transcript: balance, acceptance: 'The caller learns how much money is in the account.', label: 'pass' },
  { transcript: noBalance, acceptance: 'The IVR answers within 5 seconds and the account is found.', label: 'fail' },
  { transcript: agent, acceptance: 'The caller waits less than two minutes for a human.', label: 'pass' },
  { transcript: clinic, acceptance: 'The clinic is open on Saturdays.', label: 'pass' },
  {
    transcript: agent,
    acceptance: 'The IVR mentions billing and reaches an agent; the caller is not asked for a card number.',
    label: 'pass',
  },
  { transcript: declined, acceptance: 'The payment goes through, or the caller is told why not.', label: 'fail' },
  { transcript: parcel, acceptance: 'Says "thanks for calling" in its last message', label: 'pass' },
  { transcript: noisy, acceptance: 'The IVR says "press 2 for lost or stolen cards".', label: 'fail' },
];
