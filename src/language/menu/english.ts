import { keysHeard } from '../../base/mishearings.ts';
import { pattern, patternWith, words as list } from '../../base/rows.ts';
import { digitNames, digitsByName, numberNames, numbersByName } from '../../model/numbers/numberWords.ts';
import type { MenuLexicon } from './lexicon.ts';

const words = (rows: TemplateStringsArray): ReadonlySet<string> => new Set(list(rows));
/** Every word of a row means the row's name. */
const named = (rows: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(rows).flatMap(([name, row]) => row.split(' ').map((word) => [word, name])));
const number = [...numberNames(1, 20), String.raw`\d{1,2}`].join('|');
const digit = `${digitNames.join('|')}|\\d`;
const keyName = `${digit}|star|asterisk|pound|hash|[*#]`;
/** The beginning of a question about a scale. */
const asking = '(?:how|what|please|rate|score|would|did|was|were|thinking)';
/** "once you've entered", "after entering" */
const entered =
  "(?:once|when|after|having) (?:you(?:'?ve| have)? )?(?:finished )?(?:enter|typ|key|punch|dial)(?:ed|ing)\\b";
/** The action of a key. */
const acts = list`
  get take bring connect give put transfer lead reache? repeat end cancel return goe? send start play skip mean let
  open close delete save pause
`.join('|');
/** "press", but not as one of several phrases ("exhibitor, press, or sponsor"). */
const presses = String.raw`press\b(?!,? or (?!(?:${keyName}|say|dial|enter|key)(?!\w))|[.,]? *$|, (?!(?:${keyName}|the|or|please)(?!\w)))`;
const goOn = '(?:end|finish|complete|submit|stop|continue|proceed|carry on|go on)';
const calling = '(?:calling|phoning|ringing|enquiring|inquiring|contacting us|getting in (?:touch|contact))';
const reachedOn = new RegExp(
  String.raw` (?:(?:(?:can|may) be|is|are) (?:reached|contacted|found|handled|answered|dealt with) (?:on|at|by|under|through)|goe?s? (?:to|through)) (?=(?:option |pressing )?(?:${digit})\b)`,
  'g',
);
/** Second words of compounds, which aren't separate list items ("parking permits"). */
const compoundHeads = list`
  questions issues problems enquiries inquiries services hours details options accounts permits changes times persons
  requests updates statements reports rates fees charges fines tickets plans vouchers transfers
`.join('|');
/** After these words, a subject and its verb belong to the label ("you think your card is lost"). */
const clauseTakers = list`
  that what when where why how long much who which if whether because than as about of and or but so unless before
  after until while once since in at report confirm say hear check know tell think see believe suspect feel sure
  certain worried concerned afraid aware notice hope find
`.join('|');
const weekday = '(?:mon|tues|wednes|thurs|fri|satur|sun)days?';

const done = '(?:finished|done|complete|completed|through)';
const pound = '(?:pound|hash|number sign|pan|pond|#)';
const data =
  String.raw`\b(?:post ?codes?|zip ?codes?|number|numbers|digits?|code|pin|pins|date|birthday|amount|extension|zip|id
  |password|pass word|passcode|letters?|name|year|month|card|keywords?|filename|dollars|cents|weight|reading
  |quantity|age|identification|temperature|room|mailbox|time|how many|how much|reference)\b`.replaceAll(/\n\s*/g, '');

/** What callers are asked to do elsewhere, or later. */
const notEntered = list`
  call visit check hang try note contact see have hold wait stay listen leave dial be remember remain go write email
  bring keep quote arrive allow show save send consult stand
`.join('|');

/** Free speech, or a key: not a phrase of the menu. */
const ownWords =
  String.raw`your|the name|the|a few|a|what|in a few|why|how|which|who|where|it|something|anything|that|this|his|
  her|their|my party|each|any|again|or press|or enter|or key|with|to|about|after|briefly|(?:hello|good ?bye|no) to|thanks?|thank you|(?:or|and) (?:press|dial|ent
  er|key|type)|you (?:can|may|could) say`.replaceAll(/\n\s*/g, '');

export const englishLexicon: MenuLexicon = {
  respellings: [
    [
      /(?<=^|[.?!] )you can see (?=things like |(?!your|our|all|more|the |what|how|it )[^.?!,]{3,40}, [^.?!]{2,200}?\bor )/g,
      'you can say ',
    ],
    [/\bprest(?:oof|ube|oo|ew)\b|\bpresto(?= (?:to|for|if)\b|[.,;?!]|$)/g, 'press two'],
    [
      patternWith('g')`
                \b(?:dr|rev|sgt|capt|mr|mrs|ms|st|mt|prof|inc|ltd|co|corp|jr|sr|ext|dept|ave|blvd|rd|vs)\.(?=,
        | (?!press|for |to |if |please|say|enter|otherwise|our|you|we |this|the |thank)\w)
      `,
      '$&\u0000',
    ],
    [/(?<=\b(?:select|choose|pick) )one of\b/g, 'from'],
    // "press star and then 9"
    [
      new RegExp(
        `(?<=\\b(?:press|push|hit|touch|dial|select)(?: the)? (?:${keyName}))(?: key| sign)? (?:(?:and )?then(?: the)? (?=(?:${keyName})(?![\\p{L}\\d]))|followed by(?: the)? (?=(?:${digit})(?![\\p{L}\\d])))`,
        'gu',
      ),
      ' ',
    ],
    // "Select from the following options: 1 sales, 2 parking", "Options 1 sales 2 parking"
    [
      new RegExp(
        `(?<=\\b(?:options?|following|selections?|choices?|menu|departments?|services)(?: are)?)(?:: (?=(?:[^.?!,;:]{1,40} )?(?:${digit})\\b)|(?<=(?:^|[.?!] )(?:(?:the|your|our|main) )?\\w+),? (?=(?:1|one)\\b))`,
        'g',
      ),
      '. ',
    ],
    [/\bno\.(?= \d)/g, '$&\u0000'],
    [/\.\u0000/g, ''],
    [/\b(to|for) digits?\b/g, '$1-digit'],
    [/\bto-digit/g, 'two digits'],
    [/\bfor-digit/g, 'four digits'],
    [/(?<=\bdigits? .{0,200})(?<!press |dial |hit )\b(two|four|2|4) for the (?=day|month|year)/g, '$1 digits for the '],
    [
      /(?:^|(?<=\b(?:press|dial) \w+ ))(?<!\b(?:to|for|if) [^.?!]{1,60} (?:press|dial) (?:three|3) )four (?=(?:\w+ ){1,4}press\b)/g,
      'for ',
    ],
    [
      /(?:^|(?<=\b(?:press|dial) \w+ ))(?<!\b(?:to|for|if) [^.?!]{1,60} (?:press|dial) (?:one|1) )two (?=(?:speak|hear|reach|get|go|make|pay|talk|return|repeat)\b)/g,
      'to ',
    ],
    [/(?<=\bdigits? ?.{0,200})\bas (two|four)\b(?! digit)/g, 'as $1 digits'],
    // "parts can be reached on 2, and sales on 3", "complaints go to option 4"
    [reachedOn, ' is '],
    [/\bthat(?:'ll| will) be\b/g, "that's"],
    [new RegExp(`\\b(it|that) is (?=(?:option |number )?(?:${digit})\\b)`, 'g'), "$1's "],
    [new RegExp(`\\b(is|are|it's|that's) number (?=(?:${digit})\\b)`, 'g'), '$1 '],
    [/\b(one|two|three|four|five)'s (?=for\b)/g, '$1 '],
    [/\bif (?:it's|it is) ([^,.?!]{1,40}?) (?:you're after|you are after|you need|you want)\b/g, 'for $1'],
    [/\bshould you (?=need|want|wish|require|prefer|have)/g, 'if you '],
    [/\bin case of\b/g, 'for'],
    [
      new RegExp(
        `(?<!\\bif )\\b(?:(?:key|punch|type) in|you(?:'ll)? (?:want|need)) (?=(?:option |number )?(?:${digit})(?:[.,;?!]|$| (?:and|or|for|to|if)\\b))`,
        'g',
      ),
      'press ',
    ],
    [new RegExp(`\\b([ap])\\.m\\. (?=(?:for|if|press|to (?!(?:${number}|noon|midnight)\\b)) ?)`, 'g'), '$1m. '],
    [/\b(tapez|faites|composez)(?: le)? un\b/g, '$1 1'],
    [/(?<=\bto [^.?!]{3,40} hang up) (?=(?:for|to|if) )/g, '. '],
    [/\bthan press has\b/g, 'then press hash'],
    // "enter", as it is misheard before what can only be entered.
    [
      /(?<=\bplease )(?:s?end to|send her|and (?:to|her)|cent(?:er|re)|inter) (?=(?:the|your|an?) (?:\w+[- ]){0,4}(?:number|digits?|code|pin|extension|password|letters)\b)/g,
      'enter ',
    ],
    [/\bo ?prima (?:y|el) (?=\S)/g, 'oprima '],
  ],

  keys: {
    ...named(Object.fromEntries(list`0 1 2 3 4 5 6 7 8 9 * #`.map((key) => [key, key]))),
    ...digitsByName,
    // Spanish, French and German offers occur in English prompts ("para español, oprima el dos").
    ...named({
      0: 'nought naught cero zéro',
      1: 'uno eins',
      2: 'dos deux zwei',
      3: 'tres trois drei',
      4: 'cuatro quatre vier',
      5: 'cinco cinq fünf',
      6: 'seis sechs',
      7: 'siete sept sieben',
      8: 'ocho huit acht',
      9: 'nueve neuf neun',
      '*': 'star asterisk asterisco étoile',
      '#': 'pound hash hashtag octothorpe dièse almohadilla raute',
    }),
  },
  keyPairs: { 'number sign': '#' },
  keyNames: { ...Object.fromEntries(digitNames.entries()), '*': 'star', '#': 'pound' },
  misheardKeys: keysHeard('text'),
  misheardInLists: words`it pan start`,
  notAfterMisheard: words`at again when any until after now`,
  cueSounds: words`two four to for`,

  pressVerbs: words`
    press pressing pressed presses precise push pushing hit hitting dial dialing dialling select selecting choose
    choosing touch touching tap tapping strike striking depress depressing click clicking mash punch option pick oprima marque pulse presione presiona appuyez faites composez tapez
    drücken drücke wählen wähle pulsa presionar oprimir
  `,
  mishearingVerbs: words`press pressing pressed presses`,
  weakVerbs: words`enter use using type input key entering digit`,
  sharedVerbs: words`take hold want go try need get have make mark send use hear two`,
  nounEnd: /(?:[^s]s|else|tion|ment)$/,
  sayVerbs: words`say saying speak`,
  callVerbs: words`dial call text calling dialing dialling ring`,
  multiples: words`hundred`,
  emergencyNumbers: words`911 999 112 988 000`,
  thenWords: words`then`,
  notOffered: pattern`
        \b(?:(?:selected|chosen|chose|entered|picked) option|(?:do not|don't|never|not to|without) (?:press|dial|hit
    |push|pressing)|(?<!\b(?:we|i|we'd|i'd|please) )(?:asks? you|be asked) to (?:press|dial|hit|push)|(?:you|you've|you have|you just) (?:pressed|selected|chose))$
  `,
  beforeKey: words`
    the number key option button digit just simply please a on your keypad by only either el la le numero número tecla
    sur sie bitte die touche
  `,
  offeredLater: /^(?:when|once|after|as soon as) (?:you (?:hear|reach)|you're back|you are back)\b/,
  offeredLaterBefore: pattern`
    \b(?:when|once|as soon as) you (?:hear|reach|get to) (?:the|our|this|that) (?:\w+ )?(?:menu|options|choices)
    (?: (?:you|can|may|please|just|simply))*$
  `,
  anyTime: new Set(['at any time', 'at any point', 'at any stage']),
  afterKey: words`key button now sign on your keypad telephone phone again`,
  doublings: words`twice`,
  keyNouns: words`key button`,
  verbOpeners: new Set([
    ...list`by please just simply also kindly either it's that's`,
    ...['you can', 'you may', 'you should', 'you must', 'if you', 'go ahead and', 'feel free to'],
    ...['need', 'have', 'want'].flatMap((verb) => ['you', "you'll", 'you will'].map((who) => `${who} ${verb} to`)),
    ...['all you need to do is', 'all you have to do is'],
    ...["you'll want", "you'll need"],
  ]),
  keyActs: /^(?!this$|does$)\w{3,}s$/,
  copulas: words`that's thats it's its is are`,
  equals: words`means`,
  navigation:
    /^(?:(?:go |return )?(?:to )?(?:the |your )?(?:first|main|previous|last|earlier|opening) menu|(?:go |step )?back|(?:hear|say|play) (?:this|that|it|these) again|repeat)\b/,
  keyLinks: words`on with using`,
  listWords: words`number that's thats it's its is are`,
  fillers: words`simply just please now then also kindly go ahead um uh er`,
  leads: pattern`^(?:(?:${acts})s\b|(?:will|can|always|also) (?:${acts})s?$)`,

  cues: words`for to if para pour für`,
  notCueAfter: {
    if: words`out see check know ask hear`,
    to: words`
      like want wish need have going go try trying open opens ready continue welcome listen calling prefer able order
      how due up next addition response regard regards reference you through speak talk phoning ringing agree consent
    `,
    for: words`
      looking you calling phoning ringing waiting applying apply asking responsible asked paying pay name available
      search searching thank thanks paid except apologise apologize sorry
    `,
  },
  purposeCue: 'to',
  conditionCue: 'if',
  goesOn:
    /^(?:and|but|or|either|the|an?|your)\.|\. (?:and|but|either|or|within|during|since|because)\b(?! (?:for|to|if)\b)/,
  determiners: words`the our your a an this that these main previous you`,
  joiners: words`or and`,
  alternatives: words`or`,
  rangeWords: words`through thru to until`,
  notBeforeBareKey: words`
    from between about of number next at than in level line caller under over approximately around the by with within
    until after before only last least all any this suite highway route gate floor room section form chapter part step
    phase than version season grade class type exit terminal channel window zone bay platform unit apartment dollars covid address say
  `,
  beforePronoun: words`
    have need want get got a new old another other this that which no right wrong different any each every the
  `,
  notAfterBareKey: words`
    minute minutes hour hours day days am pm a.m. p.m. o'clock percent dollars cents pounds euros degrees kilos miles metres meters places children adults business weeks week month months
    year years digit digits people callers calls seconds million hundred thousand street avenue road of moment
    moments more time times
  `,

  notNames: words`depending based according on in at with where when as then now after followed only`,

  labelPrefixes: [
    /^.*\bfrom the following\b/,
    /^(?:thank you for|thanks for) calling about\b/,
    pattern`
                  ^(?:or|and|also|then|now|otherwise(?! say\b)|please|again|just|but|so|(?:next|first
      |right)(?= (?:for|to|if|um|uh)\b)|finally|lastly|hello|okay|ok|um|uh|er|well|thanks|thank you|sorry|yeah
      |alright|simply)\b
    `,
    pattern`
            ^(?:if|are) (?:you are|you'?re|your|you) ${calling} (?:about|for(?! an? )|regarding|to|in regard to|in reference to
      |because of|because|with)\b
    `,
    pattern`
      ^(?:if )?(?:this (?:call )?is|it's|it is|your (?:call|query|question|enquiry|inquiry) is) (?:about|regarding
    |in regard to|for)\b
    `,
    pattern`
            ^if (?:you|you'?d|you would|you've) (?:would |just |also |simply |still |only |really )?(?:like|want|wish|need|prefer|have)(?: me
      | us)? (?:to|help with|assistance with|information (?:about|on))\b
    `,
    /^if (?:you'?d|you would) (?:like|prefer)\b/,
    /^if (?:you want|you wish)\b(?! (?:a|an|the) (?:\w+ )?(?:who|that))/,
    pattern`
      ^(?:si (?:desea|quiere|necesita)(?: comunicarse con| hablar con)?|si vous (?:désirez|souhaitez|voulez)|si
      |wenn sie)\b(?= \S)
    `,
    /^if\b/,
    /^(?:pour (?:le|la|les|un|une)|para (?:el|la|los|las)|für (?:die|das|den|der))\b(?= \S)/,
    pattern`
            ^(?:and )?(?:you'?ll|you will|we'll|we will|i'll|i will) (?:be |get )?(?:put|connect|connected|transfer
      |transferred|reach|get|go|taken|sent)(?: you)?(?: straight| right)?(?: through)?(?: to| with)?\b(?= \S)
    `,
    pattern`
                  ^(?:(?:will|can|always|also) )?(?:${acts})s? you(?! back$)(?: straight| right
      | directly)?(?: through| back| in touch)?(?: to| with)?\b(?= \S)
    `,
    /^(?:is (?:this|it)(?: about)?|is|are|(?:got|have)(?= an? )|looking for|want to|need to)\b(?= \S)/,
    /^(?:would you like(?: to)?|do you(?: have| need| want(?: to)?)?|have you|did you|are you)\b(?= \S)/,
    /^(?:for|to|when|para|pour|für)\b/,
    /^at any (?:time|point|stage)\b(?= \S)/,
    /^(?:will(?! you\b)|reaches)\b(?= \S)/,
    /^(?:you (?:can|may) )?(?:just |simply )?say\b(?= \S)(?! (?:that|this|it|these) again)/,
    /^(?:an?|the)\b(?= \S)/,
  ],
  labelSuffixes: [
    /(?<=\S )(?:(?:which|that) (?:is|are|costs?)|from|starting (?:at|from)) [$£€]\d\S*(?: (?:a|an|per|each) \w+)?$/,
    /(?<=\S )(?:call|ring|phone|visit|come) (?:us |back )?(?:after|before|between|on|from) .* or$/,
    /(?<=\S )and (?:we'll|you'?ll|(?:we|you|someone|one of (?:our|us)|an? \w+) (?:will|can)) \w+ .*$/,
    pattern`
            \b(?:or|and|then|please|now|just|simply|also|either|at any (?:time|point|stage)|next|um|uh|er|so)$
    `,
    /(?<=\S )(?<!\b(?:it|this|that|you|who|none|(?:where|what|how|who|when|if)\b.*) )(?:is|are)$/,
    /(?<=\S )(?<!\b(?:not|to|your|you can|you may|\w+n't) )(?:(?:or )?say|(?:or|by) saying|or speak)(?: .{1,40})?$/,
    pattern`
      (?<=\S) (?:(?:which|that) )?(?:is |are )?(?:open|opens|closed|closes|available|weekdays|weekends
      |daily)\b(?=.*(?:\b(?:${number})\b|day|night|hours)).*$
    `,
    new RegExp(`(?<=\\S) ${weekday} (?:to|through|and) ${weekday}\\b.*$`),
  ],
  call: pattern`
        \b(?:thank you|thanks|welcome|you have reached|you've reached|hello|listen|calling|options|following|hours|open|located
    |phoning|ringing|visit|busy|happy|received|so you know|911|nine one one|emergency|recorded|changed|press|starts? at
    |costs?)\b|(?<!\b(?:who|that|which|what|where|how) )\b(?:is|are|was|were|will|may) |^(?:we|you|i|due to|because of
    |owing to|please note) |^we're$|^(?:your|the|this|our|we|you
    |there|it|all|i) .*\b(?:is|are|was|were|has|have|will|can)\b
  `,
  offerAfterComma: pattern`
        ^(?:(?:or|and|otherwise|please|then|otherwise please|or please|or just|or simply|but) )?(?:(?:stay|hold|wait
    |remain|continue to hold|hang (?:up|on)|say|press|dial|visit)\b|otherwise|thank|please|you can|you may|if|for|to\b)
  `,
  aim: pattern`
    \b(?:(?:help|serve|assist|direct|route|connect) (?:us|you|your call)
    |(?:you (?:may|can)|please) (?:dial|visit|call|hang up))\b
  `,
  step: pattern`
    ^(?:,|(?!(?:to|you|we|they|and|or|can|cannot|\w+n't|not|a|the|your) )\S+) (?:and |or |please )?(?:leave (?:the|your|their|it)|get (?:out|away)
    |keep (?:well |a |clear|away)|stay (?:away|clear|inside|where)|hang up|(?:call|visit|email|ring) (?:us|our|the|your)
    |go to (?:our|your)|move (?:away|to)|turn (?:off|it)|make sure|write down)\b
  `,
  offerAfterLabel: pattern`
        ^(?:(?:or|otherwise|and) (?:please )?(?:stay|hold|wait|remain|hang (?:up|on)|say|simply|just
    |continue to hold)\b|otherwise\b|please (?:hold|stay|remain|wait|listen)\b|thanks?\b|have an? \w+ (?:day|evening
      |weekend)\b|good ?bye\b)
  `,
  statement: pattern`
    ^\S+ (?!(?:${clauseTakers}) )\S+ (?:(?<!^(?:the|any|every|each|an?|some|those) \S+ )(?:(?:this|these|our|your|the|all
    |standard) (?!(?:that|which|who|we|you|i) )\w+ (?:(?!(?:that|which|who|we|you|i|results) )\w+ )?|(?:school|calls|lines|results) )(?:is|are
    |will|(?<!of )may|has|have|takes?|expires|ends|starts|opens?|closes?|apply|applies)|we (?:look forward|hope
    |apologi[sz]e|(?:are|will be) (?:open|closed|here|sorry|now|currently|unable|experiencing|delighted|always
    |available))|you can also)\b
  `,
  backReference: /^(?:so|that is the case|that's the case|that is you|that's you)$/,
  effect:
    /\b(?:(?:press|dial|diall|choos|select|us|hitt|push)ing|(?:when|once|if|after|before|unless|until) you (?:press|dial|choose|select|use|hit|push))\b/,
  repeatLabel: pattern`
            \b(?:(?:repeat|replay|repeated|repeats)(?:[ ](?:this|these|the|that|it|those|your|our|all|options|menu
    |list|choices|instructions|prompt|selections|again|main)\b|$)|hear (?:(?:these|this|the|those|your|all|my
    |our) )?(?:options|menu|choices|list|selections|prompt|message|instructions)|(?:hear|listen to) (?:this|these
    |that|it|them|the (?:options|menu|choices))(?: \w+)* again|start over|again|once more|one more time
    |you missed (?:any|some) of|play (?:these|the|this|all)(?: the)? (?:options|choices|menu)|go over (?:that|this
    |these)|repetir|(?:escuchar|oír) (?:(?:estas|las|esta|este) )?opciones|répéter|réécouter|wiederholen)\b
  `,
  notRepeatLabel: pattern`
        \b(?:voicemail|voice mail|recording|balance|envelope|transaction|transactions|greeting|(?:start|try|call) again
    |number|address|confirmation|details|start over|last|order|try|flight|status|amount|date|prescription|balances
    |schedule|announcement|your message|caller|in (?:english|spanish|french|another language))\b
  `,
  messageMenu: pattern`
        \b(?:delete|erase|(?:save|send) (?:it|this|the)|re-?record|next message|previous message|forward|new messages?
    |reply|voice ?mail|mailbox|recorded)\b
  `,
  messageLabel: /\b(?:message|it)\b/,
  stay: pattern`
            \b(?:(?:stay|remain|stand|hold|wait|holding|staying|remaining) (?:on|by)\b(?! hold)|remain on hold
    |(?:stay|stand) (?:right )?(?:there|here|where you are|with us|put)|remain (?:connected|with us)|(?:sit
    |hold) tight|stay tuned|happy to (?:wait|hold)|mind (?:waiting|holding)|bear with us|(?:^|[.,;!?] |please |just |
    otherwise |or |and |simply )(?:hang on|hang in there)\b|don't go away|do not go away|(?:please|just|simply|kindly
    |otherwise,?|or|and|,) (?:hold|wait)\b(?! for the (?:beep|tone))|(?:hold|(?<!(?:that|it|this|which) can |cannot |
    can't )wait) (?:for(?! the (?:beep|tone))|while|please|the line|until)\b|continue (?:to hold|holding|to wait
    |waiting)|keep (?:holding|waiting)|(?<!(?:not|to|can) )(?:hold|wait)$|standing by|do(?: not|n't) (?:hang up
    |disconnect)|do nothing|(?:espere|permanezca|manténgase|quédese|aguarde) en (?:la )?l[ií]nea|no cuelgue|(?:restez
    |demeurez|rester|patientez) en ligne|ne quittez pas|veuillez patienter|bleiben sie (?:bitte )?(?:am apparat|dran
    |in der leitung))
  `,
  staysByKey: patternWith('g')`
        (?<!continue )\b(?:to|you(?:'d| would)? (?:like|want|wish|prefer) to) (?:continue (?:to hold|holding|to wait
    |waiting)|hold|wait|stay on the line|remain on (?:the )?(?:line|hold)|keep (?:holding|waiting
    |your place))\b[^.;?!]{0,40}?\b(?:press|dial|select|push|say|option|choose|hit)|\b(?:press|dial
    |select) (?:\S+ ){1,3}?(?:to|if you(?:'d| would)? (?:like|want|wish|prefer) to) (?:continue (?:to hold|holding
    |to wait|waiting)|hold|wait|stay on the line|remain on (?:the )?(?:line|hold)|keep (?:holding|waiting))
  `,

  scale: pattern`
            (?:\b(?:scale (?:of|from|where)|number,? from|numbers|number between|digit from|digit between|rating from
    |rating of|keys?)|(?<=\b(?:rate|rating|satisfied|likely|score|recommend)\b[^.?!]{0,100})\b(?:from|between)
    |\bwhere(?= \S+ (?:is|means|equals) )|\bfrom(?= \S+ (?:for|being|meaning) | \S+ to \S+,? ${asking}\b)
    |,(?= \S+ being ))[ ](${number}|zero)(?:(?: for| being| meaning| as| is|,) [a-z' ]{1,24}?)?,? ?(?:up )?(?:to
    |through|thru|and|-) ?(${number})\b(?! digit)|\bout of (${number})\b(?=,? ${asking}\b|[.?!]|$)
  `,
  scaleAsked: pattern`
        \b(?:scale|how|press|enter|dial|rate|satisfied|likely|score|select|choose|key|use|using|answer|respond)\b
  `,
  scaleStep: patternWith('g')`
            \b(${digit})(?: (?:is|being|means|meaning|for|equals|as|the)(?: the)? |, (?=very|extremely|not|least|most
    |strongly|poor|excellent))([a-z' -]+?)(?=,| (?:(?:and|(?:up )?to|through) (?:${digit})|(?:${digit}) (?:is|being
    |means))\b| ${asking}\b|[.;?!]|$)
  `,
  scaleAsks: new RegExp(`\\b${asking}\\b`),
  scaleEdges: patternWith('g')`
        ^(?:[ ,]|(?:and|where|with|please|on an?|(?:press|enter|choose|select|dial) an?|tell us|using (?:an?|the
    |your (?:telephone |phone )?keypad))\b)+|(?:[ ,]|\b(?:and|where|with|please|by its|on an?|using an?|for \w+|answer
    |(?:by )?(?:press|enter|choos|select|dial)(?:ing|e)? an?))+$|\bplease[ ]
  `,
  numberWords: numbersByName(0, 99),

  enterVerb: patternWith('g')`
        (?:(?:^|(?<=[.?!] ))${entered}(?: in)?(?=[^.?!]{1,80}? (?:press|hit|push|touch)\b)|(?:^|(?<=[.?!] ))(?:and|now
    |next|finally|lastly|then),? (?=(?:the|your) [^.?!]*\b(?:digits|please)\b)|\b(?:re-?enter|enter
    |(?:key|type|punch|tap|put) (?:it |them |that )?in|keying in|type|input|provide|dial|press it|entering|say or enter
    |enter or say|tell me|give me|say or key in|spell)\b)
  `,
  entryData: new RegExp(data),
  mayAsk: new RegExp(`\\bplease (?!(?:${notEntered})\\b)[\\w']+ (?:[\\w'-]+ ){0,6}?${data}[^.?!]*[.?!]?$`),
  unfinished: new RegExp(`\\b(?:(?:first|last)(?:,? (?:${number}))?|the|your|of)$`),
  entryNamedBefore: /^press it>|^\w+ (?:it|them|that) in>|>(?:(?:it|them|that)\b|(?:all |the |all the )?\w+ digits\b)/,
  entryRules: [
    [false, /<(?:tell|give) me>(?!.*\b(?:number|digits?|code|date|birthday|amount|pin|zip|id)\b)/],
    [
      false,
      /\b(?:press|dial|select|option)\s+\S+\s+(?:key\s+)?(?:to|if you (?:want|wish|would like) to)\s*(?:\w+\s+)?</,
    ],
    [true, /\bextension\b[^<]*<press it>(?:now|at any|$)/],
    [false, /<press it>/],
    [
      true,
      pattern`
                <dial>(?:extensions?\b|any extension|that extension|an extension|the (?:\w+ )?extension|their extension
        |your party's extension|(?:it|the (?:\w+ )?number|their)\b.*\bextension\b)|\bextension\b[^<]*<dial>(?:it
        |the (?:\w+ )?number|their)\b
      `,
    ],
    [false, /<dial>/],
    [true, new RegExp(`<(?!tell|give)[^>]*>.*\\bfollowed (?:by|with)\\b.{0,12}\\b${pound}`)],
    [true, new RegExp(`${data}[^<]*<(?:[^>]*>(?:it|them|that)\\b|\\w+ (?:it|them|that) in>)`)],
    [true, new RegExp(`\\b(?:use|using) (?:the|your) (?:\\w+ ){0,2}keypad to\\s*<[^>]*>.*${data}`)],
    [
      false,
      pattern`
        >(?!.*${data})|>(?:it\b|was|is|are|were|you entered|entered)\b|\b(?:you|you've|you have|have)\s*<
      `,
    ],
    [
      false,
      pattern`
                \b(?:to|or)\s*<(?!.*(?:\b(?:then|and) (?:press|hit)\b|followed by)).*,?\s*(?:please )?\b(?:press|dial
        |select|choose|hit|say|option)\b
      `,
    ],
    [true, /\b(?:ask(?:ed)?|need|required|ready|want)\b[^.<]*\bto\s*<|\bto\s*<.*(?:followed by|\bplease\b)/],
  ],
  inputTypes: [
    ['zip', /\b(?:zip|postal|post) ?codes?\b/],
    [
      'pin',
      pattern`
                \b(?:pin|meeting code|conference code|participant code|pins|passcode|pass code|pass ?words?|access code
        |security code|personal identification|verification code|authorization code|secret code|one[- ]time code
        |(?:four|six|4|6)[- ]digit code|(?:digits|number) on the (?:back|reverse))\b
      `,
    ],
    ['card_number', /\bcard (?:number|no)\b|\bnumber (?:on|across) .*\bcard\b/],
    ['date', /\b(?:date|birthday|expiration|expiry|month|two[- ]digit (?:day|month|year))\b/],
    ['card_number', /\bcard\b/],
    [
      'account_number',
      /\b(?:account|customer|loan|member|membership|policy|reference) (?:number|id) you(?:'re| are) calling about/,
    ],
    [
      'phone_number',
      pattern`
                \b(?:(?:tele)?phone number|mobile number|cell(?: phone)? number|callback number|call back number
        |area code|number (?:you wish|you want|you would like|you'?d like|to be blacklisted|you are calling
        |where we can)|contact number)\b
      `,
    ],
    ['extension', /\bextensions?\b/],
    ['amount', /\b(?:amount|dollars and|in dollars|payment in|how much)\b/],
    [
      'account_number',
      pattern`
                \b(?:(?:account|customer|loan|member|membership|policy|client|subscriber|policyholder|user|patient
        |reference|contract|frequent flyer|rewards|loyalty|agent|employee|case|claim) ?(?:number|id|i\.d\.
        |identification)|account)\b
      `,
    ],
  ],
  inputDigits: [
    new RegExp(`(?<!(?:between|to|and) )\\b(${number})[- ]?(?:digit|digits|character|number)\\b(?! at a time)`),
    new RegExp(`\\b(?:first|last|the),? (${number}),? (?:digits|numbers|letters)\\b`),
    new RegExp(`(?<!(?:between|to|and) )\\b(${number}) (?:digits|numbers)\\b`),
  ],
  datePart: new RegExp(`\\b(${number})[- ]?(?:digit|digits|character|number|numbers)\\b`, 'g'),
  inputTerminator: [
    [
      '#',
      pattern`
                \b(?:followed by|followed with|for by|then|and|end(?:ed|ing)? (?:with|by)|finish(?:ed|ing)? (?:with|by)
        |${entered}[^.;?!]{1,80}|finished,?|done,?|complete,?|completed,?)(?: then)?(?: you)?(?: press| pressing| hit
    | push| touch| the| a
        | dial| enter)*(?: key)? (?:${pound}(?!\w))
      `,
    ],
    [
      '#',
      pattern`
                \b(?:press|hit|push|use|touch)(?: the)? ${pound}(?: (?:key|sign))?,? (?:when|once|to (?:end|finish
        |complete|submit)|after)\b
      `,
    ],
    [
      '*',
      pattern`
                \b(?:followed by|then|end(?:ed|ing)? (?:with|by)|finish(?:ed)? (?:with|by)
    |${entered}[^.;?!]{1,80})(?: press| pressing| hit
        | the)* (?:star|asterisk|\*|start)(?! to (?!${goOn}\b)| for| if)
      `,
    ],
  ],
  recording: /\b(?:record|after the tone|at the tone|recording|speak|say your)\b/,
  terminatorAlways: pattern`
        \bfollowed (?:by|with)(?: the)?$|\b(?:end(?:ed|ing)?|finish(?:ed|ing)?) (?:with|by)(?: the| pressing)*$
  `,
  terminatorBefore: pattern`
        \b(?:followed by|follow(?:ed)? with|finish(?:ed)? (?:with|by)|end(?:ed)? (?:with|by)|ending with|then|and then
    |(?:when|once) (?:you(?:'?re| are| have)? ?)?${done}(?: recording| speaking| (?:leaving |recording |with )?your message)?
    (?: (?:you (?:can|may) |please |just |simply )*(?:hang up|disconnect)(?: or)?)?|and|${entered}.*)$
  `,
  terminatorAfter: pattern`
        ^(?:to ${goOn}(?: (?:your|the)\b|(?: entry| recording| message)?$)|(?:when
    |once) (?:you(?:'re| are| have)? ?)?(?:${done}|finish)|after (?:each|every|the|your|entering|you))\b
  `,
  keypadSpelling: pattern`
        \b(?:for (?:the )?(?:letters? )?[b-hj-z]\b(?! (?:through|thru|to|rays?)\b)|decimal|for (?:the )?letters?\b|(?:for
    |as) (?:a |the )?(?:dot|period|point|decimal|slash|space|dash|hyphen)\b|to separate|separated by)
  `,
  letterKey: pattern`
    ^(?:key |button )?for (?:the )?(?:letters? )?(?:q|queue|cue|que|kew|z|zee|zed|zet|ze|said|see|sea|c|the)
    (?: or z)?(?= (?:and|or|to|if|for|press|dial)\b|$)
  `,
  asksForLetters: /\b(?:letters|spell)\b/,
  keypadLetter: /\b(?:for|as) (?:the letters? )?[a-z](?: (?:or|and) [a-z])*$/,
  keypadSpellingBefore: /\b(?:for (?:the )?decimal(?: point)?|decimal point)\b/,

  phraseIntro: patternWith('g')`
            \b(?:say|(?<=\b(?:or|by|try) )saying)(?: (?:(?:things|something|phrases) (?:like|such as)
    |for example|just|simply|either|(?:one|any) of (?:the following|these)(?: (?:options|phrases|choices|words))?|are
    |(?<=\bthings you (?:can|may|could) say )include))?(?:[,:]|(?<=\byou (?:can|may|could) say)\.)?[ ](?!(?:${ownWords})\b(?![^.?!]*")(?!(?<=\b(?:what|where|how|why))(?:'s| is| are| do| much| many)? (?:my|i|do i)\b))|\banswer (?=yes|no)
    |\bwhat would you like\? (?!you|for|if|to|press|please|say)|\bchoose from(?: the following)?(?: options)?: (?!for
    |to|press|[^.?!]*\b(?:${digit})\b)|(?<!\b(?:who|that|which|team|staff) )can help(?: you)? with(?: things like
    | something like)?[,:]? |\byou can ask(?: me)? (?:about|for)[,:]?[ ]|\bask(?: me)? (?:about|for) things like[ ]
    |(?<=\b(?:tell me|tell us|ask me|can help|what would you like|how (?:can|may) \w+ help
    |describe)\b[^]{0,120}\b)(?:for (?:example|instance)(?!,? you)|such as|(?:things|something) like|like)[,:]? |\b
    tell (?:me|us) which(?: \w+){0,6}: |\bwhich (?:one |service )?(?:would you like|do you want
    |would you prefer)[,:][ ]
  `,
  phraseHeard: pattern`
    \b(?:did you|i heard you|i think you|didn't you|what you
    |(?:sorry|glad|pleased|proud|happy|sad|delighted|afraid|needless|that is|regret|fair|safe|nothing(?: \w+)?|suffice it
    |suffice|going|had|have no|(?<!\byou(?:'d| would)? )(?:like|want|have|need)) to
    |(?<!\byou )(?:cannot|can't|can not)|have no
    |(?:they|we|i|people|customers|members|experts|doctors|officials|studies|reports|signs?|rules|terms|others|many|some
    |who|(?:someone|anyone) else|users|callers|patients|guests)(?: (?:may|might|often|would|will|all))?)\s*$
  `,
  closesList: /\bor\b\W*\w/,
  beginsAlternative: /^or\b(?=\W*\w)/,
  notListed: pattern`
    ^(?:(?:or|and)\W+)?(?:to|for|if|which|who|(?:what|how) (?:would|can|may)|when|once|otherwise|please|just|simply|okay|ok|great|now|then|all|stay|wait|remain|visit
    |call|text|hang|hold (?:on|the|please)|(?:select|choose|enter|option|number) (?:${keyName}|option|number))\b
    |\b(?:you|you're|your|we|we're|our|us|they|this|these|there|${presses}|push|dial|say|please|thanks?|sorry|good ?bye
    |bye|welcome|hello|listen|(?<!^(?:or )?(?:i|my|what|where|when|how|why|is|are|it)\b.*)(?:is|are|was|were|will|has|may))\b
  `,
  phraseEnd: pattern`
        \s(?:or (?:${presses}|dial|hit|push|select|touch|enter|key|stay|hold|wait|remain|just hold|simply|you can)
    |(?<!\b(?:want|need|like|have) )to (?:speak|hear|get|return|go|start|talk|repeat|be|reach|continue|make|pay|cancel
    |end|exit|find|use|learn|connect)|if|(?<=,\s)for(?=[^.?!]{1,60} ${presses})|otherwise|at any|any ?time|now|when|followed|${presses}|after|please|and we|and i
    |for (?:more|help|an|a|the|all))\b|$
  `,
  listedNoun: pattern`^(?:(?!(?:${compoundHeads})$)\w+(?:s|ing)|service|support|balance|help|yes|no)$`,
  labelBoundary:
    /(?<=^(?:billing|banking|shipping|parking|housing|training|dining|catering|\w+[^s]s)) (?=(?:technical|tech|new|existing|general|lost|other|something|roadside|emergency) \w)/,
  beforeEcho: /^(?:(?:ok|okay|all right|alright|sure|great|thanks|thank you|got it|you said|you chose)\W+)+/,
  afterEcho: /^(?:[.,!?]|$| you can say\b)/,
  compoundHead: new RegExp(`^(?:${compoundHeads})$`),
  twoPhrases: /^[a-z]+ (?:my|an?|the) [a-z]+ [a-z]+ (?:my|an?|the) [a-z]+$/,
  phraseVerb: pattern`
    ^(?!(?:to|for|of|with|about|from|in|on|at|as|and|or|into|up|off|i|i've|not|an?|the|my) )\S+ (?!(?:to|for|of|with|about|from|in|on
      |at|as|and|or|into|up|off|i|i've) )\S+ (?:my|a|an|the)\b
  `,
  phraseDeterminer: /^(?!(?:to|for|of|with|about|from|in|on|at|as|and|or|into|up|off) )\S+ (?:an?|my)\b/,
  phraseEdges:
    /^(?:(?:or|and|say|either)(?:[:,]?\s+|$))+|(?<=^(?:yes|no)) (?:to|for|if) .*$|[\s,.:;?!"]+$|\s+(?:or|and)[\s,.:;?!"]*$/g,

  sideOffer: /\b(?:if you know|at any time|anytime)\b/i,
  notHeard: patternWith('i')`
        (?:^|(?<=[.!?]\s))[^.!?]*\b(?:did not|didn't|sorry|not a valid|invalid|no input|still there)\b[^.!?]*[.!?]?\s*$
  `,
};
