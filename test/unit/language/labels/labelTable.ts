import { listed } from '../../../support/listed.ts';

/** Labels as prompts word them, by the effect of their key. */
export const labelTable = {
  harmless: listed(`
    sales | billing | the billing department | billing questions | billing and account information |
    technical support | customer service | accounts | accounts payable | human resources | our opening hours |
    hours and locations | store hours and directions | directions to our office | our address and fax number |
    hear these options again | repeat this menu | repeat | replay the message | return to the main menu |
    go back to the previous menu | start over | more options | all other inquiries | listen to these choices again |
    go back | return | end this call | english | spanish | para español | pour le service en français |
    continue in english | another language | speak to an agent | speak with a customer service representative |
    talk to someone | reach an operator | the operator | be connected to a live person |
    be transferred to the next available representative | leave a message | the company directory |
    dial by name directory | check your balance | your account balance | hear your recent transactions |
    credit card balance and recent transactions | mortgages | home loans | savings accounts | online banking support |
    interest rates | current mortgage rates | fraud department | information about wire transfers | payment history |
    your last payment | the status of your payment | payment due date | questions about a charge on your bill |
    claims | check the status of a claim | auto insurance | home and life insurance | policy information |
    benefits and eligibility | provider directory | dental | cardiology | radiology | the pharmacy | pharmacy hours |
    patient information | visiting hours | medical records | test results | doctor's office | nurse | new patients |
    appointments | prescriptions | outage information | meter reading information | electricity | gas |
    residential customers | business customers | internet support | wireless | roaming rates | data usage |
    flight status | flight information | arrivals and departures | baggage information | lost and found |
    existing reservations | questions about an existing booking | frequent flyer program | parking information |
    bus schedules | route information | city hall departments | the clerk's office | marriage licenses |
    passport information | tax questions | property taxes | jury duty information | court dates | park hours |
    order status | the status of your order | track a package | track your order | track my delivery |
    returns and exchanges | the bakery | store locations | find the nearest store | gift card balance |
    the Maple Street branch | neonatology department | the parts department | warranty information |
    membership services | media relations | careers | job opportunities information | investor relations |
    front desk | ticket prices | show times | menú principal | horarios y direcciones | hablar con un agente |
    servicio al cliente | repetir las opciones | horaires et adresse | parler à un conseiller | menu principal |
    unsere öffnungszeiten | mit einem mitarbeiter sprechen | zurück zum hauptmenü | informationen
  `),
  irreversible: listed(`
    cancel | cancel your order | cancelling a policy | cancellations | cancel or change a reservation | bill payment |
    pay your bill | pay by phone | paying with a new card | make a one time payment | make a payment | payments |
    automatic payments | set up autopay | billing and payments | transfer money | transfers |
    transfer funds between accounts | wire transfer | wire money abroad | transfer to savings | deposit a check |
    withdraw cash | donate | make a donation | top up | top-up your phone | add minutes | recharge your card |
    report fraud | report a lost or stolen card | lost or stolen cards | my card was stolen | report an outage |
    report a gas leak | report an absence | block your card | freeze your account | dispute a charge | file a claim |
    file a complaint | start a new claim | submit a meter reading | activate | activate your new card | activation |
    reactivate your account | renew | renew your policy | renewals | renew a library book | subscribe |
    subscribe to our newsletter | unsubscribe | opt out | be removed from our list | stop receiving these calls |
    take me off the list | disconnect your service | disconnect | turn off the water | start service |
    start or stop service | connect new service | close your account | closing an account | terminate your contract |
    delete this message | erase your recording | order | place an order | get a new router | orders |
    order a new card | order checks | reorder | buy tickets | purchase insurance | book a flight | booking a room |
    reserve a table | make a reservation or book a tour | schedule an appointment | schedule a pickup |
    reschedule your appointment | request a callback | request a replacement card | refill a prescription |
    prescription refills | enroll | enroll in the program | sign up for alerts | register | apply for a loan |
    join our club | upgrade your plan | change your PIN | change your address | update your address |
    update my payment method | reset your password | modify a booking | add a driver | move your service |
    extend your stay | agree | agree to the terms | accept | accept the charges | consent to recording |
    authorize this payment | confirm | confirm your appointment | yes | that's correct | check in for your flight |
    vote for contestant three | void a check | book | if this is an emergency | an urgent matter |
    speak to a nurse or cancel an appointment | hear your balance or make a payment | sales or orders |
    information about the new plan and agree to it | pagar su factura | cancelar una cita | bloquear su tarjeta |
    payer votre facture | annuler un rendez-vous | rechnung bezahlen | vertrag kündigen | karte sperren |
    termin bestätigen
  `),
  unsure: listed(`
    one | this | gold | the blue widget | return an item | a new card | proceed | continue | nominate a candidate |
    mumble gurgle | press to sing | a counts | satisfied | five being very satisfied | take our survey | play a game |
    kontynuować po | avboka tid | annulla la prenotazione | betaal uw rekening | send us a fax | share your screen |
    service your car | fax | party of four | tomorrow | the large one | plan one
  `),
};

/** Written when the language's tables were finished; they aren't tuned on these. */
export const heldOutTable = {
  harmless: listed(`
    loan officer | home equity lines | branch locations and hours | questions about your credit card statement |
    routing number information | speak with a mortgage specialist | personal banking | find a doctor | pediatrics |
    billing inquiries | medical records department | directions to the hospital | the laboratory | physical therapy |
    water and sewer | information about your bill | troubleshooting | internet and tv support | mobile phones |
    international plans | departure times | lost baggage status | vacation packages | seat maps | public works |
    business licenses | voter information | animal control | shipping rates | delivery status | electronics |
    garden center | roadside assistance information | quotes | policyholder services | return to the beginning |
    hear this message one more time | talk with our front desk | all other calls | weather forecast
  `),
  irreversible: listed(`
    stop payment on a check | pay off your loan | increase your credit limit | replace a damaged card |
    set a travel notice | book a blood test | cancel tomorrow's appointment | switch providers | buy more data |
    suspend your line | unlock your account | change seats | rebook my flight | pay a parking ticket |
    report a pothole | redeem your points | leave your bid | upgrade to premium | add a beneficiary | accept the offer
  `),
};
