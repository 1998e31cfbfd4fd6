/** A part of an acceptance criterion that can be checked word by word. All parts must hold. */
export type Criterion = { readonly text: string; readonly negated: boolean } & (
  /** Phrases, word for word where they stood in quotation marks. */
  | { readonly kind: 'says'; readonly phrases: readonly string[]; readonly mode: 'all' | 'any' | 'inOrder'; readonly literal: boolean; readonly where: 'anywhere' | 'first' | 'last' }
  | { readonly kind: 'mentions'; readonly topic: string }
  | { readonly kind: 'asks'; readonly topic: string }
  | { readonly kind: 'offers'; readonly label: string; readonly literal: boolean; readonly key?: string }
  | { readonly kind: 'person' }
  | { readonly kind: 'transfer'; readonly to: string }
  /** Without digits: those that the caller entered. */
  | { readonly kind: 'readsBack'; readonly digits?: string }
  | { readonly kind: 'states'; readonly topic: string; readonly value: 'money' | 'hours' }
  | { readonly kind: 'goodbye' });

export interface ReadCriteria {
  readonly criteria: readonly Criterion[];
  /** Parts that no rule understands. */
  readonly unread: readonly string[];
  /** A part that no rule understands may take back what another demands. */
  readonly hedged: boolean;
}

/** A longer sentence is no criterion that a rule could check, and costs time. */
const mostCharacters = 600;

/** Words by which one part changes what another means. */
const hedge = /\b(?:or|either|otherwise|unless|except|alternatively|if|optional(?:ly)?|may|can|instead|any of|one of|at least|only|not required|need not|acceptable|also (?:fine|ok|okay|accepted|passes))\b/;

/** Reads an acceptance criterion as far as the grammar in docs/language-models.md goes. Never throws. */
export function readCriteria(acceptance: string): ReadCriteria {
  const phrases: string[] = [];
  const marked = acceptance.replace(/[“"«„]([^“”"«»„\n]{1,400})[”"»“]|(?<![\p{L}\p{N}])[‘']([^'‘’\n]{2,400})[’'](?![\p{L}\p{N}])/gu, (_, double: string | undefined, single: string | undefined) => `⟦${phrases.push((double ?? single ?? '').trim()) - 1}⟧`);
  const criteria: Criterion[] = [];
  const unread: string[] = [];
  for (const part of marked.split(/[.;\n]+(?=\s|$)|(?<=⟧)\.|\s(?=-\s)/).map((one) => one.trim()).filter((one) => /[\p{L}⟦]/u.test(one))) {
    const read = part.length > mostCharacters ? undefined : readPart(part, phrases);
    if (read) criteria.push(...read);
    else unread.push(restore(part, phrases));
  }
  return { criteria, unread, hedged: unread.some((part) => hedge.test(part.toLowerCase())) };
}

const restore = (text: string, phrases: readonly string[]): string => text.replace(/⟦(\d+)⟧/g, (_, index: string) => `“${phrases[Number(index)] ?? ''}”`);

/** A sentence; or its halves around "and" or "but", where each is one. */
function readPart(part: string, phrases: readonly string[]): Criterion[] | undefined {
  const { text, fails } = withoutFrame(part);
  const one = readClause(text, fails, phrases);
  if (one) return [{ ...one, text: restore(part, phrases) }];
  // "Fails if A and B" is not "fails if A, and fails if B"; "must not A and B" is not clear either.
  if (fails) return undefined;
  for (const match of text.matchAll(/,?\s+(?:and|but)(?:\s+(?:then|also|afterwards))?\s+|,\s+then\s+/g)) {
    const before = text.slice(0, match.index), after = text.slice(match.index + match[0].length);
    // "A and B or C" has two meanings.
    if (/\bor\b/i.test(text) && !clauseStart.test(after)) continue;
    const first = readClause(before, false, phrases);
    if (!first || (first.negated && !clauseStart.test(after))) continue;
    const rest = readPart(after, phrases);
    // The first half that is a clause decides: trying every way to halve takes too long.
    if (!rest) return undefined;
    return [{ ...first, text: restore(before, phrases) }, ...rest];
  }
  return undefined;
}

/** "Pass if …", "Verify that …", a list's dash: what a criterion may be wrapped in. */
function withoutFrame(part: string): { text: string; fails: boolean } {
  let text = part.replace(/^(?:[-*•]|\(?\d{1,2}[.)])\s+/, '').replace(/\s+/g, ' ').trim();
  text = text.replace(/^(?:pass criteri(?:on|a)|acceptance(?: criteri(?:on|a))?|success(?: criteri(?:on|a))?|expected|criteri(?:on|a))\s*:\s*/i, '');
  const fails = /^(?:(?:the )?(?:test|call|run|it|mission) )?(?:fails?|must fail|should fail) (?:if|when|where|as soon as)\s+/i.exec(text);
  if (fails) return { text: text.slice(fails[0].length), fails: true };
  text = text.replace(/^(?:(?:the )?(?:test|call|run|it|mission) (?:pass(?:es)?|succeeds?|is (?:passed|successful|a success)|should pass|must pass)|pass(?:es)?|succeeds?) (?:if|when|where|as soon as|once)\s+/i, '');
  return { text: text.replace(/^(?:please )?(?:verify|check|ensure|make sure|confirm|assert|expect)(?: that)?\s+/i, '').replace(/^during the call,?\s+/i, ''), fails: false };
}

const subject = '(?:(?:the|an?|our) )?(?:(?:automated|phone|voice|telephone|virtual|ivr|power|water|gas|insurance|support) )?(?:ivr|system|callee|menu|line|bot|assistant|voice|prompt|greeting|recording|message|announcement|bank|company|clinic|hospital|office|shop|store|hotel|airline|utility|provider|insurer|carrier|hotline|helpline|service|machine|it|they)';
const caller = '(?:(?:the|our) )?(?:caller|call|customer|tester|user|we|i)';
const modal = '(?:must|should|shall|has to|have to|needs to|need to|will|is expected to|is to)';
const no = '(?:not|never|(?:not )?at no (?:time|point))';
const clauseStart = new RegExp(`^(?:(?:${subject}|${caller}) )?(?:${modal}|does|do|never|says|states|asks|offers|reads|mentions|reaches|announces)\\b`, 'i');
const negation = new RegExp(`^(?:(?:(?<subject>${subject}|${caller}) )?(?:(?:(?:${modal}|does|do|did) ${no}|mustn[’']t|shouldn[’']t|doesn[’']t|don[’']t|didn[’']t|won[’']t|cannot|can[’']t|never|at no (?:time|point)(?: does)?)) )`, 'i');
const passiveNegation = new RegExp(`^(?<subject>${caller}) (?:(?:is|are) ${no}|isn[’']t|aren[’']t|${modal} ${no} be|mustn[’']t be|never gets) `, 'i');
const positive = new RegExp(`^(?:(?<subject>${subject}|${caller}) )?(?:${modal} )?`, 'i');
const tail = /(?:[\s,]+(?:to (?:the caller|me|us|callers)|at (?:some|any) (?:point|time)|(?:at any time )?during the call|(?:anywhere |somewhere )?in the (?:call|transcript)|somewhere|clearly|out loud|aloud|verbatim|exactly|word for word|in full))+$/i;
const where: readonly (readonly ['first' | 'last', RegExp])[] = [
  ['first', /[\s,]+(?:in (?:its|the) (?:first|opening|welcome|initial) (?:prompt|greeting|message|announcement)|first|at the (?:beginning|start)(?: of the call)?|as (?:its|the) (?:first|opening) (?:words|prompt|greeting)|when (?:it|the call) is answered)$/i],
  ['last', /[\s,]+(?:at the (?:very )?end(?: of the call)?|before (?:it hangs|hanging) up|in (?:its|the) (?:last|final|closing) (?:prompt|message|announcement)|finally|before the call ends|last)$/i],
];

type Parsed = Criterion extends infer One ? One extends Criterion ? Omit<One, 'text'> : never : never;

function readClause(clause: string, fails: boolean, phrases: readonly string[]): Parsed | undefined {
  let text = clause.trim().replace(/[,:]$/, '');
  const passive = passiveNegation.exec(text);
  if (passive) text = `${passive.groups?.subject ?? ''} never is ${text.slice(passive[0].length)}`;
  const asNegation = negation.exec(text);
  const head = asNegation ?? positive.exec(text);
  text = text.slice(head?.[0].length ?? 0).replace(tail, '');
  const place = where.find(([, pattern]) => pattern.test(text));
  if (place) text = text.replace(place[1], '').replace(tail, '');
  const negated = (asNegation !== null) !== fails;
  const byCaller = new RegExp(`^${caller}$`, 'i').test(head?.groups?.subject ?? '');
  const inGreeting = /\bgreeting$/i.test(head?.groups?.subject ?? '');
  const parsed = readVerb(text, byCaller, phrases, place?.[0] ?? (inGreeting ? 'first' : 'anywhere'));
  return parsed && (place === undefined || parsed.kind === 'says' || parsed.kind === 'goodbye') ? { ...parsed, negated } : undefined;
}

type Unsigned = Parsed extends infer One ? One extends Parsed ? Omit<One, 'negated'> : never : never;

const list = '⟦\\d+⟧(?:(?:\\s*,\\s*(?:and |or |then )?|\\s+(?:and|or|then|and then|before|followed by)\\s+)⟦\\d+⟧)*';
const sayVerb = '(?:says?|said|states?|announces?|plays?|speaks?|utters?|greets?(?: the caller| callers| us| me)?(?: with)?|responds? with|answers? with|repl(?:y|ies) with|tells?(?: the caller| callers| us| me)?|informs?(?: the caller| callers| us| me)?|mentions?|includes?|contains?|reads?(?: out)?|confirms?(?: with)?|ends? with|begins? with|starts? with|opens? with)';
const hearVerb = '(?:hears?|is told|are told|be told|is greeted with|gets?|receives?|is informed|is played|listens? to)';
const article = '(?:(?:the|an?|our|my|your|their|its|any|some|caller[’\']?s?|the caller[’\']s|the customer[’\']s|for|about|that) )*';

function readVerb(text: string, byCaller: boolean, phrases: readonly string[], place: 'anywhere' | 'first' | 'last'): Unsigned | undefined {
  const match = (pattern: string): RegExpExecArray | null => new RegExp(`^${pattern}$`, 'i').exec(text);
  const quoted = match(`(?:(?:${byCaller ? hearVerb : sayVerb})(?: (?:that|the (?:words?|phrase|message|sentence|text)|both))? ?:? )?(${list})`)
    ?? match(`(?:the (?:words?|phrases?|message|sentence) )?(${list}) (?:is|are|must be|should be) (?:said|heard|spoken|played|announced|mentioned)`);
  if (quoted && (!byCaller || !text.startsWith('⟦'))) {
    const says = readList(quoted[1] ?? '', phrases);
    return says && { kind: 'says', ...says, literal: true, where: /^(?:begins?|starts?|opens?|greets?)\b/i.test(text) ? 'first' : /^ends?\b/i.test(text) ? 'last' : place };
  }
  if (/⟦/.test(text) && !/^offers?|^(?:has|gives|lists|provides|presents)/i.test(text)) return undefined;
  if (/\b(?:and|but|or|unless|if|when|whenever|before|after|within|until|while|because|twice|times|only|exactly|at least|at most|more than|less than|without|instead|correct(?:ly)?|polite(?:ly)?|friendly|seconds?|minutes?)\b/i.test(text)) return undefined;
  if (match('(?:says?|bids?) (?:goodbye|good bye|bye|farewell)')) return { kind: 'goodbye' };
  if (match('(?:reach(?:es)?|gets? (?:through )?to|(?:is|be) (?:connected|put through) to|speaks? (?:to|with)|talks? (?:to|with)|ends? up with|is answered by|arrives? at) (?:an? |the )?(?:live |real |human )*(?:person|human(?: being)?|agent|representative|operator|advis[eo]r|receptionist|someone|somebody|member of staff)')) return { kind: 'person' };
  const transfer = match(`(?:is |be |gets |announces? (?:a |the )?|transfers?(?: (?:the caller|us|me))?|connects?(?: (?:the caller|us|me))?)? ?(?:transferred|routed|forwarded|sent|put through|transfer)? ?(?:through )?to ${article}([a-z][a-z -]{1,60})`);
  if (transfer && /^(?:is|be|gets|announces?|transfers?|connects?|transferred|routed)\b/i.test(text) && /transfer|rout|forward|sent|put through|connect/i.test(text)) return { kind: 'transfer', to: (transfer[1] ?? '').trim() };
  const back = match(`(?:reads? back|repeats?(?: back)?|reads? out|confirms?) ${article}(?:[a-z]+ ){0,2}(?:number|code|digits|pin|id)?(?: ?(?:is|as|of|:))? ?((?:\\d[\\d -]{1,30}\\d)?)(?: ?(?:that )?(?:the caller|we|i|us) (?:have |has )?(?:just )?(?:entered|typed|gave|keyed in|pressed|dialled))?`);
  if (back && !byCaller && (back[1] !== '' || /entered|typed|gave|keyed|pressed|back/.test(text)) && /number|code|digits|pin|\bid\b|\d/.test(text)) return { kind: 'readsBack', ...(back[1] ? { digits: back[1].replace(/\D/g, '') } : {}) };
  const states = match(`(?:${byCaller ? hearVerb : '(?:reads?(?: out)?|states?|tells?(?: the caller| us| me)?|gives?(?: the caller| us| me)?|says?|announces?)'}) ${article}((?:[a-z]+ ){0,2}(?:balance|amount(?: due)?|total|price|fee|cost|(?:opening|business|office|store|working)? ?hours|opening times))`);
  if (states) return { kind: 'states', topic: (states[1] ?? '').trim(), value: /hours|times/i.test(text) ? 'hours' : 'money' };
  const asks = match(`(?:${byCaller ? '(?:is|are|be) (?:asked|prompted)' : '(?:asks?|prompts?)(?: (?:the caller|callers|us|me))?'}|requests?|wants) ?(?:for|to (?:enter|say|give|key in|provide|type)|about)? ${article}([a-z][a-z -]{1,60})`);
  if (asks) return { kind: 'asks', topic: (asks[1] ?? '').trim() };
  const offers = match(`(?:offers?|has|gives|lists|provides|presents)(?: (?:the caller|callers|us|me))? ${article}(?:(?:menu )?(?:option|choice|key)s? (?:(?<before>[0-9*#]) )?(?:for|to reach|to|called|named|is) )?${article}(?:⟦(?<quoted>\\d+)⟧|(?<label>[a-z][a-z -]{1,60}?))(?: (?:on|as|under|with) (?:(?:option|key|number) )?(?<after>[0-9*#]))?(?: (?:as )?(?:an? )?(?:menu )?(?:option|choice))?`);
  if (offers && !byCaller) {
    const key = offers.groups?.before ?? offers.groups?.after;
    const index = offers.groups?.quoted;
    return { kind: 'offers', label: index === undefined ? (offers.groups?.label ?? '').trim() : phrases[Number(index)] ?? '', literal: index !== undefined, ...(key === undefined ? {} : { key }) };
  }
  const mentions = match(`(?:${byCaller ? hearVerb : 'mentions?|refers? to|names?|talks? about'}) ${article}([a-z][a-z0-9 '’-]{1,80})`);
  if (mentions) return { kind: 'mentions', topic: (mentions[1] ?? '').trim() };
  const free = match('(?:says?|states?|announces?|tells?(?: the caller| callers| us| me)?|informs?(?: the caller| callers| us| me)?) (?:that )?(.{3,300})');
  // A noun alone ("says the balance") names a thing, not words.
  if (free && !byCaller && /\b(?:is|are|was|were|has|have|had|will|can|thank|thanks|welcome|press|please)\b/i.test(free[1] ?? '')) return { kind: 'says', phrases: [free[1] ?? ''], mode: 'all', literal: false, where: place };
  return undefined;
}

function readList(text: string, phrases: readonly string[]): { phrases: string[]; mode: 'all' | 'any' | 'inOrder' } | undefined {
  const joiners = text.split(/⟦\d+⟧/).slice(1, -1).map((one) => one.replace(/[\s,]+/g, ' ').trim().toLowerCase());
  const words = new Set(joiners.filter((one) => one !== ''));
  const mode = words.has('or') ? 'any' : ['then', 'and then', 'before', 'followed by'].some((one) => words.has(one)) ? 'inOrder' : 'all';
  // "A, B or C" is any of them; "A and B or C" is not clear.
  if (words.size > 1) return undefined;
  return { phrases: [...text.matchAll(/⟦(\d+)⟧/g)].map(([, index]) => phrases[Number(index)] ?? ''), mode };
}
