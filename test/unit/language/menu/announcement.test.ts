import assert from 'node:assert/strict';
import {
  announcesRecording,
  classifyAnnouncement,
  introducesPerson,
  rejectsKey,
  saysNoAnswer,
} from '../../../../src/language/menu/announcement.ts';
import { mayAskForEntry } from '../../../../src/language/menu/input.ts';

const rows = (text: string): string[] =>
  text
    .trim()
    .split('\n')
    .map((row) => row.trim());

/** As the person said it, or as a recogniser writes it. */
const persons = rows(`
  Central baggage, this is Darnell. Could I have your file number?
  central baggage this is darnell could i have your file number
  Transportation office, this is Priya.
  transportation office this is priya
  Transportation office. This is tar now.
  Front desk, Tom speaking.
  front desk tom speaking
  Claims, how can I help you?
  claims how can i help you
  Hello, this is Sam speaking. How can I help you?
  waiting up the engineer on call hello this is em speaking how can i help you
  Good afternoon, this is the front desk.
  One moment while I find a nurse for you. Hello, this is Sam speaking. How can I help you?
  Thank you for holding. My name is Jess, who am I speaking with?
  Thank you for calling Acme, this is Ramona, how may I direct your call?
  Hi, I'm Kelly. What can I do for you?
  Good morning, Doctor Patel's office, can you hold please?
  Billing, this is Marcus Webb.
  Billing, Marcus Webb speaking, what's your account number?
  Accounts payable, this is Jo, can I get your name please?
  This is Nurse Hanna on the third floor, go ahead.
  This is Dr. Ortiz.
  Service desk, you're speaking with Lena. Who's calling please?
  Night desk. This is Omar. Where are you calling from?
  Dispatch, this is Carol, what is the address of your emergency?
  This call is recorded. Claims department, this is Bo. May I have the policy number?
  Hello, you're through to Deborah in the claims team, how can I help today?
  Hi there, thanks for waiting, this is Raj, can you tell me your booking reference?
  reservations this is ling how may i help
  Parts department, how may I help you?
  Yes, this is Walter.
  Hello, this is Sam. Thanks for holding.
  Switchboard, Ivy speaking, which department do you need?
  Good evening, room service, Pablo speaking, what would you like to order?
  Maintenance, this is Gus, I can help you with that.
  Hi, my name is Bethany and I'm with the retention team. How are you today?
  pharmacy this is when could you give me your date of birth
  Radiology. Kim speaking. What can I do for you?
  Hello, Rosa here, how can I help?
  Legal, what can I do for you?
`);

const otherPersons = rows(`
  Lost property, this is Winston. What did you lose?
  lost property this is winston what did you lose
  Ticket office, Amira speaking.
  Admissions, this is Father Brown, may I ask who's calling?
  Security, how can I help?
  Good morning, Lakeside Dental, this is Trish.
  good morning lakeside dental this is trish
  Bookings. You're speaking to Alan. Could you spell your last name for me?
  Hello, this is the night porter.
  This is Sofia from the fraud team, can I take your full name?
  Customer care, Devon speaking, may I have your phone number?
  Hold on, we are getting a doctor. Hi, this is Dr. Lim. What's going on with your dog?
  hi this is beer in roadside how can i help you
  Thanks for calling Harlow Motors, Pete speaking, how can I help?
  Good evening, my name is Anton, how may I help you?
  Tech support, this is Yuki. Are you in front of the computer now?
  Vet clinic, what can I do for you today?
  This is Margaret, who am I talking to?
  Warehouse, this is Luis Alvarez speaking.
  Housekeeping, this is Mei, how may I assist you?
  Ward seven, Sister Clarke speaking, can I help you?
`);

const recordings = rows(`
  Hi, I'm Ava, your virtual assistant. You can say billing or support.
  Hello, I am the automated assistant of Summit Broadband. Tell me what you are calling about.
  This is the automated booking line.
  Hello, this is Acme Bank. Our offices are closed.
  Hello, this is the county clerk's office. We are closed until Monday.
  This is a recorded message.
  This is a recording. The number you have dialed is not in service.
  This is the main menu.
  This is not available.
  This is closed today.
  This is your last chance to enter your PIN.
  If this is correct, please wait.
  Please hold while I transfer your call.
  All of our agents are busy. Please stay on the line.
  Your call may be recorded.
  We are looking up your account.
  Thank you for calling. Please call back during business hours.
  Welcome to Acme. How can I help you today?
  Thank you for calling Summit Broadband. How can I help you?
  In a few words, how can I help you?
  Please start speaking after the tone.
  Start speaking now.
  English speaking agents are not available.
  You are speaking with the automated assistant.
  Hi, this is Bob. I'm not here right now. Please leave a message.
  Hello, you have reached the voicemail of Maria Lopez.
  I'm sorry, I didn't get that.
  I'm having trouble understanding you.
  Hello, I'm Max, the digital assistant. How can I help you today?
  This is being recorded.
  What this is about matters to us.
  Stay clear of the line. Connecting you to the control room.
  This is Acme Bank. Did you know that you can pay online?
  Please enter your account number.
  Could you tell me your account number?
  Can I have your zip code?
  Our new app is here. How can we make it better for you and your family and friends in the coming year, we would like to know.
  Hello. This is Northern Rail. Trains are delayed because of the snow.
  Your balance is two hundred dollars.
  This is very important.
`);

const otherRecordings = rows(`
  Hello, I'm Nova, an AI agent. How can I help you today?
  Welcome. This is the voice assistant of Delta Gas. What can I do for you?
  This is a test of the emergency line.
  This is an automated call from your pharmacy.
  this is an automated call from your pharmacy
  Hello, this is Dr. Chen's office. The office is closed for lunch.
  Hi, you've reached Tom. I can't take your call.
  This is out of service.
  This is the last message.
  Transferring you to sales.
  Please hold for the claims desk.
  Thanks for calling Bright Dental. What can I do for you today?
  We're sorry, this is unavailable right now.
  To make sure this is you, please enter your PIN.
  Please listen, because this is new.
  Before speaking, wait for the tone.
  A ranger is being called.
  I'm connecting you to an agent.
  I'm here to help. Please describe your problem in a few words.
  Hello, this is Kingsley Energy. Power is out in your area.
  You can ask me for anything. How can I help?
`);

describe('a person who answers', () => {
  for (const text of persons) it(`speaks in "${text}"`, () => assert.equal(classifyAnnouncement(text), 'human'));
  for (const text of recordings)
    it(`doesn't speak in "${text}"`, () => assert.notEqual(classifyAnnouncement(text), 'human'));
});

describe('a person who answers (other wordings)', () => {
  for (const text of otherPersons) it(`speaks in "${text}"`, () => assert.equal(classifyAnnouncement(text), 'human'));
  for (const text of otherRecordings)
    it(`doesn't speak in "${text}"`, () => assert.notEqual(classifyAnnouncement(text), 'human'));
});

describe('the introduction of a person', () => {
  it('has a name or a place, not only an offer of help', () => {
    assert.equal(introducesPerson('Claims, this is Bo. How can I help you?'), true);
    assert.equal(introducesPerson('Claims, how can I help you?'), false);
  });
});

const check = (title: string, test: (text: string) => boolean, yes: string, no: string): void => {
  describe(title, () => {
    for (const text of rows(yes)) it(`matches "${text}"`, () => assert.equal(test(text), true));
    for (const text of rows(no)) it(`doesn't match "${text}"`, () => assert.equal(test(text), false));
  });
};

check(
  'a greeting that a recording follows',
  (text) => announcesRecording(text, false),
  `
    Nobody is available to take your call at the moment.
    The person at extension 201 is unavailable.
    the person you are calling is on the phone
    Hi, it's Tom. I can't come to the phone right now.
    You've reached the voice mailbox of Dana.
    After the tone, say your temporary message, and then press the pound key.
    Please leave your message after the tone. When done hang up or press the pound key.
    Record a message for the team.
  `,
  `
    Our address is 12 Market Street.
    Please hold while I connect you.
    The number you have dialed is not in service.
    Please send your documents by fax after the tone.
  `,
);

check(
  'a menu that ends with a recording',
  (text) => announcesRecording(text, true),
  `
    To page me, press 5. Otherwise, wait for the beep.
    To page me, press 5. Or leave a message.
  `,
  `
    To leave a message, press 1. For sales, press 2.
    If no one is available, press 1.
  `,
);

check(
  'a complaint that no answer arrived',
  saysNoAnswer,
  `
    You did not respond. Goodbye.
    You didn't choose anything.
    We did not receive a response.
    No input was received.
    Are you still there?
  `,
  `
    If you did not choose a plan, press 2.
    You did not win this time.
  `,
);

check(
  'a rejection of a key or an entry',
  (text) => classifyAnnouncement(text) === 'invalid',
  `
    That is not a valid selection. Please try again.
    Invalid entry.
    Your response was not understood.
    The extension you dialed doesn't exist.
    The number you have entered does not exist.
    That option is not available.
    Sorry, this is not available at this time.
    Your choice is not currently available.
    The selection you have made isn't available.
  `,
  `
    Your call has been forwarded to an automatic voice message system. Robin Delgado is not available.
    The person at extension four zero is not available.
    All agents are busy. This service exists since 1990.
    Sorry, if the option you want is not listed, stay on the line.
  `,
);

check(
  'a request whose verb was misheard',
  mayAskForEntry,
  `
    Please intern the number you wish to call.
    Welcome. Please anchor your four digit PIN.
  `,
  `
    Please check the number and dial again.
    Please call us at the following number.
    Please hold while we look up your account number.
    The number is not in service.
  `,
);

check(
  'an answer to a key that leads nowhere',
  rejectsKey,
  `
    Goodbye.
    Thank you for calling. Goodbye.
    Thanks so much for calling Northern Rail. Good bye.
    Please try again later. Goodbye.
    We are sorry you are having trouble. Goodbye.
    That is not a valid selection.
    Have a nice day.
  `,
  `
    Our office is closed. Goodbye.
    The boat has left. Thank you for calling.
    Thank you for calling our office is closed. Goodbye.
    We open at nine. Have a nice day.
    For sales, press 1.
  `,
);
