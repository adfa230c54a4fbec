/** Things on a table, seen from above: cards, chips, payoff boards. Units of a card's width, y away from the viewer. */
import { itemColumns, type TableLayout } from '#contract/frames.ts';
import { defineScene, type GlyphShape } from './lib/define.ts';
import { figure } from './lib/words.ts';

const GLYPH: readonly GlyphShape[] = [
  { role: 'cell', shape: 'rect', x: 8, y: 16, width: 48, height: 34, rx: 8 },
  { role: 'wall', shape: 'rect', x: 18, y: 22, width: 12, height: 18, rx: 2 },
  { role: 'agent', shape: 'rect', x: 34, y: 22, width: 12, height: 18, rx: 2 },
];

export const table = defineScene<TableLayout>({
  kind: 'table',
  async view() {
    const { TableView } = await import('./table/view.ts');
    return { create: (layout, palette) => new TableView(layout, palette) };
  },
  async flat() {
    const { drawTable } = await import('./table/flat.ts');
    return { create: () => ({ draw: drawTable }) };
  },
  extent: ({ bounds: [minX, minY, maxX, maxY] }) => [maxX - minX, maxY - minY],
  place: ({ bounds: [minX, , , maxY] }, x, y) => [x - minX, maxY - y],
  point: ({ bounds: [minX, , , maxY] }, x, y) => ({ x: x + minX, y: maxY - y, cell: -1 }),
  describe,
  things(layout) {
    const found = seats(layout);
    return {
      count: found.length,
      named: found.length > 0,
      name: (thing) => found[thing]?.name ?? `seat ${thing + 1}`,
      acts: () => true,
      ofAgent: (place) => place,
    };
  },
  spot(layout, _a, _b, _alpha, thing) {
    const seat = seats(layout)[thing];
    const [minX, , , maxY] = layout.bounds;
    return seat === undefined ? null : { x: seat.x - minX, y: maxY - seat.y, radius: 0.46, colour: seat.team };
  },
  layers: ({ items }) => (items.some((item) => item.kind === 'lever' && item.worth !== undefined) ? ['payouts'] : []),
  glyph: () => GLYPH,
});

function seats({ items }: TableLayout) {
  return items.flatMap((item) => (item.kind === 'seat' ? [item] : []));
}

function describe(layout: TableLayout, frame: Float32Array): string {
  const sentences: string[] = [];
  const cards: string[] = [];
  let at = 0;
  for (const item of layout.items) {
    const [first = 0, second = 0] = frame.subarray(at, at + itemColumns(item));
    at += itemColumns(item);
    switch (item.kind) {
      case 'card':
        if (first === -2) cards.push('a card face down');
        else if (first >= 0) cards.push(`the card ${item.faces[first] ?? first}`);
        break;
      case 'chips':
        sentences.push(`${count(first, 'chip')} of player ${item.team + 1}.`);
        break;
      case 'number':
        sentences.push(`${item.label} ${figure(first)}.`);
        break;
      case 'seat':
        if (second !== 0) sentences.push(`${item.name} has ${second > 0 ? 'won' : 'lost'}.`);
        else if (first > 0) sentences.push(`${item.name} is to move.`);
        break;
      case 'sign':
        sentences.push(`${item.text}.`);
        break;
      case 'lever':
        if (first > 0) sentences.push(`${item.name} was pulled${Number.isFinite(second) ? ` and paid ${figure(second)}` : ''}.`);
        break;
      case 'payoff': {
        const pay = item.payoffs[first]?.[second];
        const size = `${item.rows.length} by ${item.columns.length}`;
        if (pay === undefined) sentences.push(`A payoff board of ${size} cells; nothing chosen yet.`);
        else sentences.push(`Row ${item.rows[first]}, column ${item.columns[second]}: ${figure(pay[0])} and ${figure(pay[1])}.`);
        break;
      }
    }
  }
  if (cards.length > 0) sentences.unshift(`On the table: ${cards.join(', ')}.`);
  return sentences.length === 0 ? 'A table.' : sentences.join(' ');
}

function count(n: number, name: string): string {
  return `${n} ${name}${n === 1 ? '' : 's'}`;
}
