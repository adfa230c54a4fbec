/** Own cards: made of runs or of a paper's card, and found again by their address. */
import { canonicalJson } from '#contract/kit/canonical.ts';
import { type JsonObject, objectOf } from '#contract/kit/json.ts';
import { CARD_OUTCOMES, CARD_TAKES, type OwnCard, ownCardSchema } from '#contract/link/card.ts';
import type { JudgedCard } from '#contract/papers/papers.ts';

/** What of a run's config is other than the defaults: how a link holds it. */
export interface SetUp {
  readonly title: string;
  readonly env: { readonly id: string; readonly version?: number | undefined; readonly config?: JsonObject | undefined };
  readonly algo: { readonly id: string; readonly version?: number | undefined; readonly config?: JsonObject | undefined };
  readonly run?: JsonObject | undefined;
}

/** An id of lower-case words from a name, none of `taken`. */
function idFrom(name: string, taken: ReadonlySet<string>): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 32)
    .replace(/-+$/, '');
  const base = plain === '' ? 'arm' : plain;
  for (let n = 1; ; n++) {
    const id = n === 1 ? base : `${base}-${n}`;
    if (!taken.has(id)) return id;
  }
}

/** Settings that all have alike. */
function common(all: readonly JsonObject[]): JsonObject {
  const [first = {}] = all;
  const alike = ([key, value]: readonly [string, unknown]): boolean =>
    all.every((one) => Object.hasOwn(one, key) && canonicalJson(one[key]!) === canonicalJson(value as never));
  return Object.fromEntries(Object.entries(first).filter(alike));
}

/** Seeds and executor are the card's own matter. */
const kept = (run: JsonObject = {}): JsonObject =>
  Object.fromEntries(Object.entries(run).filter(([key]) => !['seeds', 'seedStart', 'executor'].includes(key)));

const without = (all: JsonObject = {}, shared: JsonObject = {}): JsonObject =>
  Object.fromEntries(Object.entries(all).filter(([key]) => !Object.hasOwn(shared, key)));

/** One shared config of several set-ups, and what each differs in. */
export function armsOf(setUps: readonly SetUp[]): Pick<OwnCard, 'config' | 'arms'> {
  const [first] = setUps;
  if (first === undefined) throw new Error('A card needs an arm.');
  const room = (of: 'env' | 'algo') => {
    const alike = setUps.filter((one) => one[of].id === first[of].id);
    const { id, version } = first[of];
    const config = common(alike.map((one) => one[of].config ?? {}));
    return { id, ...(version !== undefined && { version }), ...(Object.keys(config).length > 0 && { config }) };
  };
  const [env, algo, run] = [room('env'), room('algo'), common(setUps.map((one) => kept(one.run)))];
  const differing = (of: 'env' | 'algo', one: SetUp) => {
    const shared = of === 'env' ? env : algo;
    const own = one[of];
    const config = own.id === shared.id ? without(own.config, shared.config) : (own.config ?? {});
    const other = own.id === shared.id ? {} : { id: own.id };
    return Object.keys(config).length + Object.keys(other).length === 0
      ? undefined
      : { ...other, ...(Object.keys(config).length > 0 && { config }) };
  };
  const taken = new Set<string>();
  const arms = setUps.map((one) => {
    const id = idFrom(one.title, taken);
    taken.add(id);
    const more = {
      env: differing('env', one),
      algo: differing('algo', one),
      run: Object.keys(without(kept(one.run), run)).length === 0 ? undefined : without(kept(one.run), run),
    };
    const differs = Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined));
    return { id, title: one.title.slice(0, 80), ...(Object.keys(differs).length > 0 && { differs }) };
  });
  return { config: { env, algo, ...(Object.keys(run).length > 0 && { run }) }, arms } as Pick<OwnCard, 'config' | 'arms'>;
}

/** A paper's card as one to be changed; null where it is compared by what a card of one's own cannot say (explanations, recordings, several worlds at once). */
export function ownOfPaper(card: JudgedCard): OwnCard | null {
  const { quantity } = card;
  const of = 'of' in quantity ? CARD_OUTCOMES.find((one) => one === quantity.of) : undefined;
  const take = 'take' in quantity && !('until' in quantity) ? CARD_TAKES.find((one) => one === quantity.take) : undefined;
  const title = quantity.title.slice(0, 80);
  const plain = card.arms.every((arm) => !arm.quantity && !arm.against && !arm.rival && !arm.explain && !arm.data);
  if (!plain || (of === undefined && take === undefined)) return null;
  const contrasts = card.contrasts.flatMap((contrast) => {
    if (contrast.kind !== 'difference' && contrast.kind !== 'ratio' && contrast.kind !== 'level') return [];
    return [contrast];
  });
  const { env, algo, run } = card.config;
  const made = {
    title: card.title.slice(0, 120),
    question: card.question.slice(0, 400),
    ...(/^P\d{3}$/.test(card.id) && { after: card.id }),
    config: { env: objectOf(env), algo: objectOf(algo), run: kept(objectOf(run)) },
    arms: card.arms.map(({ id, title: name, differs, script }) => ({
      id,
      title: name.slice(0, 80),
      ...(differs && { differs }),
      ...(script !== undefined && { script }),
    })),
    quantity: of !== undefined ? { title, of } : { title, metric: 'metric' in quantity ? quantity.metric : '', take },
    contrasts,
    better: card.scale.better,
    looks: [...card.looks],
    ...(card.exempt.length > 0 && { exempt: card.exempt.map(({ check, arms, why }) => ({ check, arms: [...arms], why })) }),
    firstSeed: card.firstSeed,
    ...(card.tunedOn !== null && { tunedOn: [...card.tunedOn] }),
  };
  const read = ownCardSchema.safeParse(made);
  return read.success ? read.data : null;
}

/** Of the page of a card; what follows `c=` is the card. */
export const cardAddress = (packed: string): string => `#/papers/card?c=${packed}`;
