import type { LanguageSample } from './promptGrammar.ts';

/** French in menus of Québec, for its word order. Elisions are separate words, as in the model's dictionary. */
export const frenchSample: LanguageSample = {
  model: 'fr-fr',
  pronunciations: `
    appuyez aa pp uy ii yy ei
    aujourd' oo jj ou rr dd
    bip bb ii pp
    composez kk on pp oo zz ei
    demeurez dd ee mm oe rr ei
    désirez dd ei zz ii rr ei
    raccrochez rr aa kk rr oo ch ei
    rappellerons rr aa pp ai ll ee rr on
    remercions rr ee mm ai rr ss yy on
    tentez tt an tt ei
    transférons tt rr an ss ff ei rr on
    veuillez vv oe yy ei
    visitez vv ii zz ii tt ei`,
  sentences: `
  bonjour et bienvenue
  bonjour et merci d' avoir appelé
  bienvenue à la banque
  bienvenue au service à la clientèle
  bienvenue chez nous
  merci de votre appel
  merci d' avoir communiqué avec nous
  vous avez bien joint le bureau de
  vous avez bien rejoint la clinique
  vous êtes bien au service de renseignements
  vous avez rejoint la boîte vocale de
  pour le service en français appuyez sur le un
  pour le service en français faites le un
  pour être servi en français faites le un
  pour continuer en français appuyez sur le un
  pour le français faites le un
  pour un service en français composez le deux
  pour les services en anglais faites le neuf
  pour le service en anglais appuyez sur le deux
  veuillez écouter attentivement car nos options ont changé
  veuillez écouter attentivement les choix suivants
  veuillez écouter le menu suivant
  notre menu a changé
  si vous connaissez le numéro de poste vous pouvez le composer à tout moment
  si vous connaissez le poste de la personne que vous désirez joindre composez le maintenant
  pour parler à un agent faites le zéro
  pour parler à un conseiller appuyez sur le zéro
  pour parler à un préposé demeurez en ligne
  pour joindre la réception faites le zéro
  pour parler à un représentant du service à la clientèle appuyez sur le trois
  pour toute autre demande restez en ligne
  pour connaître nos heures d' ouverture faites le quatre
  pour connaître le solde de votre compte appuyez sur le un
  pour connaître l' adresse de nos succursales faites le cinq
  pour obtenir des renseignements sur votre facture appuyez sur le deux
  pour effectuer un paiement appuyez sur le trois
  pour payer votre facture par carte de crédit faites le deux
  pour prendre un rendez vous faites le un
  pour annuler ou modifier un rendez vous faites le deux
  pour le soutien technique appuyez sur le quatre
  pour les ventes faites le un
  pour les comptes et la facturation faites le deux
  pour la comptabilité faites le trois
  pour les ressources humaines faites le six
  pour signaler une panne appuyez sur le un
  pour signaler une carte perdue ou volée faites le neuf
  pour une urgence médicale raccrochez et composez le neuf un un
  s' il s' agit d' une urgence raccrochez et composez le neuf un un
  en cas d' urgence composez le neuf un un
  pour le suivi de votre commande appuyez sur le deux
  pour une livraison faites le deux
  pour des renseignements généraux faites le huit
  pour répéter ce menu appuyez sur l' étoile
  pour réentendre ces options faites le neuf
  pour écouter ce message de nouveau appuyez sur le carré
  pour revenir au menu principal appuyez sur l' étoile
  pour retourner au menu précédent faites le neuf
  pour quitter raccrochez
  sinon restez en ligne
  veuillez patienter
  veuillez patienter s' il vous plaît
  un instant s' il vous plaît
  un moment s' il vous plaît
  merci de patienter
  veuillez rester en ligne
  veuillez demeurer en ligne pour conserver votre priorité d' appel
  votre appel est important pour nous
  votre appel sera traité dans l' ordre de réception
  tous nos agents sont présentement occupés
  tous nos conseillers sont occupés pour le moment
  un agent vous répondra dans quelques instants
  un préposé prendra votre appel sous peu
  le temps d' attente est d' environ dix minutes
  cet appel peut être enregistré
  cet appel peut être enregistré à des fins de qualité et de formation
  cette conversation est enregistrée afin d' améliorer la qualité de nos services
  veuillez entrer votre numéro de compte suivi du carré
  veuillez composer votre numéro de dossier puis appuyez sur le carré
  entrez votre mot de passe suivi de la touche carré
  veuillez entrer les quatre derniers chiffres de votre numéro de téléphone
  veuillez saisir votre numéro d' assurance maladie
  veuillez composer le numéro de poste
  veuillez composer les trois premières lettres du nom de famille de la personne
  veuillez laisser un message après le signal sonore
  laissez votre nom et votre numéro de téléphone après le bip
  nous vous rappellerons dans les plus brefs délais
  nos bureaux sont ouverts du lundi au vendredi de neuf heures à dix sept heures
  nos bureaux sont présentement fermés
  nos heures d' ouverture sont du lundi au vendredi de huit heures à seize heures
  le bureau est fermé le samedi et le dimanche
  ce numéro n' est pas en service
  le numéro que vous avez composé n' est pas valide
  cette option n' est pas valide veuillez essayer de nouveau
  ce choix n' est pas valide
  désolé je n' ai pas compris votre choix
  je suis désolé ce poste n' est pas disponible
  la personne que vous tentez de joindre n' est pas disponible
  vous n' avez pas de nouveaux messages
  vous avez deux nouveaux messages
  vous avez choisi le français
  votre choix a été enregistré
  votre paiement a été accepté
  merci et bonne journée
  merci au revoir
  au revoir
  nous vous remercions de votre confiance
  visitez notre site web pour plus de renseignements
  vous pouvez aussi consulter notre site internet
  dites oui ou non
  dites français ou anglais
  si c' est exact faites le un
  si oui appuyez sur le un sinon appuyez sur le deux
  est ce que c' est bien cela
  comment puis je vous aider aujourd' hui
  que puis je faire pour vous
  en quelques mots dites moi la raison de votre appel
  je vais vous transférer à un agent
  je vous mets en attente
  nous transférons votre appel
  votre appel est transféré
  le gouvernement du québec
  la ville de montréal
  l' hôpital général de québec
  le centre de santé et de services sociaux
  l' école est fermée aujourd' hui
  la caisse populaire
  les produits et services de l' entreprise
  il y a une personne devant vous dans la file d' attente
  il y a cinq minutes d' attente
  c' est à vous
  toutes nos lignes sont occupées
  appuyez sur n' importe quelle touche pour continuer
  appuyez sur le un pour accepter ou sur le deux pour refuser
  appuyez sur le trois pour effacer le message
  appuyez sur le quatre pour sauvegarder
  faites le un pour oui et le deux pour non
  composez le un maintenant
  les numéros un deux trois quatre cinq six sept huit neuf et zéro
  ceci est un message automatisé
  ceci est un enregistrement
  je suis un assistant virtuel`,
};
