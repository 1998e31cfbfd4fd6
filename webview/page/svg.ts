import { setAttributes, type Content } from './element.ts';

const namespace = 'http://www.w3.org/2000/svg';

/** Like `element`, for drawings. Lengths can be numbers. */
export function svg<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | number | undefined>> = {},
  ...content: Content[]
): SVGElementTagNameMap[Name] {
  const created = document.createElementNS(namespace, name);
  setAttributes(
    created,
    Object.fromEntries(
      Object.entries(attributes).map(([key, value]) => [key, value === undefined ? undefined : String(value)]),
    ),
  );
  created.append(...content.filter((part) => part !== undefined));
  return created;
}
