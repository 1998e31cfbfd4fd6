/**
 * Text of telephone prompts, from which the recogniser's language model is counted: every file of `menuText/`, one
 * sentence a line in lower-case words. Lines that occur twice stay once. Every tenth line is held out, to measure what
 * the model knows of text that it wasn't made from.
 */
import { readFile, readdir } from 'node:fs/promises';

const folder = new URL('menuText/', import.meta.url);
const heldOutEvery = 10;

const sentencesOf = (line) =>
  line
    .toLowerCase()
    .split(/[.!?]+(?:\s|$)/)
    .map((sentence) =>
      sentence
        .replace(/[^a-z' ]+/g, ' ')
        .replace(/(?<![a-z])'+|'+(?![a-z])/g, ' ')
        .replace(/ +/g, ' ')
        .trim(),
    )
    .filter(Boolean);

/** @returns {Promise<{ text: string, heldOut: string }>} */
export async function menuText() {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.txt')).sort();
  const lines = new Set();
  for (const name of files)
    for (const line of (await readFile(new URL(name, folder), 'utf8')).split('\n')) {
      const sentences = sentencesOf(line);
      if (sentences.length > 0) lines.add(sentences.join('\n'));
    }
  const all = [...lines];
  const part = (held) => all.filter((_, index) => (index % heldOutEvery === heldOutEvery - 1) === held).join('\n\n');
  return { text: part(false), heldOut: part(true) };
}
