/** An expected and a heard transcript, labelled by a person: is it the same announcement? */
export interface LabelledPair {
  readonly expected: string;
  readonly heard: string;
}

export const same: readonly LabelledPair[] = [
  { expected: 'For billing, press 1.', heard: 'for billing press one' },
  { expected: 'For billing, press 1. For sales, press 2.', heard: 'For billing press one, for sales press two.' },
  { expected: 'For the 2nd option, press 2.', heard: 'for the second option press two' },
  { expected: 'Your balance is $200.', heard: 'Your balance is two hundred dollars.' },
  {
    expected: 'Your balance is $1,234.56.',
    heard: 'your balance is one thousand two hundred thirty four dollars and fifty six cents',
  },
  {
    expected: 'Your payment of $45.00 is due on March 3rd.',
    heard: 'Your payment of forty five dollars is due on March third.',
  },
  {
    expected: 'We are open from 9 am to 5 pm, Monday through Friday.',
    heard: 'We are open from nine a m to five p m Monday through Friday',
  },
  { expected: 'We are open from 9:00 a.m. to 5:30 p.m.', heard: 'we are open from nine AM to five thirty PM' },
  { expected: "Our office opens at 8 o'clock.", heard: 'our office opens at eight' },
  { expected: 'Call us at 1-800-555-0100.', heard: 'call us at one eight hundred five five five zero one zero zero' },
  { expected: 'Call us at 1-800-555-0100.', heard: 'call us at 1 800 555, 0100' },
  { expected: 'Call us at 1.800.555.0100', heard: 'Call us at one, eight zero zero, five five five, oh one oh oh.' },
  { expected: 'The number is 202 555 0143.', heard: 'the number is two oh two five double five oh one four three' },
  { expected: 'You entered 4 5 6 7.', heard: 'You entered four, five, six, seven.' },
  { expected: 'Your confirmation code is 90210.', heard: 'your confirmation code is nine oh two one zero' },
  { expected: 'You have 12 new messages.', heard: 'You have twelve new messages.' },
  { expected: 'You have one new message.', heard: 'you have 1 new message' },
  { expected: 'Press 1 to speak to an agent.', heard: 'press one two speak to an agent' },
  { expected: 'For support, press 4.', heard: 'four support press for' },
  { expected: 'To repeat this menu, press 8.', heard: 'To repeat this menu, press ate.' },
  { expected: 'Press 1 for English.', heard: 'Press won for English.' },
  { expected: 'Please log in to your voicemail.', heard: 'please login to your voice mail' },
  { expected: 'Please say or enter your PIN.', heard: 'Please say or enter your pen.' },
  {
    expected: 'Enter your mail box number, followed by the pound key.',
    heard: 'Enter your mailbox number followed by the hash key.',
  },
  { expected: 'To check your balance, press star.', heard: 'to cheque your balance press *9 star' },
  { expected: "I'm sorry, I didn't get that.", heard: 'I am sorry I did not get that' },
  { expected: "That extension isn't valid.", heard: 'that extension is not valid' },
  {
    expected: 'Thank you for calling Northfield Savings.',
    heard: 'Um, thank you for, uh, calling Northfield Savings.',
  },
  { expected: 'Please hold while I transfer your call.', heard: 'Hold while I transfer your call.' },
  { expected: 'All of our representatives are busy.', heard: 'All of our representative are busy.' },
  {
    expected: 'Your call is important to us.',
    heard: 'Welcome to Acme. Your call is important to us. Please stay on the line and we will be right with you.',
  },
  {
    expected: 'For claims, press 3.',
    heard:
      'Thank you for calling. For billing, press 1. For sales, press 2. For claims, press 3. For anything else, press 0.',
  },
  { expected: 'Welcome to * bank.', heard: 'Welcome to the First National bank.' },
  {
    expected: 'Your appointment is on * at 3 pm.',
    heard: 'your appointment is on Tuesday the fourteenth of June at three p.m.',
  },
  { expected: 'Your e-mail address was updated on-line.', heard: 'your email address was updated online' },
  { expected: 'Our rate is 3.5 percent.', heard: 'our rate is three point five per cent' },
  { expected: 'Your order was placed in 2024.', heard: 'your order was placed in twenty twenty four' },
  { expected: 'You will be charged £20.', heard: 'you will be charged twenty pounds' },
  {
    expected: 'This call may be recorded for quality and training purposes.',
    heard: 'This call maybe recorded for quality and training purposes.',
  },
  {
    expected: 'If this is an emergency, hang up and dial 911.',
    heard: 'if this is an emergency hang up and dial nine one one',
  },
  {
    expected: 'Your balance is two hundred dollars.',
    heard: 'Your bell insists two hundred dollars. Welcome to Harbour Bank for accounts, press one.',
  },
  {
    expected: 'For payments, press 1. For meter readings, press 2.',
    heard: '4-pamence press 1 4-meter readings press 2 4-the previous menu press star',
  },
  { expected: 'Enter your 4-digit code.', heard: 'enter your four digit code' },
  {
    expected: 'To book an appointment, press 1.',
    heard: 'To boot can a point meant, press one. For prescriptions, press two.',
  },
];

export const different: readonly LabelledPair[] = [
  { expected: 'For billing, press 1.', heard: 'For billing, press 2.' },
  { expected: 'For billing, press 1.', heard: 'For billing, press 2. For sales, press 1.' },
  { expected: 'For billing, press 1.', heard: 'For sales, press 1.' },
  { expected: 'For billing, press 1. For sales, press 2.', heard: 'For billing, press 2. For sales, press 1.' },
  { expected: 'Press 1 for billing.', heard: 'Press 2 for billing, press 1 for sales.' },
  { expected: 'For billing, press 1.', heard: 'For billing, press 12.' },
  { expected: 'This service is not available.', heard: 'This service is available.' },
  { expected: 'This service is available.', heard: 'This service is not available.' },
  { expected: 'This service is available.', heard: 'This service is unavailable.' },
  { expected: 'Your account is active.', heard: 'Your account is inactive.' },
  { expected: 'You can leave a message.', heard: "you can't leave a message" },
  { expected: 'Your payment was accepted.', heard: 'Your payment was declined.' },
  { expected: 'You have no new messages.', heard: 'You have two new messages.' },
  { expected: 'We are open on Sunday.', heard: 'we are not open on Sunday' },
  { expected: 'Open on Sunday.', heard: 'we are not open on Sunday' },
  { expected: 'Your balance is $200.', heard: 'Your balance is two thousand dollars.' },
  { expected: 'Your balance is $200.', heard: 'your balance is two hundred and five dollars' },
  { expected: 'Your balance is $15.', heard: 'your balance is fifty dollars' },
  { expected: 'Your balance is 20 dollars.', heard: 'your balance is twenty cents' },
  { expected: 'We are open from 9 am to 5 pm.', heard: 'we are open from nine a m to six p m' },
  { expected: 'We are open from 9 am to 5 pm.', heard: 'we are open from nine pm to five pm' },
  { expected: 'We open on Monday at 8.', heard: 'We open on Tuesday at 8.' },
  { expected: 'Your appointment is on March 3rd.', heard: 'Your appointment is on March 13th.' },
  { expected: 'Your confirmation code is 4567.', heard: 'your confirmation code is four five six eight' },
  { expected: 'Call us at 1-800-555-0100.', heard: 'call us at one eight hundred five five five zero one zero one' },
  { expected: 'Enter your PIN followed by the pound key.', heard: 'Enter your PIN followed by the star key.' },
  { expected: 'Please enter your account number.', heard: 'Please enter your card number.' },
  { expected: 'For English, press 1.', heard: 'For Spanish, press 1.' },
  { expected: 'Thank you for calling Acme Bank.', heard: 'Thank you for calling Harbour Bank.' },
  { expected: 'To pay a bill, press 2.', heard: 'To report a lost card, press 2.' },
  { expected: 'Please hold for the next agent.', heard: 'Please leave a message after the tone.' },
  { expected: 'Your call is important to us.', heard: 'The number you have dialled is not in service.' },
  { expected: 'Welcome to * bank.', heard: 'Welcome to Acme Insurance.' },
  { expected: 'For your checking account, press 1.', heard: 'For your savings account, press 1.' },
  { expected: 'For billing, press 1.', heard: '' },
  { expected: 'Our offices are now closed.', heard: 'Our offices are now open.' },
  { expected: 'Your card ending in 1234 has been blocked.', heard: 'Your card ending in 1243 has been blocked.' },
  {
    expected:
      'Thank you for calling Northfield Savings. For your account balance, press 1. For cards, press 2. For loans and mortgages, press 3. To hear these options again, press 9.',
    heard:
      'Thank you for calling Northfield Savings. For your account balance, press 1. For cards, press 2. For loans and mortgages, press 4. To hear these options again, press 9.',
  },
  {
    expected:
      'Thank you for calling Northfield Savings. Online banking is not available at the moment. For everything else, please stay on the line and an agent will be with you shortly.',
    heard:
      'Thank you for calling Northfield Savings. Online banking is available at the moment. For everything else, please stay on the line and an agent will be with you shortly.',
  },
  {
    expected: 'Main menu. For billing, press 1. For sales, press 2. For technical support, press 3.',
    heard: 'Billing menu. To pay your bill, press 1. To dispute a charge, press 2. For the main menu, press star.',
  },
  { expected: 'To change your appointment, press 1.', heard: 'To cancel your payment, press one.' },
  { expected: 'Your prescription is ready.', heard: 'Your subscription has expired.' },
  { expected: 'Your balance is two hundred dollars.', heard: 'Your bill has risen to three hundred dollars.' },
  { expected: 'To start a new service, press 1.', heard: 'To stop an old service, press one.' },
];
