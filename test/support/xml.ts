/** An element of a parsed document. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  /** Text directly inside, references resolved. */
  text: string;
}

const nameStart = /[A-Za-z_:]/;
const namePart = /[\w:.-]/;
/** XML 1.0, section 2.2. */
const allowed = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;

/**
 * Reads XML 1.0 and throws at whatever is not well-formed: names, nesting, quoting, attributes given twice, `<` in values, bare `&`, `]]>` in text, forbidden characters, text outside
 * the root. Comments, processing instructions, CDATA and DTDs are not expected and refused.
 */
export function parseXml(document: string): XmlElement {
  if (!allowed.test(document)) throw new Error('There is a character that XML 1.0 does not allow.');
  const reader = new Reader(document);
  if (!reader.take('<?xml version="1.0" encoding="UTF-8"?>')) throw new Error('There is no XML declaration.');
  reader.space();
  const root = reader.element();
  reader.space();
  if (!reader.atEnd) throw new Error(`There is more after the root: ${reader.rest}`);
  return root;
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) { this.#text = text; }

  get atEnd(): boolean { return this.#at >= this.#text.length; }
  get rest(): string { return this.#text.slice(this.#at, this.#at + 60); }

  take(literal: string): boolean {
    if (!this.#text.startsWith(literal, this.#at)) return false;
    this.#at += literal.length;
    return true;
  }

  space(): boolean {
    const from = this.#at;
    while (/[ \t\r\n]/.test(this.#text.charAt(this.#at))) this.#at += 1;
    return this.#at > from;
  }

  element(): XmlElement {
    this.#demand('<');
    const name = this.#name();
    const attributes: Record<string, string> = {};
    for (;;) {
      const spaced = this.space();
      if (this.take('/>')) return { name, attributes, children: [], text: '' };
      if (this.take('>')) break;
      if (!spaced) throw new Error(`No white space before an attribute: ${this.rest}`);
      const attribute = this.#name();
      this.#demand('="');
      const value = this.#until('"');
      if (value.includes('<')) throw new Error(`There is a < in ${attribute}.`);
      if (Object.hasOwn(attributes, attribute)) throw new Error(`${attribute} is given twice.`);
      attributes[attribute] = resolve(value.replace(/[\t\n\r]/g, ' '));
    }
    const element: XmlElement = { name, attributes, children: [], text: '' };
    for (;;) {
      if (this.take('</')) break;
      if (this.#text.charAt(this.#at) === '<') element.children.push(this.element());
      else {
        const to = this.#text.indexOf('<', this.#at);
        if (to < 0) throw new Error(`${name} is not closed.`);
        const text = this.#text.slice(this.#at, to);
        if (text.includes(']]>')) throw new Error('There is a ]]> in text.');
        element.text += resolve(text.replace(/\r\n?/g, '\n'));
        this.#at = to;
      }
    }
    if (this.#name() !== name) throw new Error(`${name} is closed by another name.`);
    this.space();
    this.#demand('>');
    return element;
  }

  #name(): string {
    const from = this.#at;
    if (!nameStart.test(this.#text.charAt(this.#at))) throw new Error(`No name: ${this.rest}`);
    while (namePart.test(this.#text.charAt(this.#at))) this.#at += 1;
    return this.#text.slice(from, this.#at);
  }

  #until(literal: string): string {
    const to = this.#text.indexOf(literal, this.#at);
    if (to < 0) throw new Error(`There is no ${literal} after ${this.rest}`);
    const text = this.#text.slice(this.#at, to);
    this.#at = to + literal.length;
    return text;
  }

  #demand(literal: string): void {
    if (!this.take(literal)) throw new Error(`Not ${literal}: ${this.rest}`);
  }
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: '\'' };

function resolve(text: string): string {
  return text.replace(/&([^;]{0,10};)?/g, (_whole, reference: string | undefined) => {
    const name = reference?.slice(0, -1) ?? '';
    const character = entities[name] ?? (/^#\d+$/.test(name) ? String.fromCodePoint(Number(name.slice(1))) : /^#x[\da-f]+$/i.test(name) ? String.fromCodePoint(Number.parseInt(name.slice(2), 16)) : undefined);
    if (character === undefined || !allowed.test(character)) throw new Error(`&${name} is no reference.`);
    return character;
  });
}
