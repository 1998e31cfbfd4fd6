/** What a key press can do that hanging up can't undo. */
export type Act = 'pays' | 'cancels' | 'orders' | 'reports' | 'changes' | 'agrees' | 'confirms' | 'calls for help';

interface ActRow {
  readonly act: Act;
  /** "An option that may …". */
  readonly may: string;
  /**
   * Words in any inflection, and phrases, that always mean it. Phrases omit articles and pronouns: "close account" also
   * matches "close my account".
   */
  readonly always: string;
  /** Nouns that mean it, unless the label asks about them: "payment history", "status of your donation". */
  readonly nouns?: string;
  /** Nouns that are also verbs: only words that plainly ask, such as "order status", make nouns of them. */
  readonly nounsOrVerbs?: string;
  /**
   * Verbs with other meanings elsewhere. They mean it at the beginning of a clause with an object: "schedule a visit",
   * but not "bus schedule".
   */
  readonly leading?: string;
}

/** In English, with the most common words of Spanish, French and German menus. */
export const actTable: readonly ActRow[] = [
  {
    act: 'pays',
    may: 'pay or move money',
    always: `
      pay, repay, prepay, overpay, paid, transfer money, transfer funds, wire money, remit, send money, send funds,
      send cash, withdraw,
      donate, top up, topup, recharge, reload, add money, add funds, add credit, add minutes, load card, cash out,
      cash advance, settle,
      contribute, pledge, redeem, autopay, direct debit, zelle, bid, wager, bet, invest, sell, trade, loan money,
      lend, borrow, pagar,
      pague, abonar, recargar, donar, retirar, transferir, payer, regler, virer, recharger, bezahlen, zahlen,
      begleichen, uberweisen,
      aufladen, spenden, abheben`,
    nounsOrVerbs: 'transfer, wire transfer, wire, deposit, purchase, charge',
    nouns: `
      payment, prepayment, repayment, withdrawal, donation, remittance, contribution, installment, instalment,
      payoff, pago, pagos,
      transferencia, recarga, paiement, virement, recharge, reglement, zahlung, zahlungen, bezahlung, uberweisung,
      uberweisungen,
      aufladung`,
    leading: 'convert',
  },
  {
    act: 'cancels',
    may: 'cancel or end something',
    always: `
      cancel, terminate, discontinue, disconnect, deactivate, disable, delete, erase, remove, unsubscribe,
      unenroll, unenrol, deregister,
      opt out, revoke, void, annul, withdraw consent, stop service, stop receiving, stop calls, stop delivery,
      stop order, stop check,
      stop cheque, stop payment, do not call, dont call, take off list, take off, no longer receive, close account,
      close card,
      close policy, shut off, shut down, turn off, switch off, end service, end contract, end subscription,
      end policy, end membership,
      quit, resign, surrender, abort, discard, undo, reverse, decline, reject, refuse, deny, cancelar, anular,
      baja, dar de baja,
      eliminar, borrar, annuler, resilier, supprimer, desabonner, kundigen, stornieren, loschen, abmelden,
      abbestellen, abbrechen`,
    nouns: `
      cancellation, cancelation, termination, disconnection, closure, deletion, removal, cancelacion, annulation,
      resiliation, kundigung,
      stornierung`,
    leading: 'close, end, stop, drop, clear, waive, forfeit',
  },
  {
    act: 'orders',
    may: 'order, book or sign up for something',
    always: `
      buy, reorder, hire, book, rebook, prebook, reserve, reschedule, preorder, subscribe, resubscribe, renew,
      enroll, enrol, sign up,
      signup, sign me up, register, join, apply, opt in, upgrade, downgrade, get started, checkout, arrange,
      set up appointment,
      make appointment, make reservation, make booking, make purchase, make order, place order, place bid,
      open new account,
      open account, open savings account, open checking account, get new, call back, callback, return call,
      prolong, place hold,
      hold mail, rush, expedite, send technician, send truck, comprar, pedir, encargar, reservar, suscribir,
      suscribirse, renovar,
      contratar, solicitar, inscribirse, acheter, commander, reserver, abonner, renouveler, souscrire, kaufen,
      bestellen, buchen,
      reservieren, abonnieren, verlangern, beantragen, anmelden`,
    nounsOrVerbs: 'order, refill, check in, check out',
    nouns: `
      booking, subscription, renewal, enrollment, enrolment, registration, application, pedido, pedidos,
      suscripcion, commande,
      commandes, abonnement, bestellung, bestellungen, buchung, buchungen`,
    leading: 'schedule, request, place, ship, deliver, rent, lease, extend',
  },
  {
    act: 'reports',
    may: 'report, block or dispute something',
    always: `
      block, unblock, freeze, unfreeze, lock, unlock, suspend, dispute, stolen, steal, hacked, compromised,
      unauthorized, unauthorised,
      misplaced, lost card, lost or stolen, file complaint, file claim, file report, lodge, make complaint,
      make claim, submit,
      whistleblower, start claim, open claim, new claim, first notice of loss, notify, bloquear, robo, robada,
      perdida, reportar,
      denunciar, bloquer, opposition, signaler, declarer, perdue, volee, sperren, melden, gestohlen, verloren,
      reklamieren`,
    nouns: 'lost, fraud, fraudulent, theft, scam, outage report, missing',
    leading: 'report, file, flag, contest, appeal, escalate, claim, log',
  },
  {
    act: 'changes',
    may: 'change or activate something',
    always: `
      activate, reactivate, enable, change, modify, edit, amend, adjust, reset, reconnect, reinstate, restore,
      replace, resume, redirect,
      divert, reprogram, turn on, switch on, set up, setup, connect, start service, start new service,
      start delivery, begin service,
      transfer service, move service, transfer prescription, transfer number, port, transplant, link, unlink,
      assign, configure,
      customize, customise, install, uninstall, create, overwrite, forward calls, call forwarding, reboot, restart,
      mute, activar,
      cambiar, modificar, actualizar, activer, changer, modifier, aktivieren, andern, freischalten, umstellen`,
    nouns: 'activation, reactivation, installation, replacement, reset, activacion, aktivierung, anderung',
    leading: 'update, add, start, save, move, switch, verify',
  },
  {
    act: 'agrees',
    may: 'agree to something',
    always: `
      agree, accept, consent, authorize, authorise, approve, acknowledge, attest, allow, vote, aceptar, acepto,
      autorizar, consentir,
      accepter, consens, autoriser, zustimmen, akzeptieren, einwilligen, genehmigen, einverstanden`,
    leading: 'sign',
    nouns: 'authorization, authorisation, approval, consentimiento, einwilligung, zustimmung',
  },
  {
    act: 'confirms',
    may: 'confirm something',
    always: 'confirm, reconfirm, yes, correct, thats right, confirmar, correcto, confirmer, oui, bestatigen, richtig',
    nouns: 'confirmation',
  },
  {
    act: 'calls for help',
    may: 'call for help',
    always: `
      emergency, emergencies, urgent, urgently, crisis, 911, 999, 112, nine one one, ambulance, police,
      fire department, fire brigade,
      suicide, suicidal, overdose, poison, on call, gas leak, smell gas, gas smell, smell of gas, downed line,
      downed lines,
      downed power line, leak, bleeding, chest pain, heart attack, in labor, life threatening, danger, sos, panic,
      emergencia, urgencia,
      urgence, notfall, notruf`,
  },
];
