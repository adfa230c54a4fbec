/** Things on a table, seen from above: cards, chips, payoff boards. Units of a card's width, y away from the viewer. */
import { itemColumns, type TableLayout } from '#contract/game/frames.ts';
import { defineScene, type GlyphShape } from './lib/define.ts';
import { figure, numbered, type Say } from './lib/words.ts';

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

function describe(layout: TableLayout, frame: Float32Array, _names: readonly string[], t: Say): string {
  const sentences: string[] = [];
  const cards: string[] = [];
  const written: string[] = [];
  let at = 0;
  for (const item of layout.items) {
    const columns = frame.subarray(at, at + itemColumns(item));
    const [first = 0, second = 0] = columns;
    at += itemColumns(item);
    switch (item.kind) {
      case 'card':
        if (first === -2) cards.push(t('a card face down'));
        else if (first >= 0) cards.push(t('the card {face}', { face: item.faces[first] ?? first }));
        break;
      case 'text':
        written.push(...Array.from(columns).flatMap((word) => item.words[word] ?? []));
        break;
      case 'chips':
        sentences.push(
          first === 1
            ? t('1 chip of player {player}.', { player: item.team + 1 })
            : t('{n} chips of player {player}.', { n: first, player: item.team + 1 }),
        );
        break;
      case 'number':
        sentences.push(`${t(item.label)} ${figure(first)}.`);
        break;
      case 'seat':
        if (second > 0) sentences.push(t('{name} has won.', { name: numbered(t, item.name) }));
        else if (second < 0) sentences.push(t('{name} has lost.', { name: numbered(t, item.name) }));
        else if (first > 0) sentences.push(t('{name} is to move.', { name: numbered(t, item.name) }));
        break;
      case 'sign':
        sentences.push(`${t(item.text)}.`);
        break;
      case 'lever':
        if (first > 0 && Number.isFinite(second))
          sentences.push(t('{name} was pulled and paid {n}.', { name: numbered(t, item.name), n: figure(second) }));
        else if (first > 0) sentences.push(t('{name} was pulled.', { name: numbered(t, item.name) }));
        break;
      case 'payoff': {
        const pay = item.payoffs[first]?.[second];
        if (pay === undefined)
          sentences.push(
            t('A payoff board of {rows} by {columns} cells; nothing chosen yet.', { rows: item.rows.length, columns: item.columns.length }),
          );
        else {
          const [row, column] = [numbered(t, item.rows[first] ?? ''), numbered(t, item.columns[second] ?? '')];
          sentences.push(t('Row {row}, column {column}: {a} and {b}.', { row, column, a: figure(pay[0]), b: figure(pay[1]) }));
        }
        break;
      }
    }
  }
  if (cards.length > 0) sentences.unshift(t('On the table: {cards}.', { cards: cards.join(', ') }));
  if (written.length > 0) sentences.unshift(t('Written: {words}', { words: written.join(' ') }));
  return sentences.length === 0 ? t('A table.') : sentences.join(' ');
}
