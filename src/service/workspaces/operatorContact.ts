/**
 * How people reach the operator of this server, such as an e-mail address or a page; undefined if the operator gave
 * none.
 */
export type OperatorContact = string | undefined;

/** Says who gives a workspace minutes beyond the free ones. */
export const grantsMinutes = (contact: OperatorContact): string =>
  `The operator of this server can grant more minutes${contact === undefined ? '' : `: ${contact}`}.`;
