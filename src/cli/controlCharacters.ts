/**
 * A name, a path, words that were heard: text of files and of callees as one line that moves no cursor and changes no colour. Control characters
 * (C0, DEL, C1) and line ends become a space.
 */
export const onOneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');

/** The same for text of several lines, which stay. */
export const withoutControls = (text: string): string =>
  text.replace(/\r\n/g, '\n').replace(/(?!\n)[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
