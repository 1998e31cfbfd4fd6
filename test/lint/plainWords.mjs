import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * @typedef {object} WordRow
 * @property {RegExp} pattern matches the word or phrase
 * @property {string} word as docs/words.md writes it
 * @property {string} instead
 * @property {string[]} except longer phrases in which the word is right, in lower case
 */

const heading = '## Words in comments and test titles';
const quoted = /`[^`]*`|"[^"]*"|“[^”]*”|‘[^’]*’|(?<!\w)'[^']*'(?!\w)/g;
const titled = new Set(['describe', 'it']);
/** A title that begins so has no act. */
const passive = /^(?:is|are|was|were|has been|have been|isn't|aren't|wasn't|weren't)(?=\s)/;

/**
 * Parses the table "Words in comments and test titles" of docs/words.md. A word that ends with " …" is matched only at
 * the beginning of a comment.
 * @param {string} markdown
 * @returns {WordRow[]}
 * @throws Error if the table is missing or empty, so that the rule can't silently check nothing
 */
export function parseWords(markdown) {
  const section = markdown.split(heading)[1]?.split('\n## ')[0] ?? '';
  const rows = section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => {
      const [words = '', instead = '', except = ''] = line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim());
      return namesIn(words).map((word) => ({
        word,
        instead,
        except: namesIn(except).map((text) => text.toLowerCase()),
        pattern: patternOf(word),
      }));
    });
  if (rows.length === 0) throw new Error(`docs/words.md has no table below "${heading}".`);
  return rows;
}

const namesIn = (cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name);

function patternOf(word) {
  const opens = word.endsWith(' …');
  const source = (opens ? word.slice(0, -2) : word).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '\\s+');
  return new RegExp(opens ? `^${source}(?=\\s)` : `\\b${source}\\b`, opens ? '' : 'i');
}

/**
 * Returns the rows whose word a text uses. Quoted text isn't checked.
 * @param {string} text
 * @param {readonly WordRow[]} rows
 */
export function findWords(text, rows) {
  const plain = text.replaceAll(quoted, '“”').replaceAll(/\s+/g, ' ').trim();
  return rows.filter(({ pattern, except }) => {
    const kept = except.reduce((rest, phrase) => rest.replaceAll(new RegExp(`\\b${phrase}\\b`, 'gi'), ''), plain);
    return pattern.test(kept);
  });
}

const commentText = (comment) =>
  comment.value
    .replaceAll(/^\s*\*+ ?/gm, '')
    .replace(/^\*/, '')
    .trim();

const isDirective = (text) => /^(?:oxlint|@ts-|prettier-|@type\b|@typedef\b|<reference)/.test(text);

/** The title of a test if `node` calls `it` or `describe`, also with `.skip` and the like. */
function titleOf({ callee, arguments: [title] }) {
  const { name } = callee.type === 'MemberExpression' ? callee.object : callee;
  if (!titled.has(name)) return undefined;
  if (title?.type === 'Literal' && typeof title.value === 'string') return { node: title, text: title.value };
  if (title?.type === 'TemplateLiteral')
    return { node: title, text: title.quasis.map(({ value }) => value.cooked).join('…') };
  return undefined;
}

/** A rule that reports the words of docs/words.md in comments and test titles. */
const plain = {
  create(context) {
    const rows = parseWords(readFileSync(path.join(import.meta.dirname, '../../docs/words.md'), 'utf8'));
    const check = (node, text, what) => {
      for (const { word, instead } of findWords(text, rows))
        context.report({
          loc: node.loc,
          message: `Don't write "${word}" in a ${what}. Use: ${instead}. See docs/words.md.`,
        });
    };
    return {
      Program() {
        let joined;
        for (const comment of context.sourceCode.getAllComments()) {
          const text = commentText(comment);
          if (isDirective(text)) continue;
          // Consecutive line comments are one text, so a phrase can continue on the next line.
          const follows =
            comment.type === 'Line' &&
            joined?.last.loc.end.line === comment.loc.start.line - 1 &&
            joined.last.loc.start.column === comment.loc.start.column;
          if (follows) joined = { ...joined, text: `${joined.text} ${text}`, last: comment };
          else {
            if (joined) check(joined.first, joined.text, 'comment');
            joined = comment.type === 'Line' ? { first: comment, last: comment, text } : undefined;
            if (!joined) check(comment, text, 'comment');
          }
        }
        if (joined) check(joined.first, joined.text, 'comment');
      },
      CallExpression(node) {
        const title = titleOf(node);
        if (title) check(title.node, title.text, 'test title');
      },
    };
  },
};

/** A rule that reports test titles which don't say what their subject does. */
const titles = {
  create: (context) => ({
    CallExpression(node) {
      const title = titleOf(node);
      const [word] = passive.exec(title?.text ?? '') ?? [];
      if (word)
        context.report({
          loc: title.node.loc,
          message: `Don't begin a test title with "${word}". Say what its subject does. See docs/words.md.`,
        });
    },
  }),
};

export default { meta: { name: 'words' }, rules: { plain, titles } };
