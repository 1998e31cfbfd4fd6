import { pairsIn, type LabelledPair } from './similarityPairs.ts';

/** The same words in writing and as they are said. */
export const written: readonly LabelledPair[] = pairsIn(`
  you have $200 → you have two hundred dollars
  your balance is $200 → your balance is 200 dollars
  your balance is $200.00 → your balance is two hundred dollars
  your balance is $200.50 → your balance is two hundred dollars and fifty cents
  your balance is $1,234.56 → your balance is one thousand two hundred thirty four dollars and fifty six cents
  your balance is $1,234.56 → your balance is one thousand two hundred and thirty four dollars fifty six cents
  the fee is $0.99 → the fee is ninety nine cents
  the fee is $.99 → the fee is ninety nine cents
  the fee is 99¢ → the fee is ninety nine cents
  the fee is 50p → the fee is fifty pence
  the fee is £5.50 → the fee is five pounds fifty
  the fee is £1 → the fee is one pound
  open 8 a.m.–8 p.m. → open eight am to eight pm
  on March 1st, 2024 → on the first of March twenty twenty four
  save 25 % today → save twenty-five percent today
  the fee is £5.50 → the fee is five pounds and fifty pence
  the fee is $12.50 → the fee is twelve dollars fifty
  the fee is €20 → the fee is twenty euros
  the fee is 20 € → the fee is twenty euros
  the fee is EUR 20 → the fee is twenty euros
  the fee is USD 20 → the fee is twenty dollars
  the fee is $1 → the fee is one dollar
  the fee is a dollar → the fee is $1
  you owe $1.5 million → you owe one point five million dollars
  you owe $2 million → you owe two million dollars
  you owe $3k → you owe three thousand dollars
  the fee is ¥500 → the fee is five hundred yen
  your rate is 5% → your rate is five percent
  your rate is 5 % → your rate is five per cent
  your rate is 3.5% → your rate is three point five percent
  your rate is 0.5% → your rate is zero point five percent
  your rate is .5 percent → your rate is point five percent
  your rate is 100% → your rate is a hundred percent
  we open at 9 am → we open at nine a m
  we open at 9:00 AM → we open at nine a.m.
  we open at 9 o'clock → we open at nine
  we open at 9 o'clock → we open at 9:00
  we open at 9:30 → we open at nine thirty
  we open at 9:30 am → we open at half past nine am
  we open at 9:15 → we open at quarter past nine
  we open at 9:15 → we open at a quarter past nine
  we open at 8:45 → we open at quarter to nine
  we open at 9:05 → we open at nine oh five
  we open at 9:05 → we open at five past nine
  we open at 9:10 pm → we open at ten past nine pm
  we close at 12 pm → we close at noon
  we close at 12:00 → we close at twelve
  we close at 9.30am → we close at nine thirty am
  we close at 9am → we close at nine am
  open 9am-5pm → open nine am to five pm
  open 9–5 → open nine to five
  open Mon-Fri → open Monday to Friday
  your visit is on May 3 → your visit is on May third
  your visit is on May 3rd → your visit is on May three
  your visit is on May 3rd → your visit is on the third of May
  your visit is on 3 May → your visit is on May third
  your visit is on Jan 21 → your visit is on January twenty first
  your visit is on Sept. 5th → your visit is on September fifth
  your visit is on May 3, 2026 → your visit is on May third twenty twenty six
  your visit is on May 3, 2026 → your visit is on May the third two thousand and twenty six
  your visit is on Tue 4 May → your visit is on Tuesday the fourth of May
  your visit is on the 3rd → your visit is on the third
  your visit is on the 21st → your visit is on the twenty-first
  the 1st floor → the first floor
  the 2nd option → the second option
  you are 3rd in line → you are third in line
  you are no. 4 in the queue → you are number four in the queue
  you are #4 in the queue → you are number four in the queue
  it takes 5 min → it takes five minutes
  it takes 5 mins. → it takes five minutes
  it takes 2 hrs → it takes two hours
  it takes 2 hr 30 min → it takes two hours thirty minutes
  it takes 30 sec → it takes thirty seconds
  it takes 30s → it takes thirty seconds
  it weighs 5 kg → it weighs five kilograms
  it weighs 5kg → it weighs five kilograms
  it weighs 5 kg → it weighs five kilos
  it weighs 3 lbs → it weighs three pounds
  it weighs 8 oz → it weighs eight ounces
  it is 5 km away → it is five kilometers away
  it is 5km away → it is five kilometres away
  it is 10 ft high → it is ten feet high
  it is 20°C → it is twenty degrees celsius
  it is 70° → it is seventy degrees
  you used 5 GB → you used five gigabytes
  the speed is 60 mph → the speed is sixty miles per hour
  your code is 4567 → your code is four five six seven
  your code is 4-5-6-7 → your code is four five six seven
  your code is 45 67 → your code is forty five sixty seven
  call 1-800-555-0100 → call one eight hundred five five five zero one zero zero
  call (212) 555-0100 → call two one two five five five oh one oh oh
  call +1 212 555 0100 → call plus one two one two five five five zero one zero zero
  call 1.800.555.0100 → call one eight hundred five five five oh one double oh
  your account ends in 0042 → your account ends in zero zero four two
  your account ends in 0042 → your account ends in double oh four two
  your card number is 4111 1111 → your card number is four one one one one one one one
  room 101 → room one oh one
  flight BA 123 → flight B A one two three
  flight BA123 → flight B A one two three
  Dr. Smith → doctor Smith
  Mr. Jones → mister Jones
  Mrs Jones → missus Jones
  12 Main St. → twelve Main Street
  5th Ave → fifth avenue
  ext. 12 → extension twelve
  St. Mary's → saint Marys
  Smith & Sons → Smith and Sons
  Acme Inc. → Acme incorporated
  Acme Corp. → Acme corporation
  the dept. is closed → the department is closed
  your appt. is at 3 → your appointment is at three
  open 24/7 → open twenty four seven
  1/2 price → half price
  it takes 1½ hours → it takes one and a half hours
  it takes 1.5 hours → it takes one point five hours
  3x a day → three times a day
  10,000 points → ten thousand points
  1,500 points → fifteen hundred points
  10000 points → ten thousand points
  2 dozen → two dozen
  in 1999 → in nineteen ninety nine
  it's open → it is open
  we're open → we are open
  cannot → can not
  your US account → your U.S. account
  -5 degrees → minus five degrees
  555-0100 → five five five o one o o
  your balance is $1,250 → your balance is twelve hundred and fifty dollars
  your balance is $1,250.75 → your balance is one thousand two hundred fifty dollars and seventy five cents
  your balance is $0 → your balance is zero dollars
  you owe $19.99 → you owe nineteen dollars ninety nine
  the fee is 5 cents → the fee is five cents
  the fee is £12.05 → the fee is twelve pounds and five pence
  the fee is £12.05 → the fee is twelve pounds five
  the fee is 20 dollars → the fee is $20
  the fee is $20 USD → the fee is twenty US dollars
  the fee is $20.00 → the fee is twenty dollars and zero cents
  the fee is $20.00 → the fee is twenty dollars and no cents
  the fee is €3,50 → the fee is three euros fifty
  a $50 gift card → a fifty dollar gift card
  a 10% discount → a ten percent discount
  12.5% interest → twelve and a half percent interest
  a 2-year contract → a two year contract
  a 30-day trial → a thirty day trial
  open at 7:45 p.m. → open at seven forty five pm
  open at 7:45 p.m. → open at a quarter to eight pm
  open at 7:45 p.m. → open at seven forty five in the evening
  open at 9 a.m. → open at nine in the morning
  open at 9 a.m. → open at nine o'clock in the morning
  open at 09:00 → open at nine
  open at 12:15 am → open at twelve fifteen am
  closes at 12 am → closes at midnight
  open until 10pm → open until ten pm
  open 8 to 6 → open from eight to six
  arriving at 6:07 → arriving at six oh seven
  your flight is at 0600 → your flight is at oh six hundred
  in 1.5 hours → in one and a half hours
  in 90 min → in ninety minutes
  in ½ hour → in half an hour
  in 1 hr → in one hour
  due on 12/25/2026 → due on december twenty fifth twenty twenty six
  due on Dec. 25 → due on december twenty fifth
  due on December 25th → due on the twenty fifth of december
  due on Fri, Dec 25 → due on friday december twenty fifth
  due on 2026-12-25 → due on december twenty fifth twenty twenty six
  since 2005 → since two thousand and five
  since 2005 → since two thousand five
  your 2nd payment → your second payment
  the 22nd of June → the twenty second of june
  caller no. 12 → caller number twelve
  your PIN is 0000 → your pin is zero zero zero zero
  your PIN is 1122 → your pin is one one two two
  your PIN is 1122 → your pin is eleven twenty two
  your code is 77 05 → your code is seven seven zero five
  your code is A1B2 → your code is a one b two
  case number 10-4432 → case number one zero four four three two
  call 555-1212 → call five five five one two one two
  call 1-800-555-1212 → call one eight hundred five five five twelve twelve
  ticket #88 → ticket number eighty eight
  ticket no. 88 → ticket number eighty eight
  ext. 401 → extension four oh one
  ext 401 → extension four hundred one
  press # to end → press pound to end
  press 1 for sales → press one for sales
  unit 5B → unit five b
  10 ft cable → ten foot cable
  5 mi away → five miles away
  2 TB → two terabytes
  37.5°C → thirty seven point five degrees celsius
  98.6°F → ninety eight point six degrees fahrenheit
  500 ml → five hundred milliliters
  5 cm → five centimeters
  Dr Patel's office → doctor patel's office
  Mon.-Fri. 9-5 → monday to friday nine to five
  Mon–Fri, 9am–5pm → monday through friday nine am to five pm
  24 hours a day, 7 days a week → twenty four hours a day seven days a week
  e-mail us → email us
  the Wi-Fi is down → the wifi is down
  check-in desk → check in desk
  John & Sons Ltd. → john and sons limited
  approx. 15 min. → approximately fifteen minutes
  3 million customers → three million customers
  2.5k points → two thousand five hundred points
  1st class → first class
  $5/month → five dollars per month
  $5 per month → five dollars a month
  60 km/h → sixty kilometers per hour
  it weighs 2.5kg → it weighs two point five kilograms
  due on 25/12/2026 → due on the twenty fifth of december twenty twenty six
  open Mon-Fri → open from monday through friday
  open from 9 am to 5 pm → open nine am to five pm
  the fee is $5.05 → the fee is five dollars five
`);

/** Words that differ from the written ones in one amount, unit, time or date. */
export const otherwise: readonly LabelledPair[] = pairsIn(`
  your balance is $200 → your balance is twenty dollars
  your balance is $200 → your balance is two hundred euros
  your balance is $200 → your balance is two hundred dollars and fifty cents
  your rate is 3% → your rate is three point five percent
  your rate is 0.5% → your rate is five percent
  you owe $1.5 million → you owe one point five thousand dollars
  your balance is $200 → your balance is two hundred pounds
  your balance is $2.50 → your balance is two hundred and fifty dollars
  your balance is $0.99 → your balance is ninety nine dollars
  your rate is 5% → your rate is five dollars
  your rate is 5% → your rate is fifty percent
  your rate is 3.5% → your rate is thirty five percent
  your rate is 3.5% → your rate is four point five percent
  we open at 9:30 → we open at nine
  we open at 9:15 → we open at quarter to nine
  we open at half past nine → we open at half past ten
  we open at 9 am → we open at nine pm
  your visit is on May 3 → your visit is on May thirteenth
  your visit is on May 3 → your visit is on June third
  your visit is on the 3rd → your visit is on the thirtieth
  it takes 5 min → it takes five hours
  it weighs 5 kg → it weighs five pounds
  your code is 4567 → your code is four five six eight
  we close at noon → we close at midnight
  the 1st floor → the second floor
  open Mon-Fri → open Monday to Sunday
  ext. 12 → extension twenty
  your balance is $200 → your balance is $2,000
  your balance is $15 → your balance is fifty dollars
  your balance is $13 → your balance is thirty dollars
  your balance is $12.50 → your balance is twelve dollars and fifteen cents
  your balance is $12.05 → your balance is twelve dollars and fifty cents
  the fee is 5% → the fee is five cents
  the fee is £5 → the fee is five dollars
  the rate is 0.05% → the rate is zero point five percent
  the rate is 12.5% → the rate is one hundred twenty five percent
  open at 9 am → open at nine pm
  open at 7:45 → open at quarter past seven
  open at 7:15 → open at quarter to seven
  open at 12 am → open at noon
  open at 6:10 → open at ten to six
  due on May 3 → due on May thirteenth
  due on May 3 → due on March third
  due on June 30 → due on july thirtieth
  due on December 25, 2026 → due on december twenty fifth twenty twenty five
  due on Monday → due on Sunday
  due on Tuesday → due on Thursday
  due in 3 days → due in three weeks
  due in 3 hours → due in three minutes
  your PIN is 1234 → your pin is one two four three
  your PIN is 1122 → your pin is one two two
  your PIN is 0042 → your pin is four two
  your code is 45 67 → your code is forty five seventy six
  call 1-800-555-1212 → call one eight eight eight five five five one two one two
  you are 3rd in line → you are thirtieth in line
  you are 3rd in line → you are fourth in line
  5 kg → five pounds
  10 km → ten miles
  20°C → twenty degrees fahrenheit
  press 1 for sales → press two for sales
  your account is active → your account is not active
  your account is active → your account is inactive
  your payment was approved → your payment was declined
  ext. 401 → extension four ten
  room 101 → room one hundred and ten
  2 dozen → two hundred
  $1.5 million → one point five billion dollars
  half price → full price
  flight BA123 → flight BA one three two
  due on 12/25/2026 → due on december twenty sixth twenty twenty six
  due on 2026-12-25 → due on november twenty fifth twenty twenty six
  due on 2026-12-25 → due on december twenty fifth twenty twenty five
  open at 9 a.m. → open at nine in the evening
  open at 9 p.m. → open at nine in the morning
  the fee is £12.05 → the fee is twelve pounds fifty
  the fee is £12.50 → the fee is twelve pounds five
  the fee is $20.00 → the fee is twenty dollars and five cents
  it weighs 2.5kg → it weighs twenty five kilograms
  2.5k points → twenty five thousand points
  it takes half an hour → it takes an hour
  open from 8 to 6 → open from six to eight
`);
