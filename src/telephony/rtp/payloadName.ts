/** Static audio payload types (RFC 3551, table 4). */
const names: Readonly<Record<number, string>> = {
  0: 'PCMU',
  3: 'GSM',
  4: 'G723',
  5: 'DVI4',
  6: 'DVI4',
  7: 'LPC',
  8: 'PCMA',
  9: 'G722',
  10: 'L16',
  11: 'L16',
  12: 'QCELP',
  13: 'CN',
  14: 'MPA',
  15: 'G728',
  16: 'DVI4',
  17: 'DVI4',
  18: 'G729',
};

/** Returns the common name of a payload type, or its number if only a description could name it. */
export const payloadName = (type: number): string => names[type] ?? `payload type ${String(type)}`;
