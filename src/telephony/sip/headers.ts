import { wordTable } from '../../base/wordTable.ts';

/** Compact forms (RFC 3261 section 7.3.3 and the registry) to full names, lower case. */
const COMPACT: Readonly<Record<string, string>> = {
  a: 'accept-contact',
  b: 'referred-by',
  c: 'content-type',
  d: 'request-disposition',
  e: 'content-encoding',
  f: 'from',
  i: 'call-id',
  j: 'reject-contact',
  k: 'supported',
  l: 'content-length',
  m: 'contact',
  o: 'event',
  r: 'refer-to',
  s: 'subject',
  t: 'to',
  u: 'allow-events',
  v: 'via',
  x: 'session-expires',
};

/** Spellings that differ from capitalising each word. */
const SPELLING = wordTable<string>({
  'call-id': 'Call-ID',
  cseq: 'CSeq',
  'www-authenticate': 'WWW-Authenticate',
  'mime-version': 'MIME-Version',
  'min-se': 'Min-SE',
  rack: 'RAck',
  rseq: 'RSeq',
});

/** Returns the full lower-case name of a header as it can appear on the wire. */
function headerKey(name: string): string {
  const key = name.toLowerCase();
  return key.length === 1 ? (COMPACT[key] ?? key) : key;
}

/** An ordered multimap of header fields, whose keys ignore case and compact forms. */
export class SipHeaders {
  readonly #fields: { key: string; value: string }[] = [];

  constructor(fields: readonly (readonly [name: string, value: string])[] = []) {
    for (const [name, value] of fields) this.add(name, value);
  }

  add(name: string, value: string): this {
    this.#fields.push({ key: headerKey(name), value });
    return this;
  }

  /** Adds a field before all others with its name. */
  prepend(name: string, value: string): this {
    const key = headerKey(name);
    const at = this.#fields.findIndex((field) => field.key === key);
    this.#fields.splice(at < 0 ? 0 : at, 0, { key, value });
    return this;
  }

  /** Replaces all fields with this name by one. */
  set(name: string, value: string): this {
    const key = headerKey(name);
    const at = this.#fields.findIndex((field) => field.key === key);
    if (at < 0) return this.add(name, value);
    this.#fields[at] = { key, value };
    for (let i = this.#fields.length - 1; i > at; i--) if (this.#fields[i]?.key === key) this.#fields.splice(i, 1);
    return this;
  }

  delete(name: string): this {
    const key = headerKey(name);
    for (let i = this.#fields.length - 1; i >= 0; i--) if (this.#fields[i]?.key === key) this.#fields.splice(i, 1);
    return this;
  }

  get(name: string): string | undefined {
    const key = headerKey(name);
    return this.#fields.find((field) => field.key === key)?.value;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  /** Returns every field with this name, unchanged. */
  all(name: string): string[] {
    const key = headerKey(name);
    return this.#fields.filter((field) => field.key === key).map((field) => field.value);
  }

  /** Returns all elements of this name's fields, split at commas outside quotes and `<>`. Not for credentials. */
  list(name: string): string[] {
    return this.all(name).flatMap(splitList);
  }

  /** Option tags or methods: the list in lower case. */
  tokens(name: string): string[] {
    return this.list(name).map((token) => token.toLowerCase());
  }

  /** Characters of all fields. */
  get size(): number {
    return this.#fields.reduce((sum, { key, value }) => sum + key.length + value.length, 0);
  }

  serialise(): string {
    let text = '';
    for (const { key, value } of this.#fields) text += `${headerName(key)}: ${value}\r\n`;
    return text;
  }
}

function headerName(key: string): string {
  return (
    SPELLING[key] ??
    key
      .split('-')
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join('-')
  );
}

function splitList(value: string): string[] {
  return splitOutside(value, ',');
}

/** Splits at `separator` outside quoted strings and angle brackets, trims, drops empty parts. One pass. */
export function splitOutside(value: string, separator: string): string[] {
  const parts: string[] = [];
  let start = 0,
    quoted = false,
    angle = false;
  const take = (end: number): void => {
    const part = value.slice(start, end).trim();
    if (part !== '') parts.push(part);
    start = end + 1;
  };
  for (let i = 0; i < value.length; i++) {
    const character = value.charAt(i);
    if (quoted) {
      if (character === '\\') i++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '<') angle = true;
    else if (character === '>') angle = false;
    else if (character === separator && !angle) take(i);
  }
  take(value.length);
  return parts;
}
