import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { build } from 'esbuild';
import type { TreeNode } from '../../src/contract/tree.ts';
import { layoutTree } from '../../src/model/tree/treeLayout.ts';
import { cardSizes } from '../../webview/tree/scene.ts';
import { treeIndexOf } from '../../webview/tree/treeIndex.ts';
import { changedWideTree, runOf, snapshotOf, wideTree } from '../webview/bankTree.ts';
import { withPage } from '../host/chromiumPage.ts';
import { withFolder, withWebview } from '../webview/webviewPage.ts';
import { afterPaint, framesOf, paintOf, printFrames } from './frames.ts';
import { median } from './median.ts';

const nodes = 10_000;
const budgetMs = 300;
const rounds = 5;

/**
 * Measures the webview at 10,000 nodes, relative to a plain d3 drawing (one SVG with every node and link) in the same
 * browser, and to the budget. Medians.
 */
export async function measureWebview(): Promise<void> {
  const tree = wideTree(nodes);
  const layoutMs = measureLayout(tree);
  const ours = await measureOurs(tree);
  const compared = await measureCompared(tree);
  const plain = await measurePlain(tree);
  const ratio = (value: number, to: number): string => (value / to).toFixed(2);
  console.log(`layout of ${nodes} nodes: ${layoutMs.toFixed(0)} ms`);
  console.log(
    `first paint: ${ours.firstPaintMs.toFixed(0)} ms, ${ratio(ours.firstPaintMs, plain.plainPaintMs)} of d3's plain SVG (${plain.plainPaintMs.toFixed(0)} ms), ${ratio(ours.firstPaintMs, budgetMs)} of the budget of ${budgetMs} ms`,
  );
  console.log(
    `first paint of a tree that is compared: ${compared.comparedPaintMs.toFixed(0)} ms, ${ratio(compared.comparedPaintMs, budgetMs)} of the budget; what is different after ${compared.comparedMs.toFixed(0)} ms`,
  );
  printFrames({ ...ours.frames, ...compared.frames });
  console.log(
    `elements: ${ours.elements}, compared ${compared.comparedElements}, ${ratio(ours.elements, plain.plainElements)} of d3's plain SVG (${plain.plainElements})`,
  );
}

function measureLayout(tree: TreeNode): number {
  const { root } = treeIndexOf(tree);
  return median(
    Array.from({ length: rounds }, () => {
      const start = performance.now();
      layoutTree(root, cardSizes, () => false);
      return performance.now() - start;
    }),
  );
}

const stage = "document.querySelector('.stage')";
const pan = `${stage}.dispatchEvent(new WheelEvent('wheel', { deltaX: 4, deltaY: 90, bubbles: true, cancelable: true }))`;
const key = (name: string): string =>
  `${stage}.dispatchEvent(new KeyboardEvent('keydown', { key: '${name}', bubbles: true, cancelable: true }))`;

async function measureOurs(tree: TreeNode) {
  return withWebview(async (webview) => {
    const paints: number[] = [];
    for (let round = 0; round < rounds; round += 1)
      paints.push(await paintOf(webview, snapshotOf(tree, runOf(1, 'completed'))));
    const panning = await framesOf(webview, 60, pan);
    const typed = 'option 4321';
    // The field fires an event for each letter.
    const searching = await framesOf(
      webview,
      typed.length,
      `const field = document.querySelector('.search vscode-text-field'); field.value = ${JSON.stringify(typed)}.slice(0, frame + 1); field.dispatchEvent(new Event('input', { bubbles: true }))`,
    );
    const panningFound = await framesOf(webview, 60, pan);
    await webview.page.evaluate(
      `const field = document.querySelector('.search vscode-text-field'); field.value = ''; field.dispatchEvent(new Event('input', { bubbles: true }))`,
    );
    const selecting = await framesOf(webview, 20, `${key('ArrowDown')}; ${key('Enter')}`);
    const folding = await framesOf(
      webview,
      20,
      `${key('Home')}; ${key('ArrowRight')}; document.querySelector('.card.is-focused .twistie')?.click()`,
    );
    return {
      firstPaintMs: median(paints),
      frames: {
        'while panning': panning,
        'a letter searched': searching,
        'while panning over what was found': panningFound,
        'a step selected': selecting,
        'a branch closed or opened': folding,
      },
      elements: await webview.elements(),
    };
  });
}

async function measureCompared(base: TreeNode) {
  return withWebview(async (webview) => {
    const snapshot = snapshotOf(changedWideTree(nodes), runOf(2, 'completed'), {
      base: { title: 'Run 1', tree: base },
    });
    const paints: number[] = [];
    const marks: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      paints.push(await paintOf(webview, snapshot));
      await webview.until("document.querySelector('.compare .stop-steps vscode-button')?.checkVisibility() === true");
      marks.push(await webview.page.evaluate<number>('performance.now() - arrivedAt'));
    }
    const panning = await framesOf(webview, 60, pan);
    const changes = await framesOf(webview, 30, key('n'));
    const elements = await webview.elements();
    await webview.page.evaluate(key('l'));
    await webview.painted();
    const heated = await framesOf(webview, 60, pan);
    return {
      comparedPaintMs: median(paints),
      comparedMs: median(marks),
      frames: {
        'while panning over changes': panning,
        'from change to change': changes,
        'while panning over latencies': heated,
      },
      comparedElements: elements,
    };
  });
}

const plainDrawing = `
import { hierarchy, tree } from 'd3-hierarchy';
const namespace = 'http://www.w3.org/2000/svg';
globalThis.drawPlain = (data) => {
  const root = tree().nodeSize([56, 320])(hierarchy(data));
  const svg = document.createElementNS(namespace, 'svg');
  svg.setAttribute('width', '1280');
  svg.setAttribute('height', '800');
  const add = (parent, name, attributes) => {
    const made = document.createElementNS(namespace, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return parent.appendChild(made);
  };
  const all = add(svg, 'g', { transform: 'translate(28,400) scale(.85)' });
  for (const { source, target } of root.links()) {
    const middle = (source.y + 252 + target.y) / 2;
    add(all, 'path', { fill: 'none', stroke: '#888', d: 'M' + (source.y + 252) + ',' + source.x + 'C' + middle + ',' + source.x + ' ' + middle + ',' + target.x + ' ' + target.y + ',' + target.x });
  }
  for (const node of root.descendants()) {
    const group = add(all, 'g', { transform: 'translate(' + node.y + ',' + node.x + ')' });
    add(group, 'rect', { y: -24, width: 252, height: 48, rx: 6, fill: '#eee' });
    add(group, 'text', { x: 12, y: 5, 'font-size': 13 }).textContent = (node.data.digit ?? '') + ' ' + node.data.label;
  }
  document.body.append(svg);
};
`;

async function measurePlain(tree: TreeNode) {
  return withFolder(async (folder) => {
    await build({
      stdin: { contents: plainDrawing, resolveDir: import.meta.dirname },
      bundle: true,
      minify: true,
      format: 'iife',
      outfile: path.join(folder, 'plain.js'),
      logLevel: 'warning',
    });
    await writeFile(
      path.join(folder, 'index.html'),
      '<!DOCTYPE html><meta charset="utf-8"><link rel="icon" href="data:,"><body><script src="plain.js"></script>',
    );
    return withPage(
      async (page, origin) => {
        const paints: number[] = [];
        for (let round = 0; round < rounds; round += 1) {
          await page.goto(`${origin}/`);
          paints.push(
            await page.evaluate<number>(`(async () => { ${afterPaint}
          const data = ${JSON.stringify(tree)};
          await afterPaint();
          const start = performance.now();
          drawPlain(data);
          return await afterPaint() - start; })()`),
          );
        }
        return {
          plainPaintMs: median(paints),
          plainElements: await page.evaluate<number>('document.querySelectorAll("*").length'),
        };
      },
      { folder, context: { viewport: { width: 1280, height: 800 } } },
    );
  });
}
