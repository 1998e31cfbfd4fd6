import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const service = path.join(root, 'src/service/');
const dialerFor = path.join(service, 'runs/dialerFor.ts');

const message =
  'Only src/service/runs/dialerFor.ts wraps a dialer or opens one, so that the calls of all runs pass the same doors. Use dialerFor.';

const nameOf = (node) => (node.type === 'MemberExpression' ? node.property.name : node.name);

/** A rule that lets only `dialerFor`, and the composition root, use the wrappers of dialers and the shared dialer. */
const doors = {
  create(context) {
    const isRoot = path.dirname(context.filename) + path.sep === service;
    if (!context.filename.startsWith(service) || isRoot || context.filename === dialerFor) return {};
    return {
      CallExpression({ callee }) {
        if (callee.type !== 'MemberExpression') return;
        const name = nameOf(callee);
        if (name === 'over' || (name === 'use' && nameOf(callee.object) === 'dialer'))
          context.report({ node: callee, message });
      },
      NewExpression({ callee }) {
        if (nameOf(callee) === 'DialRecord') context.report({ node: callee, message });
      },
    };
  },
};

const src = path.join(root, 'src/');
const door = path.join(src, 'engine/call/door.ts');
/** The call itself, and load tests with keys at fixed times, which are checked before the run. */
const senders = ['engine/call/conversation.ts', 'engine/load/loadCall.ts'].map((file) => path.join(src, file));

/** A rule that lets only the door clear keys and words, so that no kind of run sends any without being judged. */
const sending = {
  create(context) {
    const { filename } = context;
    if (!filename.startsWith(src) || filename.startsWith(path.join(src, 'telephony/'))) return {};
    return {
      TSAsExpression({ typeAnnotation }) {
        if (filename !== door && typeAnnotation.typeName?.name === 'Cleared')
          context.report({
            node: typeAnnotation,
            message: 'Only src/engine/call/door.ts clears what is sent. Use Door.',
          });
      },
      CallExpression({ callee }) {
        if (nameOf(callee) === 'sendDigits' && !senders.includes(filename))
          context.report({ node: callee, message: 'Keys are sent through src/engine/call/door.ts. Use Door.' });
      },
    };
  },
};

export default { meta: { name: 'doors' }, rules: { doors, sending } };
