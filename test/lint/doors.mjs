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

export default { meta: { name: 'doors' }, rules: { doors } };
