/** P036: what each unit of the shared trunk does in each world, and the trunk carried into a world of the visitor's choice, trained here. */
import { useEffect, useId, useMemo, useState } from 'react';
import { quickPolicy } from '#client/compare/papers.ts';
import { decodePolicyFile } from '#contract/files/files.ts';
import { type JsonObject, objectOf } from '#contract/kit/json.ts';
import type { JudgedCard } from '#contract/papers/papers.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { runsStore } from '#stores/runs.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { measure, percent } from '#ui/kit/format/numbers.ts';
import { Segmented } from '#ui/kit/Segmented.tsx';
import { CurveFigure } from '../CurveFigure.tsx';
import { policyOf } from '../policies.ts';
import { usePaperRuns } from '../usePaperRuns.ts';
import group from './Group.module.css';
import { correlation, type LitWorld, litIn, ordered } from './lit.ts';
import styles from './SharedTrunk.module.css';

const KEPT = 'trunk';
/** Arms that are trained anew in the chosen world. */
const GRAFTED: readonly string[] = [KEPT, 'nothing'];

interface Graft {
  readonly id: string;
  readonly env: string;
  readonly config: JsonObject;
}
const GRAFTS: readonly Graft[] = [
  { id: 'hunt', env: 'mpe-simple-tag', config: { seats: { agent_0: 'scripted' } } },
  { id: 'spread', env: 'mpe-simple-spread', config: { agents: 4 } },
  { id: 'line', env: 'mpe-simple-line', config: {} },
  { id: 'grid', env: 'predator-prey', config: {} },
];
const GRAFT_TITLES = (): { readonly [id: string]: string } => ({
  hunt: t('Hunters, one prey'),
  spread: t('Four spread out'),
  line: t('Stand in a line'),
  grid: t('Hunters on a grid'),
});

/** The setup with a field of foragers whose map is one's own, and this card's method on it. */
const drawHref = (card: JudgedCard): string => {
  const { worlds } = objectOf(objectOf(card.config.algo).config);
  // foraging is the new world here, so it is none of the old ones
  const others = Array.isArray(worlds) ? worlds.filter((world) => objectOf(world).env !== 'level-based-foraging') : [];
  const algo = `algo=shared-trunk&algo.carry=trunk&algo.valueNorm=true&algo.hidden=[64,64,64]&algo.gamma=0.95&algo.lr=0.001`;
  const map = encodeURIComponent(JSON.stringify(['P....1', '......', '...2..', '1....P']));
  return `#env=level-based-foraging&env.map=${map}&${algo}&algo.worlds=${encodeURIComponent(JSON.stringify(others))}&steps=400000`;
};

export default function SharedTrunk({ card }: { readonly card: JudgedCard }) {
  const [chosen, setChosen] = useState('hunt');
  const [published, setPublished] = useState<PolicySnapshot | null>(null);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    let live = true;
    policyOf(card.id, KEPT)
      .then(async (file) => decodePolicyFile(await file.text()))
      .then(
        (snapshot) => live && setPublished(snapshot),
        (error: unknown) => live && setProblem(error instanceof Error ? error.message : String(error)),
      );
    return () => {
      live = false;
    };
  }, [card.id]);
  const graft = GRAFTS.find(({ id }) => id === chosen);
  const there = useMemo(() => (graft === undefined ? card : elsewhere(card, graft)), [card, graft]);
  const { now, problem: failed, start, resume } = usePaperRuns(there, true);
  const done = now?.done ?? false;
  const [grafted, setGrafted] = useState<PolicySnapshot | null>(null);
  useEffect(() => {
    let live = true;
    setGrafted(null);
    if (done)
      quickPolicy(there, KEPT, runsStore.getState().groups).then(
        (found) => live && setGrafted(found),
        () => live && setGrafted(null), // the published one stands in its place
      );
    return () => {
      live = false;
    };
  }, [done, there]);
  const titles = GRAFT_TITLES();
  const shown = grafted ?? published;
  const names = [t('Spread'), t('Circle'), t('Foraging')];
  return (
    <div className={group.group}>
      <h2>{t('What lights up in which world')}</h2>
      {shown === null ? (
        <p role={problem === '' ? 'status' : 'alert'}>{problem === '' ? t('One moment') : problem}</p>
      ) : (
        <Units worlds={litIn(shown, names, grafted === null ? t('Tag') : (titles[chosen] ?? ''))} layers={2} />
      )}
      <h2>{t('Carry the trunk elsewhere')}</h2>
      <p className={group.quiet}>
        {t('The three worlds are learned first, then the chosen one, with their trunk and with all layers new: some tens of seconds here.')}
      </p>
      <Segmented
        label={t('New world')}
        value={chosen}
        options={GRAFTS.map(({ id }) => ({ value: id, label: titles[id] ?? id }))}
        onChange={setChosen}
      />
      <div className={group.dials}>
        <Button icon="play" kind="solid" disabled={now === null || (now.started && !done && resume === null)} onClick={resume ?? start}>
          {t('Carry it there')}
        </Button>
        <a href={drawHref(card)}>{t('Draw a field of your own and carry it there')}</a>
      </div>
      {[failed, ...(now?.failures ?? [])].map((text) => text !== '' && <p key={text}>{text}</p>)}
      {now?.started && !done && <p role="status">{t('Training: {share}.', { share: percent(Math.floor(100 * now.share)) })}</p>}
      {now?.started && <CurveFigure arms={now.arms} title={t('Return in the new world, from half of the steps on')} />}
    </div>
  );
}

/** The card's two arms in another world; nothing is judged there. */
function elsewhere(card: JudgedCard, { env, config }: Graft): JudgedCard {
  return {
    ...card,
    config: { ...card.config, env: { id: env, config } },
    arms: card.arms.filter(({ id }) => GRAFTED.includes(id)),
    contrasts: [{ id: 'end', kind: 'difference', arm: KEPT, over: 'nothing', claim: 'above' }],
  };
}

/** One row of squares for each world and layer, a square for each unit. */
function Units({ worlds, layers }: { readonly worlds: readonly LitWorld[]; readonly layers: number }) {
  const [by, setBy] = useState('0');
  const first = worlds[Number(by)] ?? worlds[0];
  const head = useId();
  if (first === undefined) return null;
  return (
    <>
      <p className={group.quiet}>
        {t(
          'Each square is a unit of the trunk: the fuller, the larger its mean absolute output there, from 0 to 1. Put in order by one world, other worlds show what they share with it.',
        )}
      </p>
      <Segmented
        label={t('Put in order by')}
        value={by}
        options={worlds.map(({ title }, w) => ({ value: `${w}`, label: title }))}
        onChange={setBy}
      />
      {Array.from({ length: layers }, (_, layer) => {
        const order = ordered(first, layer, layers);
        return (
          <section key={order.join()} className={styles.layer} aria-labelledby={`${head}${layer}`}>
            <h3 id={`${head}${layer}`}>{t('Trunk, layer {n}', { n: layer + 1 })}</h3>
            {worlds.map((world) => {
              const units = world.units(layer, layers);
              const mean = units.reduce((sum, value) => sum + value, 0) / Math.max(1, units.length);
              const alike = correlation(first.units(layer, layers), units);
              return (
                <div key={world.title} className={styles.row}>
                  <span>{world.title}</span>
                  <svg
                    viewBox={`0 0 ${units.length} 3`}
                    preserveAspectRatio="none"
                    role="img"
                    aria-label={t('{world}: mean {mean}, like {first} by {alike}', {
                      world: world.title,
                      mean: measure(mean, 2),
                      first: first.title,
                      alike: measure(alike, 2),
                    })}
                  >
                    {order.map((unit, at) => (
                      <rect key={unit} x={at} width={0.88} height={3} fillOpacity={Math.min(1, 0.06 + 0.94 * (units[unit] ?? 0))} />
                    ))}
                  </svg>
                  <b>{measure(alike, 2)}</b>
                </div>
              );
            })}
          </section>
        );
      })}
      <p className={group.quiet}>
        {t(
          'The number is the correlation with the world that they are put in order by: 1 is the same units. The first three worlds were measured when the trunk was carried over, the last one at its end.',
        )}
      </p>
    </>
  );
}
