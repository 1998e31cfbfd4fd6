import type { PictureFormat } from '../../../src/contract/panel.ts';
import { layoutTree, type Rectangle } from '../../../src/model/tree/treeLayout.ts';
import { t } from '../../page/l10n.ts';
import { cardSizes, type Scene } from '../scene.ts';
import { treeIndexOf } from '../treeIndex.ts';
import { treeSvg, type SvgLook } from './treeSvg.ts';

/** Browsers don't draw a larger canvas. */
const maxSide = 16_000;
const maxPixels = 64_000_000;
const wantedScale = 2;

/**
 * Returns a picture of the whole tree, fully expanded, without the steps that a comparison puts back.
 * @throws Error with a message for people
 */
export async function pictureOf(
  {
    snapshot: {
      tree: { tree },
    },
  }: Scene,
  format: PictureFormat,
  look: SvgLook,
): Promise<string | Uint8Array<ArrayBuffer>> {
  if (!tree) throw new Error(t('There is no tree to draw yet.'));
  const index = treeIndexOf(tree);
  const layout = layoutTree(index.root, cardSizes, () => false);
  const svg = treeSvg(layout, index, look);
  return format === 'svg' ? svg : pngOf(svg, pictureScale(layout.bounds));
}

/** Returns the picture's pixels per pixel of the drawing. */
function pictureScale({ left, top, right, bottom }: Rectangle): number {
  const [width, height] = [Math.max(1, right - left), Math.max(1, bottom - top)];
  return Math.min(wantedScale, maxSide / width, maxSide / height, Math.sqrt(maxPixels / (width * height)));
}

async function pngOf(svg: string, scale: number): Promise<Uint8Array<ArrayBuffer>> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.floor(image.naturalWidth * scale));
  canvas.height = Math.max(1, Math.floor(image.naturalHeight * scale));
  const context = canvas.getContext('2d');
  if (!context) throw new Error(t("Couldn't draw the tree as an image. Export it as SVG instead."));
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error(t('The image is too large. Export the tree as SVG instead.'));
  return new Uint8Array(await blob.arrayBuffer());
}
