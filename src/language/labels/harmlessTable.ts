/**
 * The words of plainly harmless options: they play something, open another menu or call a person, and a caller who then
 * hangs up has done nothing. A label is harmless only if all its words are here, or if one of the open frames of
 * `classifyLabel` matches.
 */
interface HarmlessRow {
  readonly row: string;
  readonly words: string;
}

/** Facts that are only stated. Their subject can follow or precede: "hours of the store", "parking information". */
export const facts = `
      hour, time, date, location, direction, address, website, web site, web address, fax number, phone number,
      information, info,
      detail, status, history, balance, rate, price, pricing, fee, cost, schedule, timetable, forecast, weather,
      news, inquiry, enquiry,
      inquire, question, help, support, assistance, department, dept, desk, team, office, line, hotline, helpline,
      issue, problem,
      method, summary, activity, statement, announcement, result, availability, eligibility, coverage, benefit,
      requirement, instruction,
      directory, arrival, departure, tracking, faq, advice, tip, term, policy, due date, limit, estimate, amount,
      total, overview,
      guideline, notice, deadline, explanation, center, centre, unit, horario, direccion, ubicacion, informacion,
      informaciones, ayuda,
      saldo, consulta, horaire, adresse, renseignement, informationen, aide, solde, offnungszeiten, offnungszeit,
      anschrift, auskunft,
      auskunfte, hilfe, kontostand, guthaben, fragen`;

/** Places and departments, with any name before them: "Maple Street branch". */
export const places = `
      department, dept, desk, team, office, branch, store, shop, clinic, hospital, center, centre, campus, airport,
      terminal, station,
      division, unit, lab, laboratory, ward, school, library, museum, gallery, theater, theatre, hotel, restaurant,
      pharmacy, warehouse,
      showroom, court, abteilung, departamento`;

/** Verbs that only ask. */
export const inquiring = `
      hear, listen, check, track, trace, find, locate, know, learn, review, view, look, ask, inquire, enquire, get,
      obtain, receive,
      discuss, speak, talk, chat, reach, contact, repeat, replay, return, go, visit, understand, consult, dial,
      explore, see, leave,
      hablar, escuchar, oir, conocer, consultar, parler, ecouter, entendre, connaitre, sprechen, horen, erfahren`;

/** A fact must follow these: "get directions", but not "get a card". */
export const fetching = 'get, obtain, receive, find';

/** The object must belong to the call: "return to the main menu", not "return an item". */
export const moving = 'return, leave, exit, skip';

/** A person answers. The crawl says one sentence and hangs up, as with any person. */
export const persons = `
      agent, representative, rep, operator, advisor, adviser, associate, specialist, consultant, attendant,
      receptionist, reception,
      assistant, someone, somebody, person, human, live, real, member, staff, colleague, manager, supervisor,
      nurse, doctor, physician,
      provider, pharmacist, teller, banker, broker, underwriter, adjuster, counselor, counsellor, coordinator,
      professional, expert,
      technician, engineer, secretary, switchboard, concierge, employee, individual, agente, operador, operadora,
      representante, asesor,
      persona, conseiller, conseillere, operateur, operatrice, mitarbeiter, mitarbeiterin, berater, vermittlung,
      zentrale`;

export const harmlessTable: readonly HarmlessRow[] = [
  { row: 'facts', words: facts },
  { row: 'places', words: places },
  { row: 'inquiring', words: inquiring },
  { row: 'persons', words: persons },
  {
    row: 'navigation',
    words: `
      menu, main, previous, back, beginning, over, again, start over, more, one more, time, other, another,
      additional, further, option, choice,
      selection, next, first, list, else, last, remaining, different, exit, goodbye, everything, anything,
      something, submenu, top,
      prior, hang up, end call, end this call, skip, instructions, recording, recorded, message, voicemail,
      greeting, prompt, principal,
      repetir, volver, anterior, opcion, opciones, otra, otras, otros, mas, vez, salir, precedent, retour, repeter,
      reecouter, autre,
      autres, choix, revenir, accueil, hauptmenu, wiederholen, zuruck, weitere, andere, optionen, vorherige,
      erneut, nochmal`,
  },
  {
    row: 'languages',
    words: `
      language, english, spanish, french, german, italian, portuguese, chinese, mandarin, cantonese, russian,
      polish, arabic, korean,
      japanese, vietnamese, tagalog, hindi, urdu, punjabi, turkish, greek, dutch, creole, hmong, somali, ukrainian,
      hebrew, welsh, irish,
      interpreter, translator, continue in english, continue in spanish, continue in french, continue in german,
      espanol, ingles,
      frances, aleman, idioma, continuar en espanol, francais, anglais, allemand, langue, continuer en francais,
      deutsch, englisch,
      franzosisch, sprache, castellano, italiano, portugues, polski`,
  },
  {
    row: 'departments',
    words: `
      program, sales, service, support, customer, client, consumer, care, technical, tech, billing, bill, invoice,
      accounting, finance,
      financial, account, payable, receivable, marketing, media, press, public, relation, human resources, hr,
      company, opportunity,
      personnel, recruiting, recruitment, career, job, employment, legal, compliance, corporate, headquarters,
      administration, admin,
      management, executive, operation, engineering, purchasing department, procurement, wholesale, retail,
      commercial, business,
      residential, personal, private, general, community, part, warranty, repair, maintenance, facility,
      facilities, housekeeping, room,
      front, reservation, appointment, scheduling, return, refund, exchange, delivery, shipping, shipment,
      receiving, logistics, freight,
      dispatch desk, warehouse, catering, dining, event, ticket, ticketing, box, membership, loyalty, reward,
      dealer, franchise, vendor,
      supplier, partner, investor, shareholder, merchant, security, it, web, online, digital, e, internet,
      technology, training,
      education, volunteer, feedback, comment, suggestion, leasing, new customer, new patient, new client,
      new member, new account,
      new business, new policy, new student, new home, new car, ventas, servicio, servicios, cliente, clientes,
      cuenta, cuentas,
      facturacion, factura, tecnico, soporte, atencion, recursos humanos, citas, ventes, services, clients,
      clientele, compte, comptes,
      facturation, facture, technique, assistance, rendez vous, vertrieb, verkauf, kundenservice, kundendienst,
      kundenbetreuung, konto,
      rechnung, rechnungen, technik, technischer, personalabteilung, buchhaltung, termine`,
  },
  {
    row: 'banking',
    words: `
      bank, banking, card, credit, debit, prepaid, gift, saving, checking, current, deposit account, mortgage,
      loan, lending,
      home equity, equity, line of credit, cd, certificate, ira, retirement, pension, 401k, investment, brokerage,
      wealth, trust, mutual,
      fund, stock, bond, interest, apr, fico, score, transaction, posted, cleared, check, cheque, atm,
      foreign currency, currency,
      student, auto, vehicle, escrow, tax, payroll, routing, wire room, exchange rate`,
  },
  {
    row: 'insurance',
    words: `
      insurance, insured, claim, coverage, policyholder, premium, deductible, auto, car, motorcycle, boat, home,
      homeowner, homeowners,
      renter, life, health, dental, vision, disability, travel, pet, property, liability, workers compensation,
      agent of record,
      accident, roadside, glass, beneficiary, annuity, quote`,
  },
  {
    row: 'health',
    words: `
      medical, medicine, medication, prescription, pharmacy, dental, dentist, orthodontics, pediatric, pediatrics,
      paediatrics,
      cardiology, radiology, imaging, x ray, mri, oncology, surgery, surgical, orthopedics, orthopaedics,
      dermatology, neurology,
      gynecology, obstetrics, maternity, physical therapy, therapy, rehabilitation, psychiatry, mental, behavioral,
      primary, urology,
      ophthalmology, optometry, eye, ear, family, internal, laboratory, lab, test, blood, patient, visitor,
      visiting, visitation,
      inpatient, outpatient, admission, referral, record, records, medicare, medicaid, member, vaccine,
      vaccination, immunization, flu,
      covid, wellness, nutrition, nursing, home health, hospice, chaplain, pathology, allergy, weight`,
  },
  {
    row: 'utilities and telecom',
    words: `
      electric, electricity, power, gas, water, sewer, energy, solar, heating, fuel, trash, garbage, recycling,
      waste, meter, reading,
      usage, consumption, outage, rate plan, plan, data, mobile, wireless, cell, phone, telephone, landline,
      internet, broadband, wifi,
      fiber, tv, television, cable, satellite, streaming, device, equipment, modem, router, roaming, international,
      domestic, network,
      voicemail, long distance, sim, prepaid, postpaid, bundle, tariff, signal, minutes left`,
  },
  {
    row: 'travel and transport',
    words: `
      flight, airline, airport, travel, trip, vacation, package, holiday, cruise, rail, train, bus, ferry, taxi,
      parking, baggage,
      luggage, cargo, check in, frequent flyer, mileage, mile, seat, fare, itinerary, group, cancellation policy,
      gate, lounge, pass,
      route, traffic, road, transit, shuttle, rental, car`,
  },
  {
    row: 'public services',
    words: `
      city, county, state, federal, government, municipal, council, mayor, clerk, tax, taxes, property, license,
      licence, licensing,
      permit office, passport, visa, immigration, birth, death, marriage, record, records, certificate, court,
      jury, jury duty, election,
      voter, park, recreation, zoning, planning, building, permit, grant, inspection, street, sanitation, animal,
      social security,
      social, veteran, veterans, unemployment, welfare, child, children, adult, senior, housing, education, school,
      student, admissions,
      library, assessor, treasurer, recorder, citizen, bereavement, public works`,
  },
  {
    row: 'retail and delivery',
    words: `
      store, shop, product, item, catalog, catalogue, brand, gift card, gift, grocery, bakery, deli, photo, garden,
      furniture, appliance,
      electronics, computer, laptop, tablet, printer, software, hardware, tire, tires, optical, beauty, clothing,
      shoe, shoes, jewelry,
      toy, toys, sport, special, promotion, deal, offer, sale, coupon, size, stock, inventory, parcel, courier,
      mail, letter, package,
      customs, pickup, drop off, locker, restaurant, food, drink, bar, takeout, spa, fitness, gym, pool, class,
      course, ticket, show,
      movie, film, concert, museum, exhibit, tour`,
  },
];

/** Harmless with other harmless words, but not alone: "tomorrow" and "the large one" can be the choice of an order. */
export const qualities = `
      existing, recent, previous, past, pending, upcoming, available, nearest, closest, local, nearby, opening,
      open, closing, store,
      day, daily, week, weekly, weekend, month, monthly, year, annual, today, tomorrow, tonight, night, morning,
      evening, afternoon,
      holiday, regular, normal, office, full, part, all, online, automated, self, latest, specific, particular,
      certain, major, minor,
      small, large, medium, individual, corporate, standard, basic, premium, special, common, frequently asked,
      general, non, up to date,
      due, late, early, north, south, east, west, central, downtown, main street, street, avenue, floor, building,
      number, name, code,
      extension, dial by name, first, second, third, hotel, apartment, house, garage`;

/** Words without an effect on the meaning. */
export const fillers = `
      al, for, to, of, in, on, at, with, from, by, about, regarding, concerning, if, you, youre, your, yours, our,
      the, a, an, my, this,
      these, those, that, them, us, me, we, i, it, its, is, are, be, was, been, being, am, or, and, any, some,
      after, would, like, want, wish,
      need, please, now, have, has, had, via, only, just, also, through, how, what, when, where, which, who, whom,
      do, does, can, could,
      may, will, as, calling, call, call about, press, not, there, here, out, related, into, within, their, so,
      then, way, much,
      many, far, not listed, other than, with us, between, per, each, et, y, o, ou, oder, und, de, del, la, el,
      los, las, le, les, un,
      una, une, des, du, en, para, por, con, pour, avec, au, aux, a la, l, d, fur, die, der, das, den, dem, ein,
      eine, einen, einem, mit,
      zu, zum, zur, unser, unsere, ihre, ihr, notre, nos, vos, votre, nuestro, nuestra, su, sus, sobre, sur, uber,
      von, vom, auf, ins,
      im, presione, oprima`;

/** Removed before a label is checked, because inside an idiom the words don't have their usual meaning. */
export const idioms = `
      lost and found, drop off, connect to, connect with, transfer to person, connect to person, put through to,
      end call, hang up,
      deposit account, close by, start over, keep holding, keep waiting, continue holding, continue to hold,
      continue waiting, continue to wait, stay on hold, remain on hold, stay on line, remain on line`;
