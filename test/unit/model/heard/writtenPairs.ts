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
`);
