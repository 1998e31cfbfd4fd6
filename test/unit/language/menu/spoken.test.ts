import assert from 'node:assert/strict';
import { readMenu } from '../../../../src/language/menu/readMenu.ts';

const rows = (text: string): string[] =>
  text
    .trim()
    .split('\n')
    .map((row) => row.trim());

/** A prompt, then its phrases, and its keys after a bar. */
const lists = rows(`
  You can say: book a flight. Change a flight. Flight status. Or press star for more options. → book a flight, change a flight, flight status | *
  You can say: book a flight. Change a flight. Flight status. Or press star. → book a flight, change a flight, flight status | *
  Say: new date. Cancel my trip. Choose a seat. Or: same day standby. → new date, cancel my trip, choose a seat, same day standby
  you can say book a flight change a flight flight status or press star for more options → book a flight, change a flight, flight status | *
  You can say, book a flight, change a flight, flight status, or press star for more options. → book a flight, change a flight, flight status | *
  You can say book a flight, change a flight. Flight status, or baggage. → book a flight, change a flight, flight status, baggage
  You can say billing, technical support. Moving, or cancel my service. → billing, technical support, moving, cancel my service
  Please say billing. Support. Or sales. → billing, support, sales
  Say billing; support; or sales. → billing, support, sales
  Say one of the following: lost card. New card. Balance. → lost card, new card, balance
  Please say one of these options: lost card, new card, or balance. → lost card, new card, balance
  You can say things such as pay my bill, report an outage, or move my service. → pay my bill, report an outage, move my service
  Here are some things you can say: pay my bill. Report an outage. Move my service. → pay my bill, report an outage, move my service
  You can say. Pay my bill. Report an outage. Or move my service. → pay my bill, report an outage, move my service
  You can say pay my bill report an outage or move my service. → pay my bill, report an outage, move my service
  Say sales, service, parts. To hear this again, press star. → sales, service, parts | *
  Say sales. Service. Parts. To hear this again, press star. → sales, service, parts | *
  Say sales. Service. Parts. Please hold if you are not sure. → sales, service, parts
  You can say: where is my order? Return an item. Or: something else. → where is my order, return an item, something else
  Tell me what you need. For example, say, renew my subscription, or, add more seats. → renew my subscription, add more seats
  Say "new date". "Cancel my trip". Or "choose a seat". → new date, cancel my trip, choose a seat
  Say "new date", "cancel my trip" or "choose a seat", or press 0. → new date, cancel my trip, choose a seat | 0
  Just say check in - upgrade - or cancel. → check in, upgrade, cancel
  Say yes or no. → yes, no
  Please say yes. Or no. → yes, no
  Say slow. Or not working. → slow, not working
  You can say, another vehicle, an animal, or, an object. → another vehicle, an animal, an object
  You can say, another vehicle. An animal. Or. An object. → another vehicle, an animal, an object
  Main menu. Say: appointments. Prescriptions. Test results. For emergencies, press 9. → appointments, prescriptions, test results | 9
  Press star to go back, or say: appointments. Prescriptions. Or test results. → appointments, prescriptions, test results | *
  You can also say main menu. Thank you. → main menu
  To speak with an agent, say agent. Your call may be recorded. → agent
  Say reserve a car, cancel a reservation, or change a pickup location. We are open every day. → reserve a car, cancel a reservation, change a pickup location
  Say pay a fine. Contest a fine. Or jury duty. If you know your case number, press 1. → pay a fine, contest a fine, jury duty | 1
  You can say i want to cancel. I have a question. Or i need help. → i want to cancel, i have a question, i need help
  You may say opening hours, prices. Directions. → opening hours, prices, directions
  Please say order a kit. Check a result. Talk to a nurse. Otherwise, stay on the line. → order a kit, check a result, talk to a nurse
  Say rent a truck, buy boxes, or store locations; or press zero for an agent. → rent a truck, buy boxes, store locations | 0
  say track a package schedule a pickup or find a store → track a package, schedule a pickup, find a store
  Say tow truck, flat tire. Dead battery or locked out. Or press 2. → tow truck, flat tire, dead battery, locked out | 2
`);

const otherLists = rows(`
  You can say: start a claim. Check a claim. Pay a premium. Or press pound to hear this again. → start a claim, check a claim, pay a premium | #
  Say: upgrade. New phone. Lost phone. Or: roaming. → upgrade, new phone, lost phone, roaming
  you can say start a claim check a claim or pay a premium → start a claim, check a claim, pay a premium
  you can say start a claim check a claim pay a premium or press zero → start a claim, check a claim, pay a premium | 0
  Please say deposits. Withdrawals. Or transfers. → deposits, withdrawals, transfers
  Please say deposits, withdrawals. Transfers. → deposits, withdrawals, transfers
  Say one of these: leaks; meters; bills. → leaks, meters, bills
  You can say. Leaks. Meters. Or bills. → leaks, meters, bills
  Things you can say are: my points, my tier, or book a room. → my points, my tier, book a room
  Say check in. Check out. Late arrival. Press star to repeat. → check in, check out, late arrival | *
  Say check in, check out, late arrival. Press star to repeat. → check in, check out, late arrival | *
  You can say my plan. My usage. My bill. Or, for anything else, press zero. → my plan, my usage, my bill | 0
  Say enrollment. Financial aid. Housing. To hear the dates, press 4. → enrollment, financial aid, housing | 4
  Say "tickets". "Parking". "Lost and found". → tickets, parking, lost and found
  You could say things like reset my password, unlock my account or set up my phone. → reset my password, unlock my account, set up my phone
  Say refill. Status. Pharmacist. This call may be recorded. → refill, status, pharmacist
  Say morning or afternoon. → morning, afternoon
  Say morning. Or afternoon. Or evening. → morning, afternoon, evening
  You can say pick up times. Missed pick up. Or large items. Goodbye. → pick up times, missed pick up, large items
  Say book a table, cancel a table. Gift cards. Or press one. → book a table, cancel a table, gift cards | 1
`);

const noLists = rows(`
  We're sorry to say that we are closed.
  We're sorry to say our office is closed.
  We are sorry to say, all lines are busy. Try again tomorrow.
  Please say your account number.
  Please say or enter your card number.
  Say your name after the tone.
  Please say the name of the person.
  Needless to say, we are here to help.
  We would like to say thank you. Have a nice day.
  Customers say we are the best. Thank you.
  As they say, good things take time.
  I heard you say billing. Is that right?
  Did you say billing?
  Say goodbye to long lines with our app. Download it today.
  Say hello to our new website.
  We say thank you to all our members.
  Doctors say rest is important. Stay home.
  That is to say, we open at nine.
  They say it may rain. Drive safely.
  I'm happy to say your order is ready.
  We are pleased to say your refund was approved.
  If someone else says yes, we need their name.
  You don't have to say anything. Please wait.
  Please say a few words about your problem.
  Say it again, please.
  Say what you are calling about.
  We regret to say the line is busy. Goodbye.
  Some people say no. Others wait.
  There is nothing more to say. Goodbye.
  Before you say anything, listen.
  Sorry, what did you say?
  I can't say when the agent will be free. Please wait.
  It's fair to say demand is high. Thank you for your patience.
  We have to say no. Goodbye.
  The rules say no refunds. Thank you.
  Sad to say, the event is sold out.
  You have no say in this matter. Please hold.
  Nobody can say how long. Please hold.
  Suffice it to say, we are busy.
  Experts say savings help. Visit our website.
`);

/** Ends of prompts that aren't part of the list before them. */
const closed = rows(`
  Say billing. Thank you for calling. → billing
  Say yes or no. Main menu. → yes, no
  Say agent when you are ready. New members. Welcome. → agent
  Say agent. Claims are handled by our partner. → agent
  Say agent. Please listen. Press 1. → agent | 1
  I can help you with billing, appointments, prescriptions. Which one? → billing, appointments, prescriptions
  Say coins or pressure gauges. → coins, pressure gauges
  please tell me what you need such as a claim a policy or a quote → a claim, a policy, a quote
`);

function check(row: string): void {
  const [text = '', expected = ''] = row.split(' →').map((part) => part.trim());
  const { speech, options } = readMenu(text);
  const keys = options.map(({ key }) => key).join(' ');
  assert.equal(`${speech.join(', ')}${keys === '' ? '' : ` | ${keys}`}`, expected);
}

describe('a list of phrases to say', () => {
  for (const row of [...lists, ...closed]) it(row, () => check(row));
  for (const text of noLists) it(`excludes "${text}"`, () => assert.deepEqual(readMenu(text).speech, []));
});

describe('a list of phrases to say (other wordings)', () => {
  for (const row of otherLists) it(row, () => check(row));
});
