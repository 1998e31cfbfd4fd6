export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (Element | string)[];
  /** Returns the XML. Elements that contain elements are indented. */
  text(indent?: string): string;
}

export function xmlElement(
  name: string,
  attributes: Readonly<Record<string, string>> = {},
  children: readonly (Element | string)[] = [],
): Element {
  return {
    name,
    attributes,
    children,
    text(indent = '') {
      const open = `${indent}<${name}${Object.entries(attributes)
        .map(([key, value]) => ` ${key}="${escapeAttribute(value)}"`)
        .join('')}`;
      if (children.length === 0) return `${open}/>`;
      // White space between text would become part of the text.
      const nested = children.every((child) => typeof child !== 'string');
      const content = children
        .map((child) => (typeof child === 'string' ? escapeText(child) : child.text(nested ? `${indent}  ` : '')))
        .join(nested ? '\n' : '');
      return nested ? `${open}>\n${content}\n${indent}</${name}>` : `${open}>${content}</${name}>`;
    },
  };
}

/**
 * Characters that XML 1.0 can't contain, even escaped (section 2.2): control characters, lone surrogates, U+FFFE and
 * U+FFFF.
 */
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu;
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};
const escape = (text: string, pattern: RegExp): string =>
  text.replace(forbidden, '\ufffd').replace(pattern, (character) => entities[character] ?? character);

/**
 * `>` is escaped because it can follow `]]` (section 2.4), and a carriage return because parsers read it as a line feed
 * (2.11).
 */
const escapeText = (text: string): string => escape(text, /[&<>\r]/g);
/** Parsers read white space in attributes as spaces (section 3.3.3). */
const escapeAttribute = (text: string): string => escape(text, /[&<>"\t\n\r]/g);
