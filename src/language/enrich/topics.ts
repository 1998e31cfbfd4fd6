import { pattern } from '../../base/rows.ts';

/** A topic that a reviewer looks for; the first match counts. The list is English; other languages bring their own. */
export interface Topic {
  readonly category: string;
  readonly words: RegExp;
  /** An offered option counts too: "to speak to an agent, press 0". Other topics need a statement of the system. */
  readonly offered?: true;
}

export const englishTopics: readonly Topic[] = [
  {
    category: 'emergency-guidance',
    offered: true,
    words: pattern`
      \b(?:
        (?:if this is|in (?:case of|an)|for) (?:a |an )?(?:medical |life[- ]threatening )?emergenc(?:y|ies)
        |(?:hang up|call|dial)(?: and (?:call|dial))? (?:911|999|112|nine one one|nine nine nine|one one two)
      )\b
    `,
  },
  {
    category: 'recording-notice',
    words: pattern`
      \b(?:calls?|conversations?|lines?)\b[^.;?!]{0,40}\b(?:recorded|monitored|taped)\b
      |\brecord(?:ed|ing)? (?:for|purposes)\b
    `,
  },
  {
    category: 'ai-disclosure',
    words: pattern`
      \b(?:virtual|automated|digital|artificial|ai|voice) (?:
        assistant|agent|system|service|intelligence|attendant
      )\b
      |\bi(?:'m| am) (?:a |an )?(?:bot|machine|robot|ai)\b
    `,
  },
  {
    category: 'data-protection',
    words: pattern`
      \b(?:
        privacy (?:notice|policy|statement)|personal (?:data|information|details)|data protection|gdpr
        |how we use your
      )\b
    `,
  },
  {
    category: 'opt-out',
    offered: true,
    words: pattern`
      \b(?:
        stop receiving|opt[- ]?out|unsubscribe|do[- ]not[- ]call
        |(?:remove|take) (?:you|your (?:name|number)|me|my number) (?:from|off)
      )\b
    `,
  },
  {
    category: 'consent',
    offered: true,
    words: pattern`
      \b(?:
        (?:do|if) you (?:consent|agree)
        |(?:press|say) \S+ (?:to|if you) (?:agree|consent|accept)
        |by (?:continuing|staying|holding)[^.;?!]{0,40}(?:agree|consent|accept)|i (?:agree|consent)
      )\b
    `,
  },
  {
    category: 'card-data',
    words: pattern`
      \b(?:
        (?:credit|debit|payment|bank)? ?card (?:number|details)|cvv|cvc|security code (?:on|from|of)
        |expir(?:y|ation) date
      )\b
    `,
  },
  {
    category: 'authentication',
    words: pattern`
      \b(?:
        pin|passcode|password|account number|date of birth|social security|member(?:ship)? (?:number|id)
        |customer number|policy number|verify your identity|security questions?|one[- ]time code
      )\b
    `,
  },
  {
    category: 'language-choice',
    offered: true,
    words: pattern`
      \b(?:
        para (?:español|continuar)|en español|pour (?:le )?français|en français|für deutsch
        |(?:press|say) \S+ for (?:spanish|french|german|english|another language)
      )\b
    `,
  },
  {
    category: 'human-route',
    offered: true,
    words: pattern`
      \b(?:
        (?:speak|talk|connect(?:ed)?|transfer(?:red)?)\b[^.;?!]{0,30}\b(?:
          agent|representative|person|operator|advis[eo]r|specialist|someone|team member|colleague
        )
        |stay on the line|representative will
      )\b
    `,
  },
  { category: 'complaint', offered: true, words: /\b(?:complain(?:t|ts)?|dissatisfied|escalat(?:e|ion))\b/ },
  {
    category: 'vulnerable-customer',
    offered: true,
    words: pattern`
      \b(?:
        disab(?:led|ility)|hard of hearing|relay|bereave(?:d|ment)|hardship|struggling|debt (?:advice|support)
        |extra support|vulnerab(?:le|ility)
      )\b
    `,
  },
  {
    category: 'closed',
    words: /\b(?:(?:is|are|we're|we are) (?:now |currently )?closed|(?:our )?(?:opening|office|business) hours)\b/,
  },
];
