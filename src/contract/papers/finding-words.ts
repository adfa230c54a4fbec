/**
 * What a contrast compares, what is claimed of it and what was found, as sentences of one reading. The one place that holds these words: the page,
 * the documents and the command line fill them in, each with its own way to write numbers, the page in the reader's language.
 */
import { armsOf, type Contrast, hasNoSize, isBar, isMargin, neutralOf, noneOf } from '#math/contrasts.ts';
import { type Finding, NO_EFFECT, stateOf } from '#math/rule.ts';
import { sameJson } from '../kit/canonical.ts';
import { capital } from '../kit/capital.ts';
import { objectOf } from '../kit/json.ts';
import { armConfig, type JudgedCard, quantityTitle } from './papers.ts';

/** Every wording, named; placeholders in braces. Collected for translation. */
export const WORDS = {
  // parts
  name: '“{n}”',
  list: '{first} > {rest}',
  percent: '{n} %',
  times: '{n} times',
  interval: '{low} to {high}',
  alike: 'every seed alike',
  both: '{found} {claimed}',
  of: '{quantity}: {found}',
  shareAbove: 'share of seeds with {level} or more, {quantity}',
  shareBelow: 'share of seeds with {level} or less, {quantity}',
  bestOther: 'the best of the others',
  lowestOther: 'the lowest of the others',
  eachWorld: 'in each of {n} worlds',
  someWorlds: 'in {of} of {n} worlds',
  eachPair: 'in each of {n} comparisons',
  somePairs: 'in {of} of {n} comparisons',
  // what is compared
  less: '{arm}, less {over}',
  divided: '{arm}, divided by {over}',
  lessPublished: '{arm}, less the published {mean} ± {deviation} ({seeds} seeds)',
  worst: 'the worst seed of {arm}',
  order: 'the smallest step down in {order}',
  slope: 'the rise for each one more along {x}, from {first} to {last}',
  slopeOver: 'the rise for each one more along {x} of the lead of {first} over {over}, and so on to {last}',
  against: '{arm} against {over}, {where}',
  rank: 'the rank correlation of the score with {x}',
  together: 'the rank correlation of “{one}” and “{other}” over runs of {arm}',
  agree: 'the rank correlation of “{one}” and “{other}” over {n} worlds',
  // what is claimed
  orMore: '{n} or more',
  orLess: '{n} or less',
  orMoreBelow: '{n} or more below',
  atLeast: 'at least {n}',
  atMost: 'at most {n}',
  atMostLess: 'at most {n} less',
  atMostMore: 'at most {n} more',
  above: 'above {n}',
  below: 'below {n}',
  noEffect: 'no effect',
  // what was found
  liesAbove: '{arm} lies {by} above {over} ({interval}).',
  liesBelow: '{arm} lies {by} below {over} ({interval}).',
  liesAlike: '{arm} and {over} lie at the same height ({interval}).',
  isTimes: '{arm} is {by} times {over} ({interval}).',
  abovePublished: '{arm} lies {by} above the published {mean} ± {deviation} of {seeds} seeds ({interval}).',
  belowPublished: '{arm} lies {by} below the published {mean} ± {deviation} of {seeds} seeds ({interval}).',
  isAt: '{arm} is at {by} ({interval}).',
  worstAt: 'the worst seed of {arm} is at {by}.',
  orderHolds: 'in the order {order} each lies above the next: by {by} or more ({interval}).',
  orderUnclear: 'in these runs, not clearly, each of {order} lies above the next: by {by} or more ({interval}).',
  orderBreaks: 'in the order {order} one does not lie above the next: it is {by} below it ({interval}).',
  rises: 'along {x}, from {first} to {last}, it rises by {by} for each one more ({interval}).',
  falls: 'along {x}, from {first} to {last}, it falls by {by} for each one more ({interval}).',
  leadRises: 'along {x} the lead of {first} over {over}, and so on to {last}, rises by {by} for each one more ({interval}).',
  leadFalls: 'along {x} the lead of {first} over {over}, and so on to {last}, falls by {by} for each one more ({interval}).',
  leads: '{arm} leads {over} {where}: by {by} or more ({interval}).',
  leadsUnclear: 'in these runs, not clearly, {arm} leads {over} {where}: by {by} or more ({interval}).',
  leadsNot: '{arm} does not lead {over} {where}: in the one that decides it is {by} behind ({interval}).',
  staysBelow: '{arm} stays below {over} {where}: by {by} or more ({interval}).',
  staysUnclear: 'in these runs, not clearly, {arm} stays below {over} {where}: by {by} or more ({interval}).',
  staysNot: '{arm} does not stay below {over} {where}: in the one that decides it is {by} above ({interval}).',
  loses: '{arm} loses at most {margin} against {over} {where}: {by} at worst ({interval}).',
  shouldLose: '{arm} should lose at most {margin} against {over} {where}: it loses {by} at worst ({interval}).',
  exceeds: '{arm} exceeds {over} by at most {margin} {where}: {by} at worst ({interval}).',
  shouldExceed: '{arm} should exceed {over} by at most {margin} {where}: {by} at worst ({interval}).',
  ranksWith: 'the score rises with {x}: rank correlation {by} ({interval}).',
  ranksAgainst: 'the score falls with {x}: rank correlation {by} ({interval}).',
  ranksUnclear: 'the score neither clearly rises nor clearly falls with {x}: rank correlation {by} ({interval}).',
  runsWith: 'runs of {arm} with a higher “{one}” have a higher “{other}”: rank correlation {by} ({interval}).',
  runsAgainst: 'runs of {arm} with a higher “{one}” have a lower “{other}”: rank correlation {by} ({interval}).',
  runsUnclear:
    'runs of {arm} with a higher “{one}” have neither a clearly higher nor a clearly lower “{other}”: rank correlation {by} ({interval}).',
  worldsWith: 'worlds that are high for “{one}” are high for “{other}”, too, over {n} of them: rank correlation {by} ({interval}).',
  worldsAgainst: 'worlds that are high for “{one}” are low for “{other}”, over {n} of them: rank correlation {by} ({interval}).',
  worldsUnclear:
    'over {n} worlds, those that are high for “{one}” are neither clearly high nor clearly low for “{other}”: rank correlation {by} ({interval}).',
  // what that says of the claim
  heldBeyond: 'Clear, and all of the interval is as large as claimed ({claimed}).',
  heldLarge: 'Clear, and as large as claimed ({claimed}).',
  heldSmall: 'Clear; the size claimed ({claimed}) is not excluded.',
  smaller: 'Clear, but smaller than claimed ({claimed}).',
  smallerOpen: 'Clear, but less than half of the size claimed ({claimed}), which is not excluded.',
  none: 'No effect half as large as claimed ({claimed}), in either direction.',
  refuted: 'The size claimed ({claimed}) is excluded, and no smaller effect is clear.',
  reversed: 'Clear, and the other way round: claimed was {claimed}.',
  open: 'Open: {none} and the size claimed ({claimed}) both lie in the interval.',
  few: 'Open: the rule decides this only on more seeds. Claimed was {claimed}.',
  barHeld: 'Asked for was {claimed}: it is so.',
  barRefuted: 'Asked for was {claimed}: it is not so.',
  barOpen: 'Asked for was {claimed}: open, the interval lies on both sides of that.',
  barFew: 'Asked for was {claimed}: open, the rule decides this only on more seeds.',
  everyHeld: 'Asked for was {claimed}: it is so on every seed; that {share} of seeds or more fail is excluded at 95 %.',
} as const;
type Word = keyof typeof WORDS;

/** A wording with what stands in its places: numbers, names, and wordings of their own. */
export interface Said {
  readonly word: Word;
  readonly values: { readonly [place: string]: number | string | Said };
}

/** How a reader's texts and numbers are written. */
export interface Writer {
  readonly text: (english: string, values: Readonly<Record<string, string>>) => string;
  readonly number: (value: number) => string;
}

const fill = (english: string, values: Readonly<Record<string, string>>): string =>
  english.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole).replaceAll(' %', '\u00a0%');

/** In English, with numbers as a document writes them. */
export const inEnglish = (number: Writer['number']): Writer => ({ text: fill, number });

/** The sentence as text; it begins with a capital letter. */
export const written = (said: Said, writer: Writer): string => capital(part(said, writer));

/** The same, to stand within a sentence. */
export function part({ word, values }: Said, writer: Writer): string {
  const filled = Object.entries(values).map(([place, value]) => [
    place,
    typeof value === 'number' ? writer.number(value) : typeof value === 'string' ? value : part(value, writer),
  ]);
  return writer.text(WORDS[word], Object.fromEntries(filled));
}

const say = (word: Word, values: Said['values'] = {}): Said => ({ word, values });

/** What arms are called, what is measured of them, and in which worlds they are. */
export interface Names {
  readonly title: (arm: string) => string;
  /** '': not said. */
  readonly quantity: (arm: string) => string;
  readonly sameWorld: (one: string, other: string) => boolean;
}

export const namesOf = (card: Pick<JudgedCard, 'arms' | 'quantity' | 'config'>): Names => {
  const find = (id: string) => card.arms.find((arm) => arm.id === id);
  const worldOf = (id: string) => objectOf(armConfig(card, find(id) ?? {}).env);
  return {
    title: (id) => find(id)?.title ?? id,
    quantity: (id) => quantityTitle(card, id),
    sameWorld: (one, other) => sameJson(worldOf(one), worldOf(other)),
  };
};

/** Names of a file that says no more of its arms than their ids. */
export const BY_ID: Names = { title: (arm) => arm, quantity: () => '', sameWorld: () => true };

const quoted = (n: string): Said => say('name', { n });

/** Titles are made of parts: "Catch: ternary trunk". */
const partsOf = (title: string): readonly string[] => title.split(/, |: /);

/**
 * Of pairs or groups that differ in one thing, what the named arms have that the others of their groups have not, and what all arms have:
 * "ternary trunk" of "Catch: ternary trunk" beside "Catch: float trunk". Several: all, each once.
 */
export function distinctName(named: readonly string[], beside: readonly (readonly string[])[]): string {
  const all = [...named, ...beside.flat()].map(partsOf);
  const inAll = (one: string): boolean => all.every((parts) => parts.includes(one));
  const own = named.map((title, k) => {
    const others = beside[k] ?? [];
    const kept = partsOf(title).filter((one) => inAll(one) || !others.some((other) => partsOf(other).includes(one)));
    return kept.length === 0 || kept.every(inAll) ? title : kept.join(', ');
  });
  return [...new Set(own)].join(' / ');
}

type Cells = Contrast & { readonly kind: 'cells' };

/** The leader of the cells, what it is compared with, and where. */
function placesOf({ cells, of, claim }: Cells, { title, sameWorld }: Names) {
  const leaders = cells.map(([leader = '']) => title(leader));
  const others = cells.map((cell) => cell.slice(1).map(title));
  const single = others.every((rivals) => rivals.length === 1);
  const n = cells.length;
  const first = cells[0]?.[0] ?? '';
  const within = cells.every(([leader = '', ...rivals]) => rivals.every((rival) => sameWorld(leader, rival)));
  const worlds = within && cells.slice(1).every(([leader = '']) => !sameWorld(leader, first));
  const where = of === n ? (worlds ? 'eachWorld' : 'eachPair') : worlds ? 'someWorlds' : 'somePairs';
  const rivals = single ? quoted(distinctName(others.map(([one = '']) => one), leaders.map((one) => [one]))) : null; // biome-ignore format: one thought
  return {
    arm: quoted(distinctName(leaders, others)),
    over: rivals ?? say(claim === 'above' ? 'bestOther' : 'lowestOther'),
    where: say(where, { n, of }),
  };
}

/** The two lists of a correlation over places by what sets them apart: their quantities where these differ. */
function listsOf(contrast: Contrast & { readonly kind: 'agree' | 'pairs' }, { title, quantity }: Names) {
  const [arms, others] = [contrast.arms, contrast.others].map((list) => list.map(title)) as [string[], string[]];
  const [one, other] = [quantity(contrast.arms[0] ?? ''), quantity(contrast.others[0] ?? '')];
  const values = { n: contrast.arms.length, arm: quoted(others.length === 1 ? (others[0] ?? '') : distinctName(others, [])) };
  if (one !== other) return { ...values, one, other };
  const beside = (list: readonly string[]) => list.map((name) => [name]);
  return { ...values, one: distinctName(arms, beside(others)), other: distinctName(others, beside(arms)) };
}

/** Numbers of these kinds are shares of something, written in percent. */
const inPercent = (contrast: Contrast): boolean => 'units' in contrast && contrast.units !== undefined;

const inUnit = (contrast: Contrast, n: number): number | Said => (inPercent(contrast) ? say('percent', { n: 100 * n }) : n);

const swept = (x: readonly number[], writer: Writer): string => [...new Set(x)].map(writer.number).join(', ');

/** Kinds that say how far one arm lies from another. */
const APART: readonly Contrast['kind'][] = ['difference', 'published', 'cells'];

/** What the claim of a contrast is: "0.25 or more", "at least 475", "at most 0.15 less". */
export function claimed(contrast: Contrast): Said {
  const none = noneOf(contrast);
  const above = contrast.claim === 'above';
  if (isBar(contrast)) return say(above ? 'atLeast' : 'atMost', { n: none });
  const unit = (n: number): number | Said => (contrast.kind === 'ratio' ? say('times', { n }) : inUnit(contrast, n));
  if (contrast.kind === 'ratio' && isMargin(contrast)) return say(above ? 'orMore' : 'orLess', { n: unit(none) });
  if (isMargin(contrast)) return say(above ? 'atMostLess' : 'atMostMore', { n: unit(Math.abs(none)) });
  if (contrast.size === undefined) return say(above ? 'above' : 'below', { n: unit(none) });
  if (!above && contrast.size < 0 && APART.includes(contrast.kind)) return say('orMoreBelow', { n: unit(-contrast.size) });
  return say(above ? 'orMore' : 'orLess', { n: unit(contrast.size) });
}

/** What a contrast compares, by titles of arms in quotation marks: titles have commas of their own. */
export function compared(contrast: Contrast, names: Names, writer: Writer): Said {
  const called = (id: string | undefined): Said => quoted(names.title(id ?? ''));
  switch (contrast.kind) {
    case 'difference':
      return say('less', { arm: called(contrast.arm), over: called(contrast.over) });
    case 'ratio':
      return say('divided', { arm: called(contrast.arm), over: called(contrast.over) });
    case 'published':
      return say('lessPublished', { arm: called(contrast.arm), ...contrast.theirs });
    case 'level':
      return called(contrast.arm);
    case 'every':
      return say('worst', { arm: called(contrast.arm) });
    case 'order':
      return say('order', { order: orderOf(contrast.arms, called) });
    case 'slope':
      return say(contrast.over === undefined ? 'slope' : 'slopeOver', {
        x: swept(contrast.x, writer),
        first: called(contrast.arms[0]),
        last: called(contrast.arms.at(-1)),
        over: called(contrast.over?.[0]),
      });
    case 'cells': {
      const { arm, over, where } = placesOf(contrast, names);
      return contrast.cells.length === 1 ? say('less', { arm, over }) : say('against', { arm, over, where });
    }
    case 'rank':
      return say('rank', { x: swept(contrast.x, writer) });
    case 'pairs':
      return say(contrast.arms.length === 1 ? 'together' : 'agree', listsOf(contrast, names));
    case 'agree':
      return say('agree', listsOf(contrast, names));
  }
}

function orderOf(arms: readonly string[], called: (id: string | undefined) => Said): Said {
  const [first, ...rest] = arms;
  if (rest.length === 0) return called(first);
  return say('list', { first: called(first), rest: orderOf(rest, called) });
}

/** What a finding has of numbers. */
type Found = Pick<Finding, 'estimate' | 'low' | 'high' | 'state'> & { readonly failsBelow?: number | undefined };

const range = (contrast: Contrast, { low, high }: Pick<Found, 'low' | 'high'>): Said =>
  low === high ? say('alike') : say('interval', { low: inUnit(contrast, low), high: inUnit(contrast, high) });

/** The number and its interval as a sentence, without what was claimed. */
function number(contrast: Contrast, found: Found, names: Names, writer: Writer): Said {
  const { estimate } = found;
  const by = inUnit(contrast, Math.abs(estimate));
  const interval = range(contrast, found);
  const called = (id: string | undefined): Said => quoted(names.title(id ?? ''));
  const up = estimate > 0;
  const sure = found.low > 0 || found.high < 0;
  const sided = (rises: Word, falls: Word, unclear: Word): Word => (sure ? (up ? rises : falls) : unclear);
  const apart = (arm: Said, over: Said): Said =>
    say(estimate === 0 ? 'liesAlike' : up ? 'liesAbove' : 'liesBelow', { arm, over, by, interval });
  switch (contrast.kind) {
    case 'difference':
      return apart(called(contrast.arm), called(contrast.over));
    case 'ratio':
      return say('isTimes', { arm: called(contrast.arm), over: called(contrast.over), by, interval });
    case 'published':
      return say(up ? 'abovePublished' : 'belowPublished', { arm: called(contrast.arm), by, interval, ...contrast.theirs });
    case 'level':
      return say('isAt', { arm: called(contrast.arm), by: estimate, interval });
    case 'every':
      return say('worstAt', { arm: called(contrast.arm), by: estimate });
    case 'order':
      return say(up ? (sure ? 'orderHolds' : 'orderUnclear') : 'orderBreaks', { order: orderOf(contrast.arms, called), by, interval });
    case 'slope': {
      const [first, last] = [called(contrast.arms[0]), called(contrast.arms.at(-1))];
      const values = { x: swept(contrast.x, writer), first, last, by, interval };
      if (contrast.over === undefined) return say(up ? 'rises' : 'falls', values);
      return say(up ? 'leadRises' : 'leadFalls', { ...values, over: called(contrast.over[0]) });
    }
    case 'cells':
      return ofCells(contrast, found, names, apart);
    case 'rank':
      return say(sided('ranksWith', 'ranksAgainst', 'ranksUnclear'), { x: swept(contrast.x, writer), by: estimate, interval });
    case 'pairs':
    case 'agree': {
      const values = { ...listsOf(contrast, names), by: estimate, interval };
      if (contrast.kind === 'pairs' && contrast.arms.length === 1) return say(sided('runsWith', 'runsAgainst', 'runsUnclear'), values);
      return say(sided('worldsWith', 'worldsAgainst', 'worldsUnclear'), values);
    }
  }
}

function ofCells(contrast: Cells, found: Found, names: Names, apart: (arm: Said, over: Said) => Said): Said {
  const { arm, over, where } = placesOf(contrast, names);
  if (contrast.cells.length === 1) return apart(arm, over);
  const { claim } = contrast;
  const { estimate, low, high, state } = found;
  const by = inUnit(contrast, Math.abs(estimate));
  const interval = range(contrast, found);
  if (!isMargin(contrast)) {
    if (claim === 'above') return say(estimate > 0 ? (low > 0 ? 'leads' : 'leadsUnclear') : 'leadsNot', { arm, over, where, by, interval });
    return say(estimate < 0 ? (high < 0 ? 'staysBelow' : 'staysUnclear') : 'staysNot', { arm, over, where, by, interval });
  }
  const margin = inUnit(contrast, Math.abs(noneOf(contrast)));
  const values = { arm, over, where, margin };
  const held = state === 'held';
  // what is lost: a lead is no loss
  if (claim === 'above')
    return say(held ? 'loses' : 'shouldLose', {
      ...values,
      by: inUnit(contrast, Math.max(0, -estimate)),
      interval: range(contrast, { low: -high, high: -low }),
    });
  return say(held ? 'exceeds' : 'shouldExceed', { ...values, by: inUnit(contrast, Math.max(0, estimate)), interval });
}

/** What the number says of the claim; null: the sentence before has said it. */
function verdict(contrast: Contrast, found: Found): Said | null {
  const { state, failsBelow } = found;
  const what = { claimed: claimed(contrast) };
  /** Open though its interval is on one side: the rule asks for more seeds than there are. */
  const few = state === 'open' && stateOf(contrast, found) !== 'open';
  if (hasNoSize(contrast) && state !== 'reversed') {
    if (failsBelow !== undefined) return say('everyHeld', { ...what, share: say('percent', { n: Math.round(100 * failsBelow) }) });
    if (contrast.kind === 'cells' && contrast.cells.length > 1 && isMargin(contrast) && state === 'held') return null;
    return say(few ? 'barFew' : state === 'open' ? 'barOpen' : state === 'held' ? 'barHeld' : 'barRefuted', what);
  }
  const at = noneOf(contrast);
  const none = at === neutralOf(contrast) ? say('noEffect') : contrast.kind === 'ratio' ? say('times', { n: at }) : inUnit(contrast, at);
  const size = contrast.size ?? 0;
  const reaches = (value: number): boolean => (contrast.claim === 'above' ? value >= size : value <= size);
  const [near, far] = contrast.claim === 'above' ? [found.low, found.high] : [found.high, found.low];
  switch (state) {
    case 'held':
      return say(reaches(near) ? 'heldBeyond' : reaches(found.estimate) ? 'heldLarge' : 'heldSmall', what);
    case 'smaller':
      return say(reaches(far) ? 'smallerOpen' : 'smaller', what);
    case NO_EFFECT:
      return say('none', what);
    case 'refuted':
      return say('refuted', what);
    case 'reversed':
      return say('reversed', what);
    case 'open':
      return say(few ? 'few' : 'open', { ...what, none });
  }
}

/**
 * What was found of a contrast, and what that says of its claim: "Return: “A” lies 0.31 above “B” (0.2 to 0.36). Clear of no effect, and as large
 * as claimed (0.25 or more)." `finding` is of this contrast.
 */
export function findingSaid(contrast: Contrast, finding: Found, names: Names, writer: Writer): Said {
  const claim = verdict(contrast, finding);
  const found = number(contrast, finding, names, writer);
  const all = claim === null ? found : say('both', { found, claimed: claim });
  const quantity = measuredBy(contrast, names);
  return quantity === null ? all : say('of', { quantity, found: all });
}

/** What is measured, where the sentence does not name it: of arms that read several things, nothing. */
function measuredBy(contrast: Contrast, { quantity }: Names): string | Said | null {
  const [first = '', ...more] = [...new Set(armsOf(contrast).map(quantity))];
  if (first === '' || more.length > 0) return null;
  const { share } = contrast;
  if (share === undefined) return capital(first);
  return 'atLeast' in share
    ? say('shareAbove', { quantity: first, level: share.atLeast })
    : say('shareBelow', { quantity: first, level: share.atMost });
}
