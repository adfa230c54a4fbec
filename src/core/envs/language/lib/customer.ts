/**
 * A customer who wants of each item of a shop one of its kinds or none, and says so when asked. A letter asks for an item and is answered by
 * the kind wanted, 0 where none is, or by "." where the customer resists: then it must be asked again. As many digits as there are items are
 * the order, kind by kind. A customer may change its mind once, about an item that was told, and says so at once: `1!c2` answers 1, and wants
 * kind 2 of c from now on. The order is right if it is what the customer wants at that time, everywhere.
 */
import { Xorshift } from '#math/xorshift.ts';
import { badConfig } from '../../api/parse.ts';
import { halfOf, lineOfCards } from './cards.ts';
import type { Talk } from './define.ts';
import { answered, FACE_DOWN, NOTHING, numbersBelow, numerals, type PartnerKind, refused, type TalkConfig, told } from './partners.ts';
import { nameOf } from './tokens.ts';

interface Order {
  /** [items] kinds, 0: none; never all 0. */
  readonly first: readonly number[];
  /** The same, after the change. */
  readonly last: readonly number[];
  /** The item that changes; -1: none. */
  readonly item: number;
  /** It changes once so many items were told when asked, this one among them. */
  readonly after: number;
  /** [items] must be asked for twice. */
  readonly resists: readonly boolean[];
}

/** The order of draws is part of the definition: kinds (again until one is wanted), resistance, then whether, what, to what and when it changes. */
function drawWishes({ items, kinds, upfront, resistance, changes }: TalkConfig, rng: Xorshift): Order {
  let first: number[];
  do first = Array.from({ length: items }, () => rng.draw(kinds + 1));
  while (first.every((kind) => kind === 0));
  const resists = first.map(() => rng.draw(1000) < 1000 * resistance);
  const hidden = items - upfront;
  if (hidden === 0 || rng.draw(1000) >= 1000 * changes) return { first, last: first, item: -1, after: 0, resists };
  const item = upfront + rng.draw(hidden);
  const others = Array.from({ length: kinds }, (_, i) => i + 1).filter((kind) => kind !== first[item]);
  const kind = others[rng.draw(others.length)]!;
  return { first, last: first.map((old, i) => (i === item ? kind : old)), item, after: 1 + rng.draw(hidden), resists };
}

export const customer: PartnerKind = {
  check({ items, upfront }) {
    if (upfront > items)
      throw badConfig('upfront', `Of ${items} items ${upfront} cannot be told.`, `At most ${items}, or a shop of more items.`);
  },
  sizes: (c) => ({ prompt: 2 + 2 * c.upfront, written: c.turns - 1 + c.items, replies: c.turns + (c.changes > 0 ? 3 : 0) }),
  structure(c, seed) {
    const { first, last } = drawWishes(c, new Xorshift(seed));
    return { first: first.join(''), last: last.join('') };
  },
  picture(c) {
    const faces = numerals(c.kinds + 1);
    const width = Math.max(c.kinds + 1, c.items);
    const half = halfOf(width);
    return {
      kind: 'table',
      items: [
        ...Array.from({ length: c.items }, (_, i) =>
          lineOfCards(nameOf(i), faces, { n: c.kinds + 1, width, y: 1.6 * (c.items + 1 - i) }),
        ).flat(),
        ...lineOfCards('order', faces, { n: c.items, width, y: 1.6 }),
        ...lineOfCards('wants', faces, { n: c.items, width, y: 0 }),
        ...numbersBelow(half),
      ],
      bounds: [-half, -2, half, 1.6 * (c.items + 1) + 1],
    };
  },
  begin(c, seed): Talk {
    const { first, last, item, after, resists } = drawWishes(c, new Xorshift(seed));
    let wants = first;
    /** [items] what was told; null: nothing. */
    const heard: (number | null)[] = first.map((kind, i) => (i < c.upfront ? kind : null));
    const asked = new Set<number>();
    let [turns, questions, done] = [0, 0, false];
    let order: readonly number[] = [];
    const unknown = (): number => heard.filter((kind) => kind === null).length;
    // an order of nothing is never wanted
    const possible = (): number => (c.kinds + 1) ** unknown() - (heard.every((kind) => kind === null || kind === 0) ? 1 : 0);
    const anything = (luck: Xorshift): string => {
      const act = luck.draw(c.items + 1);
      return act < c.items ? nameOf(act) : first.map(() => luck.draw(c.kinds + 1)).join('');
    };
    const isOrder = new RegExp(`^[0-${c.kinds}]{${c.items}}$`);
    /** The customer's word on an item, and the change of mind where it is time. */
    const say = (i: number): string => {
      if (resists[i] && !asked.has(i) && heard[i] === null) {
        asked.add(i);
        return '.';
      }
      heard[i] = wants[i]!;
      const said = String(wants[i]);
      const open = unknown();
      if (wants === last || heard[item] === null || c.items - c.upfront - open < after) return said;
      wants = last;
      heard[item] = last[item]!;
      return `${said}!${nameOf(item)}${last[item]}`;
    };
    return {
      prompt: `s${first
        .slice(0, c.upfront)
        .map((kind, i) => nameOf(i) + kind)
        .join('')}:`,
      ends: (turn) => !/^\d+$/.test(turn) || turn.length >= c.items,
      play(turn, ended) {
        turns++;
        const i = turn.charCodeAt(0) - 97;
        const asks = turn.length === 1 && i >= 0 && i < c.items;
        done = !asks || turns >= c.turns;
        if (ended || (!asks && !isOrder.test(turn))) {
          done = true;
          return refused(c, turns);
        }
        if (asks) {
          questions++;
          return told(c, say(i), turns);
        }
        order = [...turn].map(Number);
        return answered(order.every((kind, k) => kind === wants[k]));
      },
      suggest(how, luck) {
        if (how === 'novice' && luck.draw(1000) < 1000 * c.mistakes) return anything(luck);
        // what was refused once is told for certain now; the last turn is for the order
        const next = [...asked].find((i) => heard[i] === null) ?? heard.indexOf(null);
        return next < 0 || turns >= c.turns - 1 ? heard.map((kind) => kind ?? 1).join('') : nameOf(next);
      },
      draw(_, out) {
        const rows = heard.map((kind) => Array.from({ length: c.kinds + 1 }, (_, k) => (kind === null || kind === k ? k : NOTHING)));
        const orders = first.map((_, i) => order[i] ?? NOTHING);
        out.set([...rows.flat(), ...orders, ...(done ? wants : first.map(() => FACE_DOWN)), questions, possible()]);
      },
      measured: () => [questions, possible()],
    };
  },
};
