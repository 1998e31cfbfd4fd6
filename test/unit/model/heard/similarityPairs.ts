/** An expected and a heard transcript, labelled by a person: is it the same announcement? */
export interface LabelledPair {
  readonly expected: string;
  readonly heard: string;
}

/** Reads one pair a line, what is expected and what was heard. */
export const pairsIn = (text: string): LabelledPair[] =>
  text
    .trim()
    .split('\n')
    .map((line) => {
      const [expected = '', heard = ''] = line.trim().split(/ → ?/);
      return { expected, heard };
    });

export const different = pairsIn(`
  For billing, press 1. → For billing, press 2.
  For billing, press 1. → For billing, press 2. For sales, press 1.
  For billing, press 1. → For sales, press 1.
  For billing, press 1. For sales, press 2. → For billing, press 2. For sales, press 1.
  Press 1 for billing. → Press 2 for billing, press 1 for sales.
  For billing, press 1. → For billing, press 12.
  This service is not available. → This service is available.
  This service is available. → This service is not available.
  This service is available. → This service is unavailable.
  Your account is active. → Your account is inactive.
  You can leave a message. → you can't leave a message
  Your payment was accepted. → Your payment was declined.
  You have no new messages. → You have two new messages.
  We are open on Sunday. → we are not open on Sunday
  Open on Sunday. → we are not open on Sunday
  Your balance is $200. → Your balance is two thousand dollars.
  Your balance is $200. → your balance is two hundred and five dollars
  Your balance is $15. → your balance is fifty dollars
  Your balance is 20 dollars. → your balance is twenty cents
  We are open from 9 am to 5 pm. → we are open from nine a m to six p m
  We are open from 9 am to 5 pm. → we are open from nine pm to five pm
  We open on Monday at 8. → We open on Tuesday at 8.
  Your appointment is on March 3rd. → Your appointment is on March 13th.
  Your confirmation code is 4567. → your confirmation code is four five six eight
  Call us at 1-800-555-0100. → call us at one eight hundred five five five zero one zero one
  Enter your PIN followed by the pound key. → Enter your PIN followed by the star key.
  Please enter your account number. → Please enter your card number.
  For English, press 1. → For Spanish, press 1.
  Thank you for calling Acme Bank. → Thank you for calling Harbour Bank.
  To pay a bill, press 2. → To report a lost card, press 2.
  Please hold for the next agent. → Please leave a message after the tone.
  Your call is important to us. → The number you have dialled is not in service.
  Welcome to * bank. → Welcome to Acme Insurance.
  For your checking account, press 1. → For your savings account, press 1.
  For billing, press 1. → 
  Our offices are now closed. → Our offices are now open.
  Your card ending in 1234 has been blocked. → Your card ending in 1243 has been blocked.
  Thank you for calling Northfield Savings. For your account balance, press 1. For cards, press 2. For loans and mortgages, press 3. To hear these options again, press 9. → Thank you for calling Northfield Savings. For your account balance, press 1. For cards, press 2. For loans and mortgages, press 4. To hear these options again, press 9.
  Thank you for calling Northfield Savings. Online banking is not available at the moment. For everything else, please stay on the line and an agent will be with you shortly. → Thank you for calling Northfield Savings. Online banking is available at the moment. For everything else, please stay on the line and an agent will be with you shortly.
  Main menu. For billing, press 1. For sales, press 2. For technical support, press 3. → Billing menu. To pay your bill, press 1. To dispute a charge, press 2. For the main menu, press star.
  To change your appointment, press 1. → To cancel your payment, press one.
  Your prescription is ready. → Your subscription has expired.
  Your balance is two hundred dollars. → Your bill has risen to three hundred dollars.
  To start a new service, press 1. → To stop an old service, press one.
`);

export const same = pairsIn(`
  For billing, press 1. → for billing press one
  For billing, press 1. For sales, press 2. → For billing press one, for sales press two.
  For the 2nd option, press 2. → for the second option press two
  Your balance is $200. → Your balance is two hundred dollars.
  Your balance is $1,234.56. → your balance is one thousand two hundred thirty four dollars and fifty six cents
  Your payment of $45.00 is due on March 3rd. → Your payment of forty five dollars is due on March third.
  We are open from 9 am to 5 pm, Monday through Friday. → We are open from nine a m to five p m Monday through Friday
  We are open from 9:00 a.m. to 5:30 p.m. → we are open from nine AM to five thirty PM
  Our office opens at 8 o'clock. → our office opens at eight
  Call us at 1-800-555-0100. → call us at one eight hundred five five five zero one zero zero
  Call us at 1-800-555-0100. → call us at 1 800 555, 0100
  Call us at 1.800.555.0100 → Call us at one, eight zero zero, five five five, oh one oh oh.
  The number is 202 555 0143. → the number is two oh two five double five oh one four three
  You entered 4 5 6 7. → You entered four, five, six, seven.
  Your confirmation code is 90210. → your confirmation code is nine oh two one zero
  You have 12 new messages. → You have twelve new messages.
  You have one new message. → you have 1 new message
  Press 1 to speak to an agent. → press one two speak to an agent
  For support, press 4. → four support press for
  To repeat this menu, press 8. → To repeat this menu, press ate.
  Press 1 for English. → Press won for English.
  Please log in to your voicemail. → please login to your voice mail
  Please say or enter your PIN. → Please say or enter your pen.
  Enter your mail box number, followed by the pound key. → Enter your mailbox number followed by the hash key.
  To check your balance, press star. → to cheque your balance press *9 star
  I'm sorry, I didn't get that. → I am sorry I did not get that
  That extension isn't valid. → that extension is not valid
  Thank you for calling Northfield Savings. → Um, thank you for, uh, calling Northfield Savings.
  Please hold while I transfer your call. → Hold while I transfer your call.
  All of our representatives are busy. → All of our representative are busy.
  Your call is important to us. → Welcome to Acme. Your call is important to us. Please stay on the line and we will be right with you.
  For claims, press 3. → Thank you for calling. For billing, press 1. For sales, press 2. For claims, press 3. For anything else, press 0.
  Welcome to * bank. → Welcome to the First National bank.
  Your appointment is on * at 3 pm. → your appointment is on Tuesday the fourteenth of June at three p.m.
  Your e-mail address was updated on-line. → your email address was updated online
  Our rate is 3.5 percent. → our rate is three point five per cent
  Your order was placed in 2024. → your order was placed in twenty twenty four
  You will be charged £20. → you will be charged twenty pounds
  This call may be recorded for quality and training purposes. → This call maybe recorded for quality and training purposes.
  If this is an emergency, hang up and dial 911. → if this is an emergency hang up and dial nine one one
  Your balance is two hundred dollars. → Your bell insists two hundred dollars. Welcome to Harbour Bank for accounts, press one.
  For payments, press 1. For meter readings, press 2. → 4-pamence press 1 4-meter readings press 2 4-the previous menu press star
  Enter your 4-digit code. → enter your four digit code
  To book an appointment, press 1. → To boot can a point meant, press one. For prescriptions, press two.
`);
