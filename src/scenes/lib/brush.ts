/** What all flat drawings need: colours for the canvas, circles, words. */
import type { Rgb } from './theme.ts';

export function css(rgb: Rgb | readonly number[], alpha = 1): string {
  return `rgb(${rgb.map(Math.round).join(' ')} / ${alpha})`;
}

export function circle(g: CanvasRenderingContext2D, x: number, y: number, r: number): void {
  g.beginPath();
  g.arc(x, y, r, 0, Math.PI * 2);
  g.fill();
}

/** Centred words of a height in the drawing's own units; y grows downwards. */
export function words(g: CanvasRenderingContext2D, text: string, x: number, y: number, height: number): void {
  g.save();
  g.translate(x, y);
  // Fonts of less than a pixel are not drawn by every browser: draw large, scale down.
  g.scale(height / 40, height / 40);
  g.font = '600 40px system-ui, sans-serif';
  g.textAlign = 'center';
  g.textBaseline = 'middle';
  g.fillText(text, 0, 0);
  g.restore();
}
