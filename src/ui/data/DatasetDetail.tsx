/** One dataset: what it is, what it holds, its episodes one by one in the scene, and what can be done with it. */
import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { data } from '#client/files/data.ts';
import { clips } from '#client/stage/clip-service.ts';
import type { DatasetCard } from '#contract/files/dataset.ts';
import { toFailure } from '#contract/kit/errors.ts';
import type { DatasetView } from '#contract/session/data-api.ts';
import { catalogStore } from '#stores/catalog.ts';
import { datasetsStore } from '#stores/datasets.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { compact, measure, percent } from '#ui/kit/format/numbers.ts';
import { Still } from '#ui/kit/picture/Still.tsx';
import { copy, fileName, save } from '#ui/kit/save.ts';
import { toast } from '#ui/kit/toasts.ts';
import { useReducedMotion } from '#ui/stage/motion.ts';
import { openShow } from '#ui/stage/show/host.ts';
import { Live } from '#ui/stage/show/Live.tsx';
import { Reel } from '#ui/stage/show/reel.ts';
import { Compare } from './Compare.tsx';
import styles from './Data.module.css';
import { CoverageMap, Returns } from './Figures.tsx';
import { learnersOf, PREFER_STEPS, sizeWords, whoWords } from './words.ts';

/** Updates that a dataset is learned with from here: under a minute on any machine. */
const LEARN_STEPS = 5000;
/** Episodes that the list shows; the others are reached by their number. */
const LISTED = 200;

interface Props {
  readonly card: DatasetCard;
  readonly onKept: (hash: string) => void;
}

export function DatasetDetail({ card, onKept }: Props) {
  const { hash, header } = card;
  const [view, setView] = useState<DatasetView | null>(null);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    let here = true;
    data
      .datasets()
      .then((data) => data.view(hash))
      .then((found) => {
        if (here) setView(found);
      })
      .catch((error: unknown) => {
        if (here) setProblem(toFailure(error).message);
      });
    return () => {
      here = false;
    };
  }, [hash]);
  return (
    <section className={styles.detail} aria-labelledby="dataset-title">
      <h2 id="dataset-title">{header.title}</h2>
      <p className={styles.facts}>
        {t('Played by {who} ({player}), grade {grade}. {steps} steps in {episodes} episodes.', {
          who: whoWords(header),
          player: header.player,
          grade: header.grade,
          steps: compact(header.steps),
          episodes: compact(header.episodes),
        })}{' '}
        {header.agents > 1 && `${t('{n} agents.', { n: header.agents })} `}
        {t('Numbers seen per step: {n}.', { n: header.obsSize })}{' '}
        {header.actionCount > 0 ? t('Actions: {n}.', { n: header.actionCount }) : t('Numbers per action: {n}.', { n: header.actionSize })}{' '}
        {t('Licence: {licence}.', { licence: header.licence })} {sizeWords(card.bytes)}.
        {card.answers > 0 && ` ${t('{n} answers: of each pair of episodes, which was preferred.', { n: card.answers })}`}
      </p>
      <p className={styles.hash}>
        <code>{hash.slice(0, 16)}…</code>
        <Button kind="bare" icon="copy" label={t('Copy its hash, by which runs name it')} onClick={() => void copy(hash, 'Hash')} />
      </p>
      <Learn card={card} />
      {problem !== '' && <p role="alert">{problem}</p>}
      {view !== null && (
        <>
          <div className={styles.figures}>
            <Returns returns={view.returns} />
            <CoverageMap coverage={view.coverage} />
          </div>
          <Episodes card={card} view={view} />
          {card.answers === 0 && <Filter card={card} onKept={onKept} />}
          {card.answers === 0 && card.playable && <Compare card={card} onKept={onKept} />}
        </>
      )}
      <Files card={card} />
    </section>
  );
}

function Learn({ card }: Pick<Props, 'card'>) {
  return (
    <p className={styles.buttons}>
      <span>{t('Learn from it:')}</span>
      {learnersOf(card).map(({ algo, title }, i) => (
        <Button
          key={algo}
          kind={i === 0 ? 'solid' : 'quiet'}
          onClick={() => void data.learnFrom(card.hash, algo, card.answers > 0 ? PREFER_STEPS : LEARN_STEPS)}
        >
          {title}
        </Button>
      ))}
    </p>
  );
}

function Episodes({ card, view }: { readonly card: DatasetCard; readonly view: DatasetView }) {
  const [episode, setEpisode] = useState(0);
  const env = useStore(catalogStore, (state) => state.catalog?.envs.find(({ id }) => id === card.header.env.id));
  const reduced = useReducedMotion();
  const [pressed, setPressed] = useState<boolean | null>(null);
  const playing = pressed ?? !reduced;
  const step = useRef<HTMLOutputElement>(null);
  const reel = useRef<Reel>(null);
  reel.current ??= new Reel();
  reel.current.playing = playing;
  useEffect(() => {
    if (playing) void openShow().then(({ projector }) => projector.wake());
  }, [playing]);
  const listed = Array.from(view.returns.subarray(0, LISTED), (value, e) => ({ e, value }));
  const shown = Math.min(episode, view.returns.length - 1);
  const choose = (e: number): void => setEpisode(Math.min(view.returns.length - 1, Math.max(0, e)));
  return (
    <div className={styles.episodes}>
      <div>
        <h3>{t('Episodes')}</h3>
        <ol className={styles.list}>
          {listed.map(({ e, value }) => (
            <li key={e}>
              <button type="button" aria-pressed={e === shown} onClick={() => choose(e)}>
                <span>{e + 1}</span>
                <span className="figures">{measure(value)}</span>
                <span className="figures">{t('{e} steps', { e: view.lengths[e] ?? 0 })}</span>
              </button>
            </li>
          ))}
        </ol>
        {view.returns.length > LISTED && (
          <label className={styles.control}>
            <span>{t('Or its number, up to {value}', { value: view.returns.length.toLocaleString('en') })}</span>
            <input
              type="number"
              min={1}
              max={view.returns.length}
              value={shown + 1}
              onChange={(event) => choose(Number(event.target.value) - 1)}
            />
          </label>
        )}
      </div>
      {card.playable && env !== undefined ? (
        <div className={styles.scene}>
          <Live
            reel={reel.current}
            playing={playing}
            eager
            name={`${card.hash} ${shown}`}
            load={async () => {
              const sets = await data.datasets();
              return clips.clip(
                `dataset ${card.hash} ${shown}`,
                () => sets.episode(card.hash, shown),
                (replay) => ({ kind: 'replay', replay }),
              );
            }}
            poster={<Still env={env} config={card.header.env.config} />}
            label={t('Episode {value} in {title}.', { value: shown + 1, title: env.title })}
            onFrame={(at) => {
              const words = at === null ? '' : `step ${at.clip.stepAt(at.t)}, return ${measure(at.clip.returnAt(at.t))}`;
              if (step.current !== null && step.current.textContent !== words) step.current.textContent = words;
            }}
          />
          <p className={styles.buttons}>
            <Button icon={playing ? 'pause' : 'play'} onClick={() => setPressed(!playing)}>
              {playing ? t('Hold') : t('Play')}
            </Button>
            <Button kind="bare" disabled={shown === 0} onClick={() => choose(shown - 1)}>
              {t('Previous')}
            </Button>
            <Button kind="bare" disabled={shown >= view.returns.length - 1} onClick={() => choose(shown + 1)}>
              {t('Next')}
            </Button>
            <output ref={step} aria-live="off" aria-label={t('Episode position')} />
          </p>
        </div>
      ) : (
        <p className={styles.quiet}>{t('This dataset has no initial states, so its episodes cannot be replayed.')}</p>
      )}
    </div>
  );
}

/** Another dataset of some of its episodes. */
function Filter({ card, onKept }: Props) {
  const [least, setLeast] = useState('');
  const [best, setBest] = useState(10);
  const busy = useStore(datasetsStore, (state) => state.busy !== '');
  const keep = async (filter: { readonly least?: number; readonly best?: number }): Promise<void> => {
    const kept = await (await data.datasets()).filter(card.hash, filter);
    if (kept !== null) onKept(kept);
  };
  const bound = Number(least);
  return (
    <div className={styles.filter}>
      <h3>{t('Save a subset as a new dataset')}</h3>
      <div className={styles.buttons}>
        <label className={styles.control}>
          <span>{t('The best {best} of the episodes', { best: percent(best) })}</span>
          <input
            type="range"
            min={5}
            max={95}
            step={5}
            value={best}
            aria-valuetext={percent(best)}
            onChange={(event) => setBest(Number(event.target.value))}
          />
        </label>
        <Button disabled={busy} onClick={() => void keep({ best: best / 100 })}>
          {t('Keep the best')}
        </Button>
        <label className={styles.control}>
          <span>{t('Episodes with a return of at least')}</span>
          <input
            type="number"
            step="any"
            placeholder={measure(card.meanReturn)}
            value={least}
            onChange={(event) => setLeast(event.target.value)}
          />
        </label>
        <Button disabled={busy || least.trim() === '' || !Number.isFinite(bound)} onClick={() => void keep({ least: bound })}>
          {t('Keep these')}
        </Button>
      </div>
    </div>
  );
}

function Files({ card }: Pick<Props, 'card'>) {
  const name = fileName(card.header.title);
  const write = (form: 'rlds' | 'npz'): void => {
    void save(
      data.datasets().then((data) => data.exportFile(card.hash, form)),
      `${name}.${form}`,
    );
  };
  const remove = async (): Promise<void> => {
    const undo = await (await data.datasets()).remove(card);
    toast(`${card.header.title} was deleted.`, { action: { label: 'Undo', run: undo } });
  };
  return (
    <p className={styles.buttons}>
      <Button icon="download" onClick={() => write('rlds')}>
        {t('Export')}
      </Button>
      <Button icon="download" onClick={() => write('npz')}>
        {t('Export as .npz (D4RL names)')}
      </Button>
      <Button kind="danger" icon="trash" onClick={() => void remove()}>
        {t('Delete')}
      </Button>
    </p>
  );
}
