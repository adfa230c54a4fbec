/** One way to draw, two materials: a canvas (small charts, PNG) and SVG text (files). Coordinates in CSS px, colours as rgb(). */
export interface Pen {
  line(points: readonly (readonly [number, number])[], colour: string, width: number, dash?: readonly number[], opacity?: number): void;
  area(points: readonly (readonly [number, number])[], colour: string, opacity: number): void;
  text(text: string, x: number, y: number, colour: string, size: number, align?: 'left' | 'right' | 'center', weight?: number): void;
  box(x: number, y: number, width: number, height: number, colour: string): void;
}

export function canvasPen(g: CanvasRenderingContext2D, font: string): Pen {
  const trace = (points: readonly (readonly [number, number])[]): void => {
    g.beginPath();
    points.forEach(([x, y], i) => {
      if (i === 0) g.moveTo(x, y);
      else g.lineTo(x, y);
    });
  };
  return {
    line(points, colour, width, dash = [], opacity = 1) {
      g.globalAlpha = opacity;
      g.strokeStyle = colour;
      g.lineWidth = width;
      g.lineJoin = 'round';
      g.setLineDash([...dash]);
      trace(points);
      g.stroke();
      g.setLineDash([]);
      g.globalAlpha = 1;
    },
    area(points, colour, opacity) {
      g.globalAlpha = opacity;
      g.fillStyle = colour;
      trace(points);
      g.fill();
      g.globalAlpha = 1;
    },
    text(text, x, y, colour, size, align = 'left', weight = 400) {
      g.fillStyle = colour;
      g.font = `${weight} ${size}px ${font}`;
      g.textAlign = align;
      g.textBaseline = 'alphabetic';
      g.fillText(text, x, y);
    },
    box(x, y, width, height, colour) {
      g.fillStyle = colour;
      g.fillRect(x, y, width, height);
    },
  };
}

const ESCAPES: { readonly [char: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (char) => ESCAPES[char]!);
}

export interface SvgPen extends Pen {
  finish(width: number, height: number, metadata: string): string;
}

export function svgPen(font: string): SvgPen {
  const parts: string[] = [];
  const list = (points: readonly (readonly [number, number])[]): string =>
    points.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`).join(' ');
  return {
    line(points, colour, width, dash = [], opacity = 1) {
      const extra = `${dash.length > 0 ? ` stroke-dasharray="${dash.join(' ')}"` : ''}${opacity < 1 ? ` stroke-opacity="${opacity}"` : ''}`;
      parts.push(
        `<polyline points="${list(points)}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linejoin="round"${extra}/>`,
      );
    },
    area(points, colour, opacity) {
      parts.push(`<polygon points="${list(points)}" fill="${colour}" fill-opacity="${opacity}"/>`);
    },
    text(text, x, y, colour, size, align = 'left', weight = 400) {
      const anchor = align === 'left' ? 'start' : align === 'right' ? 'end' : 'middle';
      parts.push(
        `<text x="${x.toFixed(2)}" y="${y.toFixed(2)}" fill="${colour}" font-size="${size}" font-weight="${weight}" text-anchor="${anchor}">${escapeXml(text)}</text>`,
      );
    },
    box(x, y, width, height, colour) {
      parts.push(`<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${colour}"/>`);
    },
    finish(width, height, metadata) {
      return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${escapeXml(font)}"><metadata>${escapeXml(metadata)}</metadata>${parts.join('')}</svg>`;
    },
  };
}
