/** A fine lattice for the backs of cards. */
import { CanvasTexture, SRGBColorSpace, type Texture } from 'three';
import type { Rgb } from '../lib/theme.ts';

export function stripeTexture(dark: Rgb, light: Rgb): Texture {
  const canvas = document.createElement('canvas');
  canvas.width = 96;
  canvas.height = 128;
  const g = canvas.getContext('2d');
  if (g !== null) {
    g.fillStyle = `rgb(${dark.map(Math.round).join(' ')})`;
    g.fillRect(0, 0, 96, 128);
    g.strokeStyle = `rgb(${light.map(Math.round).join(' ')})`;
    g.lineWidth = 2.5;
    for (let i = -128; i < 224; i += 16) {
      g.beginPath();
      g.moveTo(i, 0);
      g.lineTo(i + 128, 128);
      g.moveTo(i + 128, 0);
      g.lineTo(i, 128);
      g.stroke();
    }
  }
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = 4;
  return texture;
}
