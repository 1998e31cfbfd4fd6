/** Builds elements from text and nodes, never from markup, so that an IVR's words can't become HTML. */

type Attributes = Readonly<Record<string, string | undefined>>;
export type Content = Node | string | undefined;

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...content: Content[]
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name);
  setAttributes(created, attributes);
  created.append(...content.filter((part) => part !== undefined));
  return created;
}

/** An attribute without a value is removed. Unchanged attributes aren't touched. */
export function setAttributes(target: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) target.removeAttribute(name);
    else if (target.getAttribute(name) !== value) target.setAttribute(name, value);
  }
}

export function setText(target: Element, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

/** Handles an event for as long as the page exists; `composed` events of the controls also arrive here. */
export function on<Name extends keyof HTMLElementEventMap>(
  target: EventTarget,
  name: Name,
  listener: (event: HTMLElementEventMap[Name]) => void,
  options?: AddEventListenerOptions,
): void {
  target.addEventListener(name, listener as EventListener, options);
}
