/**
 * Where a person makes a card: of runs in this profile, of a paper's card, or of another card. What is judged is fixed here, before the first reported
 * seed: arms, contrasts with their sizes, seeds. All of it goes into one link or one file.
 */
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { cardAddress, ownOfPaper, type SetUp } from '#client/compare/own-card.ts';
import { armsIn, ownPaper, paperOf } from '#client/compare/papers.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { type JsonObject, readJson } from '#contract/kit/json.ts';
import {
  CARD_TEXT,
  cardOfJson,
  decodeCard,
  encodeCard,
  LONGEST_CARD,
  MOST_CARD_ARMS,
  MOST_CARD_CONTRASTS,
  type OwnCard,
} from '#contract/link/card.ts';
import { refsOf } from '#contract/link/link.ts';
import { ruleHash } from '#contract/papers/papers.ts';
import { algoCard, catalogStore, envCard } from '#stores/catalog.ts';
import type { Route } from '#stores/route.ts';
import { runsStore } from '#stores/runs.ts';
import type { RunGroup } from '#stores/types.ts';
import sheet from '#ui/frame/Sheet.module.css';
import { Sheet } from '#ui/frame/Sheet.tsx';
import { Button } from '#ui/kit/Button.tsx';
import make from '#ui/kit/Fields.module.css';
import { Choice, Text } from '#ui/kit/Fields.tsx';
import { failureText } from '#ui/kit/format/failure.ts';
import { copy } from '#ui/kit/save.ts';
import { runNames } from '#ui/runs/names.ts';
import {
  baseOfRuns,
  type CardBase,
  type CardForm,
  type ContrastForm,
  cardOf,
  emptyForm,
  formOf,
  freshSeed,
  LOOKS,
  QUANTITIES,
} from './form.ts';
import { useKeptCards } from './kept.ts';
import styles from './MakeCard.module.css';
import { saveCard } from './save-card.ts';

/** Bytes of a card's file at most. */
const LARGEST = 100_000;

/** A card to start from, and what could not be read. */
function startOf({ c, paper }: Route['query']): { readonly own: OwnCard | null; readonly problem: string } {
  try {
    if (c !== undefined) return { own: decodeCard(c), problem: '' };
    const card = paper === undefined ? undefined : paperOf(paper);
    if (card === undefined) return { own: null, problem: '' };
    const own = ownOfPaper(card);
    const problem = own === null ? `The card of ${card.id} is compared by what a card of one’s own cannot say: begin with runs.` : '';
    return { own, problem };
  } catch (error) {
    return { own: null, problem: failureText(toFailure(error)) };
  }
}

export default function MakeCard({ route }: { readonly route: Route }) {
  const keep = useKeptCards((state) => state.keep);
  const [start] = useState(() => startOf(route.query));
  const [own, setOwn] = useState(start.own);
  const [problem, setProblem] = useState(start.problem);
  const groups = useStore(runsStore, (state) => state.groups);
  const catalog = useStore(catalogStore, (state) => state.catalog);
  const usable = useMemo(() => setUpsIn(groups), [groups]);
  const names = useMemo(() => runNames(usable, catalog, 'all'), [usable, catalog]);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(route.query.runs?.split(',') ?? []));
  const picked = useMemo(() => usable.filter(({ id }) => chosen.has(id)).slice(0, MOST_CARD_ARMS), [usable, chosen]);
  const seeds = useMemo(
    () => groups.filter(({ hash }) => picked.some((one) => one.hash === hash)).flatMap((group) => group.seeds.map(({ seed }) => seed)),
    [groups, picked],
  );
  const base = useMemo((): CardBase => {
    if (own !== null) return own;
    return baseOfRuns(
      picked.map((group) => setUpOf(group, names.get(group.id) ?? group.name)),
      seeds,
    );
  }, [own, picked, names, seeds]);
  const [form, setForm] = useState<CardForm>(() => (start.own === null ? emptyForm(base.arms, freshSeed(seeds)) : formOf(start.own)));
  const change = (part: Partial<CardForm>): void => setForm({ ...form, ...part });

  // Arms come and go with the runs that are chosen: a contrast that names one that is gone takes those that are there.
  const ids = base.arms.map(({ id }) => id);
  const named = (id: string, place: number): string => (ids.includes(id) ? id : (ids[place] ?? ids[0] ?? ''));
  const standing: CardForm = {
    ...form,
    contrasts: form.contrasts.map((one) => ({ ...one, arm: named(one.arm, 0), over: named(one.over, 1) })),
  };
  const made = cardOf(standing, base);
  const written = 'card' in made ? JSON.stringify(made.card) : '';
  const judged = useMemo(() => (written === '' ? null : judgedOf(cardOfJson(readJson(written)))), [written]);
  const refused = useArmProblem(judged !== null && 'paper' in judged ? judged.paper : null);
  const packed = 'card' in made && judged !== null && 'paper' in judged && refused === '' ? encodeCard(made.card) : '';
  const missing = 'missing' in made ? made.missing : judged !== null && 'problem' in judged ? judged.problem : refused;

  const choose = (id: string, on: boolean): void => {
    const next = new Set(chosen);
    if (on) next.add(id);
    else next.delete(id);
    setChosen(next);
    const now = usable.filter((group) => next.has(group.id));
    const used = groups.filter(({ hash }) => now.some((one) => one.hash === hash)).flatMap((group) => group.seeds.map(({ seed }) => seed));
    change({ firstSeed: String(freshSeed(used)) });
  };
  const read = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    try {
      if (file.size > LARGEST) throw new Error(`"${file.name}" has ${file.size.toLocaleString('en')} bytes; a card has at most 100,000.`);
      const card = cardOfJson(readJson(await file.text()));
      setOwn(card);
      setForm(formOf(card));
      setProblem('');
    } catch (error) {
      setProblem(error instanceof SyntaxError ? `"${file.name}" is no JSON.` : failureText(toFailure(error)));
    }
  };

  return (
    <Sheet title="Make a card" page="papers" tab="Make a card" narrow>
      <p className={make.quiet}>
        A card asks one question that can come out either way. What decides is fixed here, before its seeds are run: arms, contrasts with
        their sizes, seeds. It is run where its link is opened, and its outcome follows by the rule that papers are judged by.
      </p>
      {problem !== '' && (
        <p className={make.missing} role="alert">
          {problem}
        </p>
      )}
      <section className={sheet.part} aria-labelledby="card-arms">
        <h2 id="card-arms">Arms</h2>
        {own === null ? (
          <Runs usable={usable} names={names} chosen={chosen} onChoose={choose} />
        ) : (
          <>
            <ul className={styles.arms}>
              {own.arms.map(({ id, title }) => (
                <li key={id}>{title}</li>
              ))}
            </ul>
            <span className={make.row}>
              <Button onClick={() => setOwn(null)}>Take runs of this profile in their place</Button>
            </span>
          </>
        )}
        <label className={make.text}>
          <span>Or open a card from a file</span>
          <input type="file" accept=".json,application/json" onChange={(event) => void read(event.target.files?.[0])} />
        </label>
      </section>
      <section className={sheet.part} aria-labelledby="card-words">
        <h2 id="card-words">Question</h2>
        <Text label="Title" value={form.title} most={CARD_TEXT.title} onChange={(title) => change({ title })} />
        <Text
          label="The question that the contrasts answer"
          rows={3}
          value={form.question}
          most={CARD_TEXT.question}
          onChange={(question) => change({ question })}
        />
        <Text label="Your name (may stay empty)" value={form.author} most={CARD_TEXT.arm} onChange={(author) => change({ author })} />
        <Text
          label="What is smaller or otherwise than where the question comes from (may stay empty)"
          rows={2}
          value={form.note}
          most={CARD_TEXT.note}
          onChange={(note) => change({ note })}
        />
      </section>
      <section className={sheet.part} aria-labelledby="card-rule">
        <h2 id="card-rule">What decides</h2>
        <span className={make.row}>
          <Choice
            label="Runs are compared by"
            value={form.of}
            options={[
              ...(base.quantity !== undefined && !('of' in base.quantity) ? ([['', base.quantity.title]] as const) : []),
              ...Object.entries(QUANTITIES),
            ]}
            onChange={(of) => change({ of })}
          />
          <Choice
            label="Better is"
            value={form.better}
            options={[
              ['more', 'more'],
              ['less', 'less'],
            ]}
            onChange={(better) => change({ better: better === 'less' ? 'less' : 'more' })}
          />
        </span>
        {standing.contrasts.map((one, i) => (
          <Contrast
            // biome-ignore lint/suspicious/noArrayIndexKey: a contrast is its place until it is made
            key={i}
            n={i + 1}
            form={one}
            arms={base.arms}
            onChange={(part) => change({ contrasts: standing.contrasts.map((other, k) => (k === i ? { ...other, ...part } : other)) })}
            onRemove={standing.contrasts.length === 1 ? null : () => change({ contrasts: standing.contrasts.filter((_, k) => k !== i) })}
          />
        ))}
        <span className={make.row}>
          <Button
            icon="plus"
            disabled={standing.contrasts.length >= MOST_CARD_CONTRASTS}
            onClick={() => change({ contrasts: [...standing.contrasts, ...emptyForm(base.arms, 0).contrasts] })}
          >
            Add a contrast
          </Button>
        </span>
        <span className={make.row}>
          <Choice
            label="Seeds an arm"
            value={form.looks}
            options={[
              ...(form.looks in LOOKS ? [] : ([[form.looks, `${form.looks.replaceAll(',', ', then ')} seeds`]] as const)),
              ...Object.entries(LOOKS),
            ]}
            onChange={(looks) => change({ looks })}
          />
          <Text label="First seed" value={form.firstSeed} most={10} onChange={(firstSeed) => change({ firstSeed })} />
        </span>
        <Text
          label="Why networks of different sizes are fair here (empty: sizes more than 10 % apart void the outcome)"
          value={form.parameters}
          most={CARD_TEXT.note}
          onChange={(parameters) => change({ parameters })}
        />
        <Text
          label="Why different numbers of steps are fair here (empty: checked alike)"
          value={form.steps}
          most={CARD_TEXT.note}
          onChange={(steps) => change({ steps })}
        />
        <p className={make.quiet}>
          {base.tunedOn === undefined
            ? 'Reported seeds begin at 1,001; seeds that you have looked at already are no evidence.'
            : `Settings were looked at on seeds ${base.tunedOn[0]} to ${base.tunedOn[1]}, which are not reported.`}
        </p>
      </section>
      <section className={sheet.part} aria-labelledby="card-link">
        <h2 id="card-link">The card</h2>
        {packed === '' ? (
          <p className={make.missing} role="status">
            {missing === '' ? 'One moment' : missing}
          </p>
        ) : (
          <>
            <p className={make.quiet} role="status">
              Rule {judged !== null && 'paper' in judged ? ruleHash(judged.paper) : ''}.{' '}
              {packed.length > LONGEST_CARD
                ? `It has ${packed.length} characters; a link holds ${LONGEST_CARD}. Pass it on as a file.`
                : `Its link holds ${packed.length} of at most ${LONGEST_CARD} characters.`}
            </p>
            <span className={make.row}>
              {packed.length <= LONGEST_CARD && (
                <>
                  <a className={styles.open} href={cardAddress(packed)} onClick={() => keep(packed)}>
                    Open the card
                  </a>
                  <Button
                    icon="share"
                    onClick={() => {
                      keep(packed);
                      void copy(`${location.href.replace(/#.*$/, '')}${cardAddress(packed)}`, 'Link');
                    }}
                  >
                    Copy link
                  </Button>
                </>
              )}
              {'card' in made && (
                <Button
                  icon="download"
                  onClick={() => {
                    keep(packed);
                    saveCard(made.card);
                  }}
                >
                  Card as a file
                </Button>
              )}
            </span>
          </>
        )}
      </section>
    </Sheet>
  );
}

/** Runs of this profile that an arm can be made of, each set-up once. */
const setUpsIn = (groups: readonly RunGroup[]): readonly RunGroup[] =>
  groups.filter(
    ({ parent, imported, hash, edits }, i) =>
      parent === null && imported === undefined && edits === undefined && groups.findIndex((other) => other.hash === hash) === i,
  );

function setUpOf({ config }: RunGroup, title: string): SetUp {
  const refs = refsOf(config, { env: envCard(config.env.id)?.defaults ?? {}, algo: algoCard(config.algo.id)?.defaults ?? {} });
  return { title, ...(refs as unknown as { env: SetUp['env']; algo: SetUp['algo']; run?: JsonObject }) };
}

function judgedOf(card: OwnCard) {
  try {
    return { paper: ownPaper(card) };
  } catch (error) {
    return { problem: failureText(toFailure(error)) };
  }
}

/** ms: not at every letter. */
const PAUSE = 300;

/** Whether every arm could be run: a setting may have a value that its world or method refuses. '': none, or not looked at yet. */
function useArmProblem(paper: ReturnType<typeof ownPaper> | null): string {
  const [problem, setProblem] = useState('');
  useEffect(() => {
    let live = true;
    const look = async (): Promise<string> => {
      try {
        if (paper !== null) await armsIn(paper, 'full');
        return '';
      } catch (error) {
        return failureText(toFailure(error));
      }
    };
    const timer = setTimeout(() => void look().then((found) => live && setProblem(found)), PAUSE);
    return () => {
      live = false;
      clearTimeout(timer);
    };
  }, [paper]);
  return problem;
}

interface RunsProps {
  readonly usable: readonly RunGroup[];
  readonly names: ReadonlyMap<string, string>;
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (id: string, on: boolean) => void;
}

function Runs({ usable, names, chosen, onChoose }: RunsProps) {
  if (usable.length === 0)
    return <p className={make.quiet}>There are no runs in this profile yet. Train two set-ups in the laboratory; each becomes an arm.</p>;
  return (
    <fieldset className={styles.runs}>
      <legend className="visually-hidden">Runs that become arms</legend>
      {usable.map((group) => (
        <label key={group.id} className={make.check}>
          <input
            type="checkbox"
            checked={chosen.has(group.id)}
            disabled={!chosen.has(group.id) && chosen.size >= MOST_CARD_ARMS}
            onChange={(event) => onChoose(group.id, event.target.checked)}
          />
          {names.get(group.id) ?? group.name}
        </label>
      ))}
    </fieldset>
  );
}

interface ContrastProps {
  readonly n: number;
  readonly form: ContrastForm;
  readonly arms: CardBase['arms'];
  readonly onChange: (part: Partial<ContrastForm>) => void;
  readonly onRemove: (() => void) | null;
}

function Contrast({ n, form, arms, onChange, onRemove }: ContrastProps) {
  const options = arms.map(({ id, title }) => [id, title] as const);
  const kinds: readonly (readonly [string, string])[] = [
    ...(arms.length > 1
      ? ([
          ['difference', 'than another arm, by'],
          ['ratio', 'than another arm, as a ratio of'],
        ] as const)
      : []),
    ['level', 'than a level of'],
  ];
  return (
    <fieldset className={make.step}>
      <legend>
        Contrast {n}
        {n === 1 ? ', the main one' : ''}
      </legend>
      <span className={make.row}>
        <Choice label="Arm" value={form.arm} options={options} onChange={(arm) => onChange({ arm })} />
        <Choice
          label="gets"
          value={form.claim}
          options={[
            ['above', 'more'],
            ['below', 'less'],
          ]}
          onChange={(claim) => onChange({ claim: claim === 'below' ? 'below' : 'above' })}
        />
        <Choice label="against" value={form.kind} options={kinds} onChange={(kind) => onChange({ kind: kind as ContrastForm['kind'] })} />
        {form.kind !== 'level' && <Choice label="other arm" value={form.over} options={options} onChange={(over) => onChange({ over })} />}
        <Text
          label={form.kind === 'level' ? 'level' : form.kind === 'ratio' ? 'ratio' : 'size'}
          value={form.number}
          most={16}
          onChange={(number) => onChange({ number })}
        />
      </span>
      {onRemove !== null && (
        <Button icon="trash" onClick={onRemove}>
          Leave out
        </Button>
      )}
    </fieldset>
  );
}
