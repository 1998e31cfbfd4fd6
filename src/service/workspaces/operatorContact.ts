/** How people reach this server's operator, such as an e-mail address or a page; undefined if not given. */
export type OperatorContact = string | undefined;

/** Says who gives a workspace minutes beyond the free ones. */
export const grantsMinutes = (contact: OperatorContact): string =>
  `The operator of this server can grant more minutes${contact === undefined ? '' : `: ${contact}`}.`;
