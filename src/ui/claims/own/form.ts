/** What is typed into the form of a card, and the card that it makes. */
import { armsOf, type SetUp } from '#client/compare/own-card.ts';
import { CARD_OUTCOMES, type OwnCard, ownCardSchema } from '#contract/link/card.ts';

export const QUANTITIES: { readonly [of in (typeof CARD_OUTCOMES)[number]]: string } = {
  finalReturn: 'return of the last 100 training episodes',
  evalReturn: 'return of greedy evaluation',
  bestReturn: 'best mean of 100 training episodes',
  sampledReturn: 'return of evaluation with drawn actions',
};

/** Seeds of the looks, as they are chosen. */
export const LOOKS: { readonly [looks: string]: string } = {
  '5,10': '5 seeds; 10 where these leave it open',
  '10': '10 seeds',
  '10,20': '10 seeds; 20 where these leave it open',
  '10,20,40': '10 seeds; 20, then 40 where these leave it open',
};

export interface ContrastForm {
  readonly kind: 'difference' | 'ratio' | 'level';
  readonly arm: string;
  readonly over: string;
  readonly claim: 'above' | 'below';
  /** Typed: by how much, or the level. */
  readonly number: string;
  /** Of the card that it is made from: what the form does not ask, kept while the kind stays. */
  readonly kept?: Partial<OwnCard['contrasts'][number]>;
}

export interface CardForm {
  readonly title: string;
  readonly question: string;
  readonly author: string;
  readonly note: string;
  readonly of: string;
  readonly better: 'more' | 'less';
  readonly contrasts: readonly ContrastForm[];
  readonly looks: string;
  readonly firstSeed: string;
  /** Why arms of other sizes, or of other budgets, are compared fairly; '': they are checked. */
  readonly parameters: string;
  readonly steps: string;
}

/** Of arms by their ids. */
export const emptyForm = (arms: readonly { readonly id: string }[], firstSeed: number): CardForm => ({
  title: '',
  question: '',
  author: '',
  note: '',
  of: 'finalReturn',
  better: 'more',
  contrasts: [
    { kind: arms.length > 1 ? 'difference' : 'level', arm: arms[0]?.id ?? '', over: arms[1]?.id ?? '', claim: 'above', number: '' },
  ],
  looks: '5,10',
  firstSeed: String(firstSeed),
  parameters: '',
  steps: '',
});

const reason = ({ exempt = [] }: Pick<OwnCard, 'exempt'>, check: string): string => exempt.find((one) => one.check === check)?.why ?? '';

export function formOf(card: OwnCard): CardForm {
  const { quantity } = card;
  return {
    title: card.title,
    question: card.question,
    author: card.author ?? '',
    note: card.note ?? '',
    of: 'of' in quantity ? quantity.of : '',
    better: card.better,
    contrasts: card.contrasts.map((contrast) => ({
      kind: contrast.kind,
      arm: contrast.arm,
      over: 'over' in contrast ? contrast.over : '',
      claim: contrast.claim,
      number: String(contrast.kind === 'level' ? contrast.none : (contrast.size ?? '')),
      kept: contrast,
    })),
    looks: card.looks.join(),
    firstSeed: String(card.firstSeed),
    parameters: reason(card, 'parameters'),
    steps: reason(card, 'steps'),
  };
}

/** What the card keeps of the one that it is made from, whatever the form says. */
export type CardBase = Pick<OwnCard, 'config' | 'arms'> & Partial<Pick<OwnCard, 'after' | 'tunedOn' | 'quantity' | 'exempt'>>;

const idOf = ({ kind, arm, over, claim }: ContrastForm): string =>
  kind === 'level' ? `${arm} ${claim} a level` : `${arm} ${claim} ${over}`;

/** The card, or what is missing, in words. */
export function cardOf(form: CardForm, base: CardBase): { readonly card: OwnCard } | { readonly missing: string } {
  const text = { title: form.title.trim(), question: form.question.trim() };
  if (base.arms.length === 0) return { missing: 'Choose runs: each set-up is an arm.' };
  if (text.title === '') return { missing: 'Give it a title.' };
  if (text.question === '') return { missing: 'Ask the question that the contrasts answer.' };
  const contrasts: unknown[] = [];
  for (const [i, one] of form.contrasts.entries()) {
    const where = `Contrast ${i + 1}`;
    const number = Number(one.number.replace(',', '.'));
    const { id = idOf(one), size: _, arm: _arm, claim: _claim, kind, ...kept } = one.kept ?? {};
    // a margin ("no worse than"), a control or a premise of a paper's card may have no size
    const sizeless = kind === one.kind && one.number.trim() === '' && ('none' in kept || kept.control === true || kept.premise === true);
    if (!sizeless && (one.number.trim() === '' || !Number.isFinite(number)))
      return { missing: `${where}: ${one.kind === 'level' ? 'which level?' : 'by how much? Without a size nothing can be refuted.'}` };
    if (one.kind !== 'level' && one.arm === one.over) return { missing: `${where} compares an arm with itself.` };
    const more = kind === one.kind ? { ...kept, id } : { id: idOf(one) };
    const said = { ...more, kind: one.kind, arm: one.arm, claim: one.claim };
    if (one.kind === 'level') contrasts.push({ ...said, none: number });
    else contrasts.push({ ...said, over: one.over, ...(sizeless ? {} : { size: number }) });
  }
  const firstSeed = Number(form.firstSeed);
  if (!Number.isInteger(firstSeed) || firstSeed < 1001) return { missing: 'The first seed is a whole number of at least 1,001.' };
  const of = CARD_OUTCOMES.find((one) => one === form.of);
  const quantity = of === undefined ? base.quantity : { title: QUANTITIES[of], of };
  if (quantity === undefined) return { missing: 'Choose what runs are compared by.' };
  const all = base.arms.map(({ id }) => id);
  const exempt = [
    ...(base.exempt ?? []).filter(({ check }) => check !== 'parameters' && check !== 'steps'),
    ...(['parameters', 'steps'] as const).flatMap((check) => {
      const why = form[check].trim();
      const before = base.exempt?.find((one) => one.check === check);
      return why === '' ? [] : [{ check, arms: before?.why === why ? before.arms : all, why }];
    }),
  ];
  const read = ownCardSchema.safeParse({
    ...text,
    ...(form.author.trim() !== '' && { author: form.author.trim() }),
    ...(form.note.trim() !== '' && { note: form.note.trim() }),
    ...(base.after !== undefined && { after: base.after }),
    config: base.config,
    arms: base.arms,
    quantity,
    contrasts,
    better: form.better,
    looks: form.looks.split(',').map(Number),
    firstSeed,
    ...(exempt.length > 0 && { exempt }),
    ...(base.tunedOn !== undefined && { tunedOn: base.tunedOn }),
  });
  if (read.success) return { card: read.data };
  const { path = [], message = '' } = read.error.issues[0] ?? {};
  return { missing: `${path.join('.')}: ${message}` };
}

/** A base of runs; seeds that they were looked at on are named as those that settings were chosen on, where none of them would be reported. */
export function baseOfRuns(setUps: readonly SetUp[], seeds: readonly number[]): CardBase {
  if (setUps.length === 0) return { config: { env: { id: '-' }, algo: { id: '-' } }, arms: [] };
  const below = seeds.filter((seed) => seed < 1001);
  return { ...armsOf(setUps), ...(below.length > 0 && { tunedOn: [Math.min(...below), Math.max(...below)] }) };
}

/** The first seed that none of these runs had: what was looked at is no evidence of a question asked afterwards. */
export const freshSeed = (seeds: readonly number[]): number => Math.max(1001, ...seeds.map((seed) => seed + 1));
