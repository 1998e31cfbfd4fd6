/** Builds elements from text and nodes, never from markup: what an IVR says cannot become HTML. */

type Attributes = Readonly<Record<string, string | undefined>>;
export type Content = Node | string | undefined;

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...content: Content[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  setAttributes(made, attributes);
  made.append(...content.filter((part) => part !== undefined));
  return made;
}

/** An attribute without a value is taken away. What is as it should be is not touched. */
export function setAttributes(target: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) target.removeAttribute(name);
    else if (target.getAttribute(name) !== value) target.setAttribute(name, value);
  }
}

export function setText(target: Element, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

/** Takes an event for as long as the page lives; `composed` events of the controls arrive here too. */
export function on<Name extends keyof HTMLElementEventMap>(
  target: EventTarget,
  name: Name,
  listener: (event: HTMLElementEventMap[Name]) => void,
  options?: AddEventListenerOptions,
): void {
  target.addEventListener(name, listener as EventListener, options);
}
