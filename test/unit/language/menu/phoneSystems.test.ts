import assert from 'node:assert/strict';
import { LiveGuard } from '../../../../src/language/mission/liveGuard.ts';
import { readMenu } from '../../../../src/language/menu/readMenu.ts';

const rows = (text: string): string[] =>
  text
    .split('\n')
    .map((row) => row.trim())
    .filter((row) => row !== '');

/** Prompts of banks, clinics, carriers, airlines, councils and PBXs, and what a person understands. */
const clear = rows(`
  Thank you for calling First Harbor Bank. For account balances and recent activity, press 1. To report a lost or stolen card, press 2. For loans and mortgages, press 3. To speak with a banker, press 0. → 1 account balances and recent activity; 2 report a lost or stolen card; 3 loans and mortgages; 0 speak with a banker
  Press 1 for checking, 2 for savings, 3 for credit cards, or star to return to the main menu. → 1 checking; 2 savings; 3 credit cards; * return to the main menu
  To freeze your card press one, two to unfreeze it, three to order a new one. → 1 freeze your card; 2 unfreeze it; 3 order a new one
  For personal banking say or press one. For business banking say or press two. → 1 personal banking; 2 business banking
  To transfer money touch 1. To pay a bill touch 2. To stop a check touch 3. → 1 transfer money; 2 pay a bill; 3 stop a check
  Select 1 to pay by card, select 2 to pay by bank account, or select 9 to hear these choices again. → 1 pay by card; 2 pay by bank account; 9 hear these choices again
  Enter 1 for English. Enter 2 for Spanish. → 1 english; 2 spanish
  Option 1 is appointments, option 2 is prescriptions, option 3 is test results. → 1 appointments; 2 prescriptions; 3 test results
  If you are a patient, press 1. If you are a physician's office, press 2. For all other calls, remain on the line. → 1 you are a patient; 2 you are a physician's office
  To book an appointment choose option one, to cancel an appointment choose option two, for all other enquiries choose option three. → 1 book an appointment; 2 cancel an appointment; 3 all other enquiries
  To cancel an appointment, it's option one. To book an appointment, it's option two. → 1 cancel an appointment; 2 book an appointment
  For repeat prescriptions please press two, for test results please press three and for reception please hold. → 2 repeat prescriptions; 3 test results
  Press 1 if this is an emergency, 2 if you need a prescription, 3 for anything else. → 1 this is an emergency; 2 you need a prescription; 3 anything else
  Para español, oprima el dos. For English, stay on the line. → 2 español
  For Sales, dial 10. For Support, dial 11. For Accounts, dial 12. For the operator, dial 0. → 10 sales; 11 support; 12 accounts; 0 operator
  For sales press 101, for support press 102, for accounts press 103. → 101 sales; 102 support; 103 accounts
  Press 1 1 for sales, 1 2 for support, 1 3 for billing. → 11 sales; 12 support; 13 billing
  For sales press one one, for support press one two, for billing press one three. → 11 sales; 12 support; 13 billing
  For the warehouse press star 9, for the office press star 8. → *9 warehouse; *8 office
  If you know your party's extension, dial it now. For sales, press 1. For support, press 2. For a company directory, press 9. → 1 sales; 2 support; 9 company directory
  Please enter the extension of the person you are trying to reach, followed by the pound key. For directory assistance press star. → * directory assistance
  You may enter an extension from 10 to 19 at any time. For the front desk press 1. → 1 front desk
  Extensions 100 to 199 can be dialed at any time. Press 0 for the operator. → 0 operator
  For departures press 1, arrivals press 2, baggage press 3. → 1 departures; 2 arrivals; 3 baggage
  Departures, press 1. Arrivals, press 2. Lost baggage, press 3. → 1 departures; 2 arrivals; 3 lost baggage
  For new reservations press 1 for existing reservations press 2 for baggage press 3 for all other questions press 4 → 1 new reservations; 2 existing reservations; 3 baggage; 4 all other questions
  press 1 for new reservations press 2 for existing reservations press 3 for baggage press 4 for all other questions → 1 new reservations; 2 existing reservations; 3 baggage; 4 all other questions
  press 1 for new reservations 2 for existing reservations 3 for baggage 4 for all other questions → 1 new reservations; 2 existing reservations; 3 baggage; 4 all other questions
  To cancel your flight press 1, 2 to change it, and 3 to check in. → 1 cancel your flight; 2 change it; 3 check in
  To cancel your flight, that's 1. To change it, that's 2. To check in, that's 3. → 1 cancel your flight; 2 change it; 3 check in
  Press 1 to reach reservations; press 2 to reach cargo; press 3 to reach customer relations. → 1 reach reservations; 2 reach cargo; 3 reach customer relations
  For council tax, press 1. For bins and recycling, press 2. For housing, press 3. For planning, press 4. For anything else, press 5. → 1 council tax; 2 bins and recycling; 3 housing; 4 planning; 5 anything else
  Council tax 1, benefits 2, housing 3, all other services 0. → 1 council tax; 2 benefits; 3 housing; 0 all other services
  One for council tax, two for benefits, three for housing. → 1 council tax; 2 benefits; 3 housing
  One, council tax. Two, benefits. Three, housing. → 1 council tax; 2 benefits; 3 housing
  Option one, council tax. Option two, benefits. Option three, housing. → 1 council tax; 2 benefits; 3 housing
  For parking fines press 1 now, for permits press 2 now. → 1 parking fines; 2 permits
  If you would like to close your account, press 1; if you would like to open one, press 2. → 1 close your account; 2 open one
  To close your account, 1. To open an account, 2. To hear your balance, 3. → 1 close your account; 2 open an account; 3 hear your balance
  Close your account, 1. Open an account, 2. Hear your balance, 3. → 1 close your account; 2 open an account; 3 hear your balance
  1, close your account. 2, open an account. 3, hear your balance. → 1 close your account; 2 open an account; 3 hear your balance
  press 1 close your account press 2 open an account press 3 hear your balance → 1 close your account; 2 open an account; 3 hear your balance
  To delete your mailbox press one, to keep it two, to hear it three. → 1 delete your mailbox; 2 keep it; 3 hear it
  You have 3 new messages. Press 1 for new messages. Press 2 to change folders. Press 3 for advanced options. Press 0 for mailbox options. Press star for help or pound to exit. → 1 new messages; 2 change folders; 3 advanced options; 0 mailbox options; * help; # exit
  First message. Press 5 to repeat, 7 to delete, 8 to forward, 9 to save. → 5 repeat; 7 delete; 8 forward; 9 save
  Press 1 to accept this recording, press 2 to listen to it, press 3 to re-record your message. → 1 accept this recording; 2 listen to it; 3 re-record your message
  Press pound to send your message, star to delete it. → # send your message; * delete it
  To review your message press 1, to re-record it press 2, to send it press pound, to cancel press star. → 1 review your message; 2 re-record it; # send it; * cancel
  Enter your conference PIN followed by the pound key. →
  You are currently the only person in this conference. Press 1 to mute or unmute yourself, 2 to lock or unlock the conference, 3 to eject the last participant. → 1 mute or unmute yourself; 2 lock or unlock the conference; 3 eject the last participant
  Please enter the first three letters of your party's last name. For Q press 7, for Z press 9. →
  If this is the person you are looking for press 1, otherwise press star now. → 1 this is the person you are looking for; * otherwise
  Use the 7 key for Q and the 9 key for Z. →
  To use the dial by name directory press the pound key. To leave a message press the star key. → # use the dial by name directory; * leave a message
  For sales, press S or 7. For billing, press B or 2. → 7 sales; 2 billing
  Welcome to Cisco Unity. For English press 1. To enter your ID press pound. If you are an outside caller press star. → 1 english; # enter your id; * you are an outside caller
  Select from the following options: 1 sales, 2 technical support, 3 accounts payable. → 1 sales; 2 technical support; 3 accounts payable
  Please make your selection: sales 1, technical support 2, accounts payable 3. → 1 sales; 2 technical support; 3 accounts payable
  Sales is 1, support is 2, billing is 3. → 1 sales; 2 support; 3 billing
  1 is sales, 2 is support, 3 is billing. → 1 sales; 2 support; 3 billing
  Key 1 for sales, key 2 for support. → 1 sales; 2 support
  Hit 1 for sales, hit 2 for support, hit the pound sign to repeat. → 1 sales; 2 support; # repeat
  Push button 1 for sales, button 2 for support. → 1 sales; 2 support
  For sales, hit one; support, hit two. → 1 sales; 2 support
  Use 1 for sales, use 2 for support. → 1 sales; 2 support
  Say sales or press 1, say support or press 2. → 1 sales; 2 support
  You can say sales, or press 1. You can say support, or press 2. → 1 sales; 2 support
  Dial 1 for sales, 2 for support, 3 for billing, and 0 for the operator. → 1 sales; 2 support; 3 billing; 0 operator
  By pressing 1, you agree to the terms. By pressing 2, you decline. → 1 you agree to the terms; 2 you decline
  To agree press 1, to decline, hang up. → 1 agree
  Press 1 to confirm or 2 to cancel your order. → 1 confirm; 2 cancel your order
  Press 1 to confirm your order, or 2 to cancel. → 1 confirm your order; 2 cancel
  To confirm press 1, to cancel 2, to change 3. → 1 confirm; 2 cancel; 3 change
  For yes press 1, for no press 2. → 1 yes; 2 no
  Yes, press 1. No, press 2. → 1 yes; 2 no
  Press 1 for yes and 2 for no. → 1 yes; 2 no
  If yes press 1 if no press 2. → 1 yes; 2 no
  You entered 4 5 6 7. If this is correct press 1, if not press 2. → 1 this is correct; 2 not
  Your prescription number 7 1 2 3 will be ready at 10 am. Press 1 to pick another time. → 1 pick another time
  Our hours are 9 to 5, Monday to Friday. For sales press 1. For service press 2. → 1 sales; 2 service
  We are open from 8 to 6. Press 1 for the shop, 2 for the garage, 3 for the car wash. → 1 shop; 2 garage; 3 car wash
  Calls may cost up to 10 pence per minute. For sales press 1, for service press 2. → 1 sales; 2 service
  Please call us back after 10. For emergencies press 9. → 9 emergencies
  You are number 4 in the queue. Press 1 for a callback or stay on the line. → 1 callback
  Your estimated wait is 12 minutes. To keep your place and get a call back press 2. → 2 keep your place and get a call back
  If you have a touch tone phone press 1 now. → 1 you have a touch tone phone
  For terminal 1 press 1, for terminal 2 press 2, for terminal 3 press 3. → 1 terminal 1; 2 terminal 2; 3 terminal 3
  For gates 10 to 19 press 1, for gates 20 to 29 press 2. → 1 gates 10 to 19; 2 gates 20 to 29
  For flights within 24 hours press 1, for all other flights press 2. → 1 flights within 24 hours; 2 all other flights
  For form 1040 press 1, for form 941 press 2, for all other forms press 3. → 1 form 1040; 2 form 941; 3 all other forms
  If your last name begins with A through M press 1, N through Z press 2. → 1 your last name begins with a through m; 2 n through z
  For orders under 10 items press 1, for 10 or more press 2. → 1 orders under 10 items; 2 10 or more
  For apartments 1 to 5, press 1. For apartments 6 to 10, press 2. → 1 apartments 1 to 5; 2 apartments 6 to 10
  For suite 12 press 12, for suite 14 press 14. → 12 suite 12; 14 suite 14
  For line 10 press 10, for line 11 press 11, for line 12 press 12. → 10 line 10; 11 line 11; 12 line 12
  Press ten for sales, eleven for service, twelve for parts. → 10 sales; 11 service; 12 parts
  For the 1st floor press 1, for the 2nd floor press 2. → 1 1st floor; 2 2nd floor
  To cancel your policy press one. Two for a quote. Three for claims. → 1 cancel your policy; 2 quote; 3 claims
  To cancel your policy press one two for a quote three for claims. → 1 cancel your policy; 2 quote; 3 claims
  Cancellations one, quotes two, claims three. → 1 cancellations; 2 quotes; 3 claims
  For cancellations one for quotes two for claims three → 1 cancellations; 2 quotes; 3 claims
  one for cancellations two for quotes three for claims → 1 cancellations; 2 quotes; 3 claims
  one cancellations two quotes three claims → 1 cancellations; 2 quotes; 3 claims
  To upgrade, option 1; to downgrade, option 2; to cancel service, option 3. → 1 upgrade; 2 downgrade; 3 cancel service
  Option 1 to upgrade; option 2 to downgrade; option 3 to cancel service. → 1 upgrade; 2 downgrade; 3 cancel service
  To upgrade your plan option 1, option 2 to downgrade, option 3 to cancel service. → 1 upgrade your plan; 2 downgrade; 3 cancel service
  Upgrade your plan by pressing 1. Cancel service by pressing 2. → 1 upgrade your plan; 2 cancel service
  If you wish to cancel service, kindly press the number 1 on your telephone keypad. If you wish to upgrade, kindly press the number 2. → 1 cancel service; 2 upgrade
  Press the 1 key to cancel service and the 2 key to upgrade. → 1 cancel service; 2 upgrade
  For cancel press 1. Press 2 for upgrade. Press 3 for downgrade. For agent press 0. → 1 cancel; 2 upgrade; 3 downgrade; 0 agent
  Press 1 for upgrade. Press 2 for downgrade. For cancel press 3. Press 0 for agent. → 1 upgrade; 2 downgrade; 3 cancel; 0 agent
  Press 1 for upgrades or downgrades, to cancel press 2, or for an agent press 0. → 1 upgrades or downgrades; 2 cancel; 0 agent
  For upgrades press 1, press 2 to cancel, or press 3 for downgrades or press 0 for an agent. → 1 upgrades; 2 cancel; 3 downgrades; 0 agent
  Press 0 at any time for an operator. → 0 operator
  Press any key to continue. →
  For an outside line dial 9. → 9 outside line
  To execute an echo test. Dial six zero, zero. This test is most useful from a remote location. →
  If you dial one, to, three, for, you can try to ring the console. →
  Press two for billing. Press three, four, sales. Press star to go back. → 2 billing; 3 sales; * go back
  To cancel your appointment, text STOP to 12345. To confirm, press 1. → 1 confirm
  To repeat this menu press star, to go back press pound, to hang up press 0. → * repeat this menu; # go back; 0 hang up
  Please choose: 1 sales, 2 support, 3 billing. → 1 sales; 2 support; 3 billing
  Main menu: 1 sales, 2 support, 3 billing. → 1 sales; 2 support; 3 billing
  Here are your options: one sales, two support, three billing. → 1 sales; 2 support; 3 billing
  Your options are: sales 1, support 2, billing 3. → 1 sales; 2 support; 3 billing
  Choose from the following: press 1 for sales, 2 for support. → 1 sales; 2 support
  Listen to the following options: for sales press 1, for support press 2. → 1 sales; 2 support
  For English press 1 1. For French press 2 2. → 11 english; 22 french
  Press 1001 for the east wing. Press 1002 for the west wing. → 1001 east wing; 1002 west wing
  To park the call, press star 2. To pick it up, press star 8. → *2 park the call; *8 pick it up
  To activate call forwarding press star seven two. To cancel it press star seven three. → *72 activate call forwarding; *73 cancel it
  To block your number dial star 67. → *67 block your number
  For Anna select 21, for Bob select 22, for everyone else select 0. → 21 anna; 22 bob; 0 everyone else
  Select 21 for Anna, 22 for Bob, or 0 for everyone else. → 21 anna; 22 bob; 0 everyone else
  Press 21 for Anna, 101 for Bob, or 0 for everyone else. → 21 anna; 101 bob; 0 everyone else
  Please choose a number between 1 and 20. →
  Please press a 4 digit code. →
  Press 100 times. For sales, press 1. → 1 sales
  Enter 1 to continue, 2 to go back. → 1 continue; 2 go back
  For the fiction department, press 10, non-fiction 11, children's books 12. → 10 fiction department; 11 non-fiction; 12 children's books
  For claims touch 2. To cancel your policy touch 3. → 2 claims; 3 cancel your policy
  Push one for claims, push two to cancel your policy, push star for more. → 1 claims; 2 cancel your policy; * more
  Type 1 for claims, type 2 for quotes. → 1 claims; 2 quotes
  Pick 1 for claims or pick 2 for quotes. → 1 claims; 2 quotes
  Number one, claims. Number two, quotes. Number three, cancellations. → 1 claims; 2 quotes; 3 cancellations
  Claims: 1. Quotes: 2. Cancellations: 3. → 1 claims; 2 quotes; 3 cancellations
  1: claims. 2: quotes. 3: cancellations. → 1 claims; 2 quotes; 3 cancellations
  If you want claims press 1 for quotes press 2 for cancellations press 3 → 1 claims; 2 quotes; 3 cancellations
  Press 1 if you want claims press 2 if you want quotes press 3 if you want to cancel → 1 claims; 2 quotes; 3 cancel
  Cancel: press 1. Quote: press 2. → 1 cancel; 2 quote
  Press 1: cancel. Press 2: quote. → 1 cancel; 2 quote
  Press 1 - cancel my order. Press 2 - track my order. → 1 cancel my order; 2 track my order
  Press 1, cancel my order. Press 2, track my order. → 1 cancel my order; 2 track my order
  Cancel my order - press 1. Track my order - press 2. → 1 cancel my order; 2 track my order
  For cancellations, it is 1. For tracking, it is 2. → 1 cancellations; 2 tracking
  Cancellations is number 1, tracking is number 2. → 1 cancellations; 2 tracking
  To skip, press 1 hash. To go on, press 2 hash. → 1# skip; 2# go on
  You pressed 1 1. For sales, press 2. → 2 sales
  Your code is 1 1 2 3. To hear it again, press 2. → 2 hear it again
  Press 5 5 5 1 2 1 2 to call us. →
  Press zero zero for the operator. → 00 operator
  For sales press twelve. For support press thirteen. → 12 sales; 13 support
  For sales press twenty. For support press twenty one. → 20 sales; 21 support
  For Dr. Smith press 31, for Dr. Jones press 32, and for Dr. Lee press 33. → 31 dr smith; 32 dr jones; 33 dr lee
  To mute yourself press star six, to raise your hand press star nine. → *6 mute yourself; *9 raise your hand
  To skip this message, press pound pound. → ## skip this message
  For billing press one hash, for sales press two hash. → 1# billing; 2# sales
  Press 1 twice for sales. → 11 sales
  To reach John press 201. To reach Mary press 202. For the company directory press pound. → 201 reach john; 202 reach mary; # company directory
  For reservations press 1 followed by the pound sign. For cancellations press 2 followed by the pound sign. → 1 reservations; 2 cancellations
  You are caller 2. Press 3 for a callback. → 3 callback
  If you don't have one press 2. → 2 you don't have one
  To repeat this menu press 99. → 99 repeat this menu
  Select from the following options: 1. Sales, 2. Technical Support, 3. Accounts → 1 sales; 2 technical support; 3 accounts
  1. Council tax. 2. Benefits. 3. Housing. → 1 council tax; 2 benefits; 3 housing
  For sales. 1. For support. 2. For billing. 3. → 1 sales; 2 support; 3 billing
  For sales, press one hundred one. For support, press one hundred and two. → 101 sales; 102 support
  To repeat press star, zero for an operator. → * repeat; 0 operator
`);

/** The words don't decide which keys are one choice, or which label belongs to which key. */
const unclear = rows(`
  Press 1 then pound for sales.
  to cancel your policy press 1 to for a quote 3 for claims
  To cancel your policy press one and two to get a quote.
  Press 1 for upgrades, downgrades 2, to cancel 3.
  To repeat press star 0 for an operator
  for cancellations press 1 3 for hours
  to close your account press 1 0 for an operator
  To close your account press 1 0 0 for an operator
  Press the star key followed by 9 for the warehouse.
  Press star and then 9 for the warehouse.
  Press star then 9 for the warehouse, star then 8 for the office.
  Press hash 1 for claims.
  Enter 1 hash for claims, 2 hash for quotes.
  for the pharmacy one to close your account press two
  to report a fault one press two for the pharmacy
  to report a fault press one two make a payment press three for directions
  1 billing 2 hear your balance select 3 make a payment
  To speak to an agent 1. Touch 2 cancel your order.
  To hear your balance one. To cancel your order, two. Press three speak to an agent.
  for technical support dial 1 2 close your account dial 3 for opening hours
  To freeze your card press 1 to 2 and freeze it 3 to order a new one
  For the warehouse, press star. Nine for the office, press star. Eight.
  Press one, one for sale. Press one two for support.
  For sales, press one. Hundred one for support, press one. Hundred two.
`);

describe('prompts of phone systems', () => {
  for (const row of clear) {
    const [text = '', expected = ''] = row.split(' →').map((part) => part.trim());
    it(`reads "${text}"`, () => {
      const { options, unsure } = readMenu(text);
      assert.equal(options.map(({ key, label }) => `${key} ${label}`).join('; '), expected);
      assert.equal(unsure, undefined);
    });
  }

  for (const text of unclear)
    it(`doubts "${text}"`, () => {
      const { options, unsure } = readMenu(text);
      assert.notEqual(unsure, undefined);
      const guard = new LiveGuard('Hear the opening hours, the directions and the balance.');
      guard.hear(text);
      assert.deepEqual(
        options.filter(({ key }) => guard.whyNotPress(key) === undefined),
        [],
      );
    });

  it('name no emergency number as a choice', () => {
    for (const text of ['Press 9 1 1 for an ambulance.', 'Press 999 for an ambulance.', 'Press 1 1 2 for help.'])
      assert.deepEqual(readMenu(text).options, []);
  });
});
