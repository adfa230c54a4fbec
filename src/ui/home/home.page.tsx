/** Home: what this is in a sentence, a wall of worlds by family with a policy that plays in each, each one press from learning, the lessons, the map of papers. */
import facts from 'virtual:front-facts';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { laboratory } from '#client/address/laboratory.ts';
import { runs } from '#client/runs/service.ts';
import { clips } from '#client/stage/clip-service.ts';
import type { Clip } from '#client/stage/clips.ts';
import { firstPicture, frontPageMoves, nothingMoves } from '#client/stage/first-picture.ts';
import { workers } from '#client/workers/service.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { type Tile, tilesOf } from '#contract/catalog/families.ts';
import { decodePolicyFile } from '#contract/files/files.ts';
import type { Lesson } from '#lessons/define.ts';
import { catalogStore, whenListed } from '#stores/catalog.ts';
import { draftStore } from '#stores/draft.ts';
import { layoutStore } from '#stores/layout.ts';
import { hashOf, routeStore } from '#stores/route.ts';
import { t } from '#text/text.ts';
import { policyOf } from '#ui/claims/policies.ts';
import { learnsIn, policyTitle } from '#ui/form/env-words.ts';
import { PageFrame } from '#ui/frame/PageFrame.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { handle } from '#ui/kit/late.tsx';
import { Picture } from '#ui/kit/picture/Picture.tsx';
import { keptUrl, policyAt } from '#ui/kit/policy-file.ts';
import { still, useReducedMotion } from '#ui/stage/motion.ts';
import { openShow } from '#ui/stage/show/host.ts';
import { Live } from '#ui/stage/show/Live.tsx';
import { Reel } from '#ui/stage/show/reel.ts';
import { filmOf } from './front-films.ts';
import styles from './Home.module.css';

const PapersOfField = lazy(() => import('./PapersOfField.tsx'));

export default function HomePage() {
  // What stands below the wall is loaded after its first moving picture, and at once where none will move.
  const reduced = useReducedMotion();
  const [shown, setShown] = useState(false);
  useEffect(() => void firstPicture().then(() => setShown(true)), []);
  const below = shown || reduced;
  return (
    <PageFrame title={t('Train agents, watch them learn, ask them why, here in this tab.')} page="home">
      <Wall />
      <section aria-labelledby="home-lessons">
        <h2 id="home-lessons" className={styles.heading}>
          {t('Lessons')}
        </h2>
        {below && <Lessons />}
      </section>
      <section aria-labelledby="home-papers">
        <h2 id="home-papers" className={styles.heading}>
          {t('Papers')}
        </h2>
        <Suspense fallback={<div className={styles.mapWait} />}>{below ? <PapersOfField /> : <div className={styles.mapWait} />}</Suspense>
      </section>
    </PageFrame>
  );
}

/** One world of each family, the one that its family's sign shows. */
function Wall() {
  const envs = useStore(catalogStore, (state) => state.catalog?.envs);
  // The catalogue may know more worlds than the build: those of this visit.
  const tiles = useMemo(() => (envs === undefined ? facts.tiles : tilesOf(envs)), [envs]);
  const reduced = useReducedMotion();
  const [pressed, setPressed] = useState<boolean | null>(null);
  const playing = pressed ?? !reduced;
  /** A world was pressed: from then on the laboratory has the processor, and the scenes stand. */
  const [leaving, setLeaving] = useState(false);
  const press = async (tile: Tile): Promise<void> => {
    setLeaving(true);
    await (tile.learnable ? runs.learnIn(tile.id) : openWorld(tile.id)).finally(() => setLeaving(false));
  };
  useEffect(() => (playing ? undefined : nothingMoves()), [playing]);
  return (
    <section aria-labelledby="home-worlds">
      <div className={styles.headRow}>
        <h2 id="home-worlds" className={styles.lead}>
          {t('Press a world and its agent begins to learn.')}
        </h2>
        <span className={styles.ways}>
          <Button icon="gallery" onClick={() => layoutStore.getState().set('dialog', 'environments')}>
            {envs === undefined ? t('All worlds') : t('All {n} worlds', { n: envs.length })}
          </Button>
          <Button icon={playing ? 'pause' : 'play'} onClick={() => setPressed(!playing)}>
            {playing ? t('Pause the scenes') : t('Play the scenes')}
          </Button>
        </span>
      </div>
      {tiles.length === 0 && <p className={styles.lead}>{t('Loading the worlds.')}</p>}
      <ul className={styles.wall}>
        {tiles.map((tile) => (
          <li key={tile.family}>
            <World
              tile={tile}
              env={envs?.find(({ id }) => id === tile.id)}
              playing={playing}
              leaving={leaving}
              onPress={() => void press(tile)}
            />
          </li>
        ))}
        {tiles.length > 0 && (
          <li>
            <OwnWorld />
          </li>
        )}
      </ul>
      <p className={styles.more}>
        <a href={hashOf({ page: 'swarm', id: null, query: {} })}>{t('A swarm of 100,000 on the graphics card')}</a>
        {' · '}
        <a href={hashOf({ page: 'model', id: null, query: {} })}>{t('A model of your own')}</a>
      </p>
    </section>
  );
}

/** Lines of code beside the small grid that they make. */
const LINES = [
  [14, 40],
  [22, 58],
  [22, 34],
  [30, 46],
  [30, 28],
  [22, 50],
  [14, 22],
] as const;

/** The last tile: the editor, where a world of one's own is written. */
function OwnWorld() {
  return (
    <a className={styles.world} href={hashOf({ page: 'write', id: null, query: {} })}>
      <svg className={styles.code} viewBox="0 0 160 100" aria-hidden="true">
        {LINES.map(([x, width], line) => (
          <rect key={`${x} ${width}`} x={x} y={16 + 10 * line} width={width} height="4" rx="2" />
        ))}
        {[0, 1, 2].flatMap((row) =>
          [0, 1, 2].map((column) => (
            <rect key={`${row}${column}`} data-cell="" x={94 + 17 * column} y={24 + 17 * row} width="15" height="15" rx="2" />
          )),
        )}
        <circle data-goal="" cx="135.5" cy="31.5" r="5" />
        <circle data-agent="" cx="101.5" cy="65.5" r="5.5" />
      </svg>
      <span className={styles.family}>{t('Write your own')}</span>
      <span className={styles.quiet}>{t('A world, a reward or a player in forty lines of JavaScript')}</span>
      <span className={styles.press}>{t('Open the editor')}</span>
    </a>
  );
}

/** Who plays in a world, and how that is said: what an arm of a paper learned there, else the first script; null: there is neither. */
interface Played {
  readonly words: string;
  readonly load: (wanted: () => boolean, rest?: () => Promise<void>) => Promise<Clip>;
}

function playedIn({ id, script, decides }: Tile): Played | null {
  if (KEPT_POLICIES.includes(id)) return { words: t('A trained agent plays'), load: policyClip(`kept ${id}`, () => policyAt(keptUrl(id))) };
  const learned = facts.worlds[id]?.played ?? null;
  if (learned !== null) {
    const { paper, arm } = learned;
    const words = t('A trained agent plays (paper {paper})', { paper });
    return { words, load: policyClip(`${paper} ${arm}`, () => policyOf(paper, arm)) };
  }
  if (script === null) return null;
  const clip = `world ${id}`;
  const load: Played['load'] = (wanted, rest) =>
    clips.clip(
      clip,
      () => filmOf(clip),
      (film) => (film === null ? { kind: 'script', env: { id, config: script.config }, script: script.name } : { kind: 'film', film }),
      wanted,
      rest,
    );
  return { words: scriptInWords(decides, script.name), load };
}

/** The clip of this name: as it was played when the page was built, else as this kept policy plays it here. */
const policyClip =
  (clip: string, policy: () => Promise<Blob>): Played['load'] =>
  (wanted, rest) =>
    clips.clip(
      clip,
      async () => (await filmOf(clip)) ?? policy(),
      async (got) => (got instanceof Blob ? { kind: 'policy', snapshot: decodePolicyFile(await got.text()) } : { kind: 'film', film: got }),
      wanted,
      rest,
    );

/** Names of scripts are ids; most are experts. */
function scriptInWords(decides: boolean, script: string): string {
  if (!decides) return t('A built-in rule moves them');
  return script === 'expert' ? t('A scripted expert plays') : t('A script plays: {script}', { script: policyTitle(script) });
}

/** Who plays in the first scene, its episode and what draws it are on their way before the page is drawn; the other scenes' episodes wait until it moves. */
function beginFirst(): void {
  const played = facts.tiles[0] && playedIn(facts.tiles[0]);
  if (!played || still()) return;
  openShow().catch(() => {}); // the scene says what is wrong
  played.load(() => routeStore.getState().route?.page === 'home', frontPageMoves).catch(handle);
}
beginFirst();

interface WorldProps {
  readonly tile: Tile;
  /** Undefined until the catalogue is here. */
  readonly env: EnvCard | undefined;
  readonly playing: boolean;
  readonly leaving: boolean;
  readonly onPress: () => void;
}

function World({ tile, env, playing, leaving, onPress }: WorldProps) {
  const { id, family, count, title, learnable } = tile;
  const moving = playing && !leaving;
  const reel = useRef<Reel>(null);
  reel.current ??= new Reel();
  reel.current.playing = moving;
  const played = useMemo(() => playedIn(tile), [tile]);
  const learns = learnsIn(facts.worlds[id]?.learned, workers.parallel());
  const poster = <Picture id={id} env={env} preset={tile.preset} config={env?.defaults ?? {}} />;
  return (
    <button type="button" className={styles.world} onClick={onPress}>
      {played === null ? poster : <Live reel={reel.current} playing={moving} name={id} load={played.load} poster={poster} label="" />}
      <span className={styles.family}>{t(family)}</span>
      <span className={styles.quiet}>{count > 1 ? t('{world} and {n} more', { world: t(title), n: count - 1 }) : t(title)}</span>
      {played !== null && playing && <span className={styles.quiet}>{played.words}</span>}
      <span className={styles.press}>{!learnable ? t('Play') : learns === '' ? t('Train') : t('Train: {how}', { how: learns })}</span>
    </button>
  );
}

/** The laboratory with this world, nothing training. */
async function openWorld(id: string): Promise<void> {
  await whenListed();
  draftStore.getState().setEnv(id);
  laboratory.show();
}

function Lessons() {
  const [lessons, setLessons] = useState<readonly Lesson[]>([]);
  useEffect(() => {
    void import('#lessons/index.ts').then((module) => setLessons(module.lessons));
  }, []);
  return (
    <ul className={styles.lessons}>
      {lessons.map(({ id, title, goal, minutes }) => (
        <li key={id}>
          <a href={hashOf({ page: 'lessons', id, query: {} })}>
            <strong>{t(title)}</strong>
            <span>{t(goal)}</span>
            <span className={styles.quiet}>{t('{from} to {to} minutes', { from: minutes[0], to: minutes[1] })}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
