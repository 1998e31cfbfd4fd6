import { pattern } from '../../base/rows.ts';
import { digitSounds } from '../../model/numbers/digitSounds.ts';
import { digitNames, digitsByName, numberNames, numbersByName } from '../../model/numbers/numberWords.ts';
import type { MenuLexicon } from './lexicon.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const number = [...numberNames(1, 20), String.raw`\d{1,2}`].join('|');

export const english: MenuLexicon = {
  language: 'en',
  keys: {
    '0': '0',
    '1': '1',
    '2': '2',
    '3': '3',
    '4': '4',
    '5': '5',
    '6': '6',
    '7': '7',
    '8': '8',
    '9': '9',
    '*': '*',
    '#': '#',
    ...digitsByName,
    nought: '0',
    naught: '0',
    // Spanish, French and German offers stand inside English prompts ("para español, oprima el dos").
    uno: '1',
    dos: '2',
    tres: '3',
    cuatro: '4',
    cinco: '5',
    seis: '6',
    siete: '7',
    ocho: '8',
    nueve: '9',
    cero: '0',
    deux: '2',
    trois: '3',
    quatre: '4',
    cinq: '5',
    sept: '7',
    huit: '8',
    neuf: '9',
    zéro: '0',
    eins: '1',
    zwei: '2',
    drei: '3',
    vier: '4',
    fünf: '5',
    sechs: '6',
    sieben: '7',
    acht: '8',
    neun: '9',
    dièse: '#',
    almohadilla: '#',
    raute: '#',
    étoile: '*',
    asterisco: '*',
    star: '*',
    asterisk: '*',
    pound: '#',
    hash: '#',
    hashtag: '#',
    octothorpe: '#',
  },
  keyPairs: {
    'number sign': '#',
    'pound sign': '#',
    'hash sign': '#',
    'star sign': '*',
    'star key': '*',
    'hash key': '#',
  },
  misheardKeys: {
    ...digitSounds,
    it: '8',
    start: '*',
    starr: '*',
    stars: '*',
    pan: '#',
    pond: '#',
    pounds: '#',
    pawn: '#',
    pound: '#',
    wan: '1',
    tree: '3',
    sex: '6',
    sics: '6',
    oh: '0',
    o: '0',
    nein: '9',
    mine: '9',
    mind: '9',
    hero: '0',
    fife: '5',
    once: '1',
  },
  fusedKeys: [[/\bprest(?:oof|ube|oo|ew)\b|\bpresto(?= (?:to|for|if)\b|[.,;?!]|$)/g, 'press two']],
  pressVerbs: words(
    'press pressing pressed presses precise push pushing hit dial dialing select selecting choose touch punch option pick presses oprima marque pulse presione presiona appuyez faites composez tapez drücken drücke wählen wähle pulsa presionar oprimir',
  ),
  weakVerbs: words('enter use using type key entering'),
  beforeKey: words(
    'the number key option button digit just simply please a on your keypad by only either el la le numero número tecla sur sie bitte die touche',
  ),
  afterKey: words('key button now sign on your keypad telephone phone again'),
  listWords: words("number that's thats it's is"),
  sayVerbs: words('say saying speak'),
  cues: words('for to if para pour für'),
  determiners: words('the our your a an this that these main previous'),
  joiners: words('or and'),
  rangeWords: words('through thru to until'),
  notBeforeBareKey: words(
    'from between about of number next at than in level line caller under over approximately around the by with within until after before only last least all any this suite highway route gate floor room section form chapter part step phase than version season grade class type exit terminal dollars covid address say',
  ),
  notAfterBareKey: words(
    "minute minutes hour hours day days am pm a.m. p.m. o'clock percent dollars cents business weeks week months month years year digit digits people callers calls seconds million hundred thousand street avenue road of",
  ),
  labelPrefixes: [
    pattern`
      ^(?:
        or|and|also|then|now|otherwise|please|again|just|but|so|next|finally|lastly|first|hello|okay|ok|um|uh
        |well|thanks|thank you|sorry
      )\b
    `,
    pattern`
      ^if (?:you are|you're|your|you) calling (?:
        about|for|regarding|to|in regard to|in reference to|because of|because|with
      )\b
    `,
    /^if this (?:call )?is (?:about|regarding|in regard to|for)\b/,
    pattern`
      ^if (?:you|you'd|you would|you've) (?:would )?(?:like|want|wish|need|prefer|have) (?:
        to|help with|assistance with|information (?:about|on)
      )\b
    `,
    /^if (?:you'd|you would) (?:like|prefer)\b/,
    /^if you (?:need|want|wish)\b(?! (?:a|an|the) (?:\w+ )?(?:who|that))/,
    /^if\b/,
    /^(?:pour (?:le|la|les|un|une)|para (?:el|la|los|las)|für (?:die|das|den|der))\b(?= \S)/,
    /^(?:for|to|when|para|pour|für)\b/,
    /^at any (?:time|point|stage)\b(?= \S)/,
    /^(?:your call is|it is|it's|this is) about\b/,
    /^(?:an?|the)\b(?= \S)/,
  ],
  labelSuffixes: [
    pattern`
      \b(?:
        or|and|and then|then|please|now|you can|you may|just|simply|also|or just|or simply|or you can|either
        |at any (?:time|point|stage)|you should|next|you must|kindly|go ahead and|um|uh
      )$
    `,
    /\b(?:or )?(?:say|saying|speak)(?: .{1,40})?$/,
  ],
  preambles: [
    pattern`
      ^.*\b(?:as|because|since) (?:our|the) (?:menu )?(?:
        options|menu|menus|prompts
      ) (?:have|has) (?:recently )?changed\b
    `,
    /^.*\b(?:following|from these) (?:options|choices|menu options)\b/,
    /^.*\bfrom the following\b/,
    /^(?:please )?listen (?:carefully )?(?:to the following options)?\b/,
  ],
  terminatorBefore: pattern`
    \b(?:
      followed by|follow(?:ed)? with|finish(?:ed)? (?:with|by)|end(?:ed)? (?:with|by)|ending with|then
      |and then
      |when (?:you(?:'re| are| have)? ?)?(?:finished|done|complete|completed|through)
      |once (?:you(?:'re| are| have)? ?)?(?:finished|done|complete|completed)|and
    )$
  `,
  terminatorAfter: pattern`
    ^(?:
      to (?:end|finish|complete|submit|stop) (?:your |the )?(?:entry|recording|message)?
      |when (?:you(?:'re| are| have)? ?)?(?:finished|done|complete|completed|through)
      |once (?:you(?:'re| are)? ?)?(?:finished|done)
      |after (?:each|every|the|your|entering|you)
    )\b
  `,
  keypadSpelling: pattern`
    \b(?:
      for (?:the )?(?:letters? )?[b-hj-z](?: (?:and|or) [a-z])?$|decimal|for (?:the )?letters?\b
      |(?:for|as) (?:a |the )?(?:dot|period|point|decimal|slash|space|dash|hyphen)\b|to separate
      |separated by
    )
  `,
  repeatLabel: pattern`
    \b(?:
      (?:repeat|replay|repeated)(?:
        [ ](?:
          this|these|the|that|it|those|your|our|all|options|menu|list|choices|instructions|prompt
          |selections|again|main
        )\b
        |$
      )
      |hear (?:(?:these|this|the|those|your|all|my|our) )?(?:
        options|menu|choices|list|selections|prompt|message|instructions
      )
      |(?:hear|listen to) (?:this|these|that|it|them|the (?:options|menu|choices))(?: \w+)* again|start over
      |again|repetir
      |(?:escuchar|oír) (?:(?:estas|las|esta|este) )?opciones|répéter|réécouter|wiederholen
    )\b
  `,
  notRepeatLabel: pattern`
    \b(?:
      voicemail|voice mail|recording|balance|envelope|transaction|transactions|greeting|try again|call again
      |number|address|confirmation|details|start over|last|order|try|flight|status|amount|date|prescription
      |balances|schedule|announcement
    )\b
  `,
  messageMenu: pattern`
    \b(?:
      delete|erase|save (?:it|this|the)|next message|previous message|forward|new messages?|reply
      |voice ?mail|mailbox|recorded
    )\b
  `,
  stay: pattern`
    \b(?:
      (?:stay|remain|stand|hold|wait|holding|staying|remaining) (?:on|by)\b(?! hold)
      |(?:please|just|simply|otherwise,?|or|and) (?:hold|wait)\b
      |(?:hold|wait) (?:for|while|please|the line|until)\b
      |continue (?:to hold|holding|to wait|waiting)|keep holding|hold$|wait$|standing by
      |do(?: not|n't) hang up|do nothing
    )
  `,
  staysByKey: pattern`
    (?<!continue )\b(?:to|you(?:'d| would)? (?:like|want|wish|prefer) to) (?:
      continue (?:to hold|holding|to wait|waiting)|hold|wait|stay on the line
      |remain on (?:the )?(?:line|hold)|keep (?:holding|waiting|your place)
    )\b[^.;?!]{0,40}?\b(?:press|dial|select|push|say|option|choose|hit)
  `,
  scale: pattern`
    \b(?:
      scale (?:of|from)|number from|number between|digit from|digit between|rating from|rating of|keys?
    ) (${number})(?: ?(?:to|through|thru|and|-) ?)(${number})\b
  `,
  numberWords: numbersByName(1, 20),
  enterVerb: pattern`
    \b(?:
      re-?enter|enter|key in|keying in|type(?: in)?|input|provide|punch in|dial|press it|entering
      |say or enter|enter or say|tell me|give me|say or key in|spell
    )\b
  `,
  inputTypes: [
    ['zip', /\b(?:zip|postal|post) ?codes?\b/],
    [
      'pin',
      pattern`
        \b(?:
          pin|meeting code|conference code|participant code|pins|passcode|pass code|pass ?word|access code
          |security code|personal identification|verification code|authorization code|secret code
          |one[- ]time code|(?:four|six|4|6)[- ]digit code|pass ?words?
        )\b
      `,
    ],
    ['card_number', /\bcard (?:number|no)\b/],
    [
      'date',
      pattern`
        \b(?:
          date|birthday|birth date|expiration|expiry|month (?:and|day)|day and month|day of the month
          |two[- ]digit (?:day|month|year)|month
        )\b
      `,
    ],
    ['card_number', /\bcard\b/],
    [
      'phone_number',
      pattern`
        \b(?:
          (?:tele)?phone number|mobile number|cell(?: phone)? number|callback number|call back number|area code
          |number (?:you wish|you want|you would like|you'd like|to be blacklisted|you are calling|where we can)
          |contact number
        )\b
      `,
    ],
    ['extension', /\bextension\b/],
    ['amount', /\b(?:amount|dollars|payment in|how much)\b/],
    [
      'account_number',
      pattern`
        \b(?:
          (?:
            account|customer|loan|member|membership|policy|client|subscriber|policyholder|user|patient
            |reference|contract|frequent flyer|rewards|loyalty|agent|employee|case|claim
          ) ?(?:number|id|i\.d\.|identification)
          |account
        )\b
      `,
    ],
  ],
  inputDigits: [
    new RegExp(`\\b(${number})[- ]?(?:digit|digits|character|number)\\b`),
    new RegExp(`\\b(?:first|last|the) (${number}) (?:digits|numbers|letters)\\b`),
    new RegExp(`\\b(${number}) (?:digits|numbers)\\b`),
  ],
  inputTerminator: [
    [
      '#',
      pattern`
        \b(?:
          followed by|followed with|for by|then|and|end(?:ed|ing)? (?:with|by)|finish(?:ed)? (?:with|by)
          |finished,?|done,?|complete,?|completed,?
        )(?: then)?(?: you)?(?:
          [ ]press| pressing| hit| push| touch| the| a| dial| enter
        )*(?: key)? (?:pound|hash|number sign|pan|#|pond)\b
      `,
    ],
    ['#', /(?:followed by|then|and)(?: press| the| hit)* #/],
    [
      '#',
      pattern`
        \bpress(?: the)? (?:pound|hash|#|pan|number sign)(?: (?:key|sign))?,? (?:
          when|once|to (?:end|finish|complete|submit)|after
        )\b
      `,
    ],
    [
      '*',
      pattern`
        \b(?:
          followed by|then|end(?:ed|ing)? (?:with|by)|finish(?:ed)? (?:with|by)
        )(?: press| pressing| hit| the)* (?:star|asterisk|\*|start)(?! to| for| if)
      `,
    ],
  ],
  openPhrase: pattern`
    ^(?:
      your|the name|the|a few|a|what|in a few|why|how|which|who|where|it|something|anything|that|this|his
      |her|their|my party|each|any|again|or press|or enter|or key|with|to|about|after|briefly
    )\b(?!.*")
  `,
  phraseEnd: pattern`
    \s(?:
      or (?:press|dial|hit|push|select|touch|enter|key|stay|hold|wait|remain|just hold|simply|you can)
      |to (?:
        speak|hear|get|return|go|start|talk|repeat|be|reach|continue|make|pay|cancel|end|exit|find|use
        |learn|connect
      )
      |if|otherwise|at any|any ?time|now|when|followed|press|after|please|and we|and i
      |for (?:more|help|an|a|the|all)\b
    )
    |$
  `,
  keyNames: {
    ...Object.fromEntries(digitNames.entries()),
    '*': 'star',
    '#': 'pound',
  },
};
