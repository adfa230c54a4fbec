/** Tables and networks in words. */
import { itemColumns, type NetworkLayout, type TableLayout } from '#contract/frames.ts';
import { linkAt } from './lib/frames.ts';

export function describeTable(layout: TableLayout, frame: Float32Array): string {
  const said: string[] = [];
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
        said.push(`${count(first, 'chip')} of player ${item.team + 1}.`);
        break;
      case 'number':
        said.push(`${item.label} ${figure(first)}.`);
        break;
      case 'seat':
        if (second !== 0) said.push(`${item.name} has ${second > 0 ? 'won' : 'lost'}.`);
        else if (first > 0) said.push(`${item.name} is to move.`);
        break;
      case 'lever':
        if (first > 0) said.push(`${item.name} was pulled${Number.isFinite(second) ? ` and paid ${figure(second)}` : ''}.`);
        break;
      case 'payoff': {
        const pay = item.payoffs[first]?.[second];
        const size = `${item.rows.length} by ${item.columns.length}`;
        if (pay === undefined) said.push(`A payoff board of ${size} cells; nothing chosen yet.`);
        else said.push(`Row ${item.rows[first]}, column ${item.columns[second]}: ${figure(pay[0])} and ${figure(pay[1])}.`);
        break;
      }
    }
  }
  if (cards.length > 0) said.unshift(`On the table: ${cards.join(', ')}.`);
  return said.length === 0 ? 'A table.' : said.join(' ');
}

export function describeNetwork(layout: NetworkLayout, frame: Float32Array): string {
  const counts = layout.states.map(() => 0);
  for (let i = 0; i < layout.nodes; i++) counts[frame[2 * i]!] = (counts[frame[2 * i]!] ?? 0) + 1;
  const kinds = layout.linkKinds.map(() => 0);
  for (let i = 0; i < layout.links; i++) {
    const link = linkAt(layout, frame, i);
    if (link !== null) kinds[link.kind] = (kinds[link.kind] ?? 0) + 1;
  }
  const states = layout.states.map(({ name }, i) => `${counts[i]} ${name}`).join(', ');
  const links = layout.linkKinds.flatMap(({ name }, i) => (kinds[i]! > 0 ? `${kinds[i]} ${name}` : [])).join(', ');
  const at = layout.nodes * 2 + layout.links * 3;
  const extra = layout.extra.map((name, i) => `${name} ${figure(frame[at + i]!)}`).join(', ');
  return [`A ring of ${layout.nodes}: ${states}.`, links === '' ? '' : `Links: ${links}.`, extra === '' ? '' : `${extra}.`]
    .filter((part) => part !== '')
    .join(' ');
}

function figure(value: number): string {
  return String(Number(value.toFixed(2)));
}

function count(n: number, name: string): string {
  return `${n} ${name}${n === 1 ? '' : 's'}`;
}
