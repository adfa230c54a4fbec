/** Data: recorded play on this device. Record it, look at it, keep parts of it, pass it on, and learn from it. */
import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { laboratory } from '#client/address/laboratory.ts';
import { data } from '#client/files/data.ts';
import { game } from '#client/stage/service.ts';
import type { DatasetCard } from '#contract/files/dataset.ts';
import { catalogStore } from '#stores/catalog.ts';
import { datasetsStore } from '#stores/datasets.ts';
import { draftStore } from '#stores/draft.ts';
import { hashOf } from '#stores/route.ts';
import { t } from '#text/text.ts';
import { Nothing } from '#ui/frame/Nothing.tsx';
import { PageFrame } from '#ui/frame/PageFrame.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { compact, measure } from '#ui/kit/format/numbers.ts';
import { isPlayable } from '#ui/stage/controls.ts';
import styles from './Data.module.css';
import { DatasetDetail } from './DatasetDetail.tsx';
import { RecordForm } from './RecordForm.tsx';
import { whoWords } from './words.ts';

export default function DataPage() {
  const entries = useStore(datasetsStore, (state) => state.entries);
  const busy = useStore(datasetsStore, (state) => state.busy);
  const failure = useStore(datasetsStore, (state) => state.failure);
  const [chosen, setChosen] = useState('');
  const [ticked, setTicked] = useState<readonly string[]>([]);
  useEffect(() => {
    void data.datasets().then((sets) => sets.refresh());
  }, []);
  const card = entries?.find(({ hash }) => hash === chosen) ?? entries?.[0];
  const merging = ticked.filter((hash) => entries?.some((entry) => entry.hash === hash));
  const merge = async (): Promise<void> => {
    const first = entries?.find(({ hash }) => hash === merging[0]);
    const kept = await (await data.datasets()).merge(merging, `${first?.header.title ?? ''} and ${merging.length - 1} more`);
    if (kept === null) return;
    setChosen(kept);
    setTicked([]);
  };
  return (
    <PageFrame title={t('Data')} page="data">
      <p className={styles.lead}>
        {t(
          'Recorded episodes, and what can be learned from them. A script plays, a trained policy, chance, or you. Recordings stay on this device until you export or delete them. What was measured so far:',
        )}{' '}
        <a href={hashOf({ page: 'papers', id: 'offline-cartpole', query: {} })}>{t('learning from recordings alone')}</a>.
      </p>
      <div className={styles.columns}>
        <div className={styles.side}>
          <section className={styles.card} aria-labelledby="data-record">
            <h2 id="data-record">{t('Record')}</h2>
            <RecordForm onKept={setChosen} />
          </section>
          <section className={styles.card} aria-labelledby="data-list">
            <h2 id="data-list">{t('Datasets')}</h2>
            {entries === null && <p className={styles.quiet}>{t('Reading what is stored.')}</p>}
            {entries?.length === 0 && <p className={styles.quiet}>{t('None yet. Press Record, or open a file.')}</p>}
            <ul className={styles.datasets}>
              {entries?.map((entry) => (
                <Entry
                  key={entry.hash}
                  card={entry}
                  open={entry.hash === card?.hash}
                  ticked={merging.includes(entry.hash)}
                  onOpen={() => setChosen(entry.hash)}
                  onTick={(on) => setTicked(on ? [...merging, entry.hash] : merging.filter((hash) => hash !== entry.hash))}
                />
              ))}
            </ul>
            <div className={styles.buttons}>
              <FileButton onKept={setChosen} />
              {(entries?.length ?? 0) > 1 && (
                <Button disabled={merging.length < 2 || busy !== ''} onClick={() => void merge()}>
                  {merging.length < 2 ? t('Merge: tick two or more') : t('Merge {n}', { n: merging.length })}
                </Button>
              )}
            </div>
          </section>
          <TeachCard />
        </div>
        <div>
          <p className={styles.busy} role="status">
            {busy === '' ? '' : `${busy} …`}
          </p>
          {failure !== null && (
            <p className={styles.failure} role="alert">
              {failure.message} {failure.fix}
            </p>
          )}
          {entries?.length === 0 && busy === '' && (
            <Nothing>
              {t(
                'No recording yet. Press Record. Then this place shows how its returns are spread, where it has been, its episodes in the scene, and the methods that learn from it.',
              )}
            </Nothing>
          )}
          {card !== undefined && <DatasetDetail key={card.hash} card={card} onKept={setChosen} />}
        </div>
      </div>
    </PageFrame>
  );
}

/** The ways to an agent that is taught by hand. */
function TeachCard() {
  const env = useStore(draftStore, (state) => state.env);
  if (env === null) return null;
  return (
    <section className={styles.card} aria-labelledby="data-teach">
      <h2 id="data-teach">{t('Teach it yourself')}</h2>
      <p className={styles.quiet}>
        {t('Play a few games, and an agent learns from them alone. Where it errs, take over, and teach it again.')}
      </p>
      <p className={styles.buttons}>
        {isPlayable(env) && (
          <Button
            icon="play"
            onClick={() => {
              laboratory.back();
              void game.open();
            }}
          >
            {t('Play {title}', { title: t(env.title) })}
          </Button>
        )}
        <a href={hashOf({ page: 'lessons', id: 'copy-me', query: {} })}>{t('Lesson: Copy me')}</a>
      </p>
    </section>
  );
}

interface EntryProps {
  readonly card: DatasetCard;
  readonly open: boolean;
  readonly ticked: boolean;
  readonly onOpen: () => void;
  readonly onTick: (on: boolean) => void;
}

function Entry({ card, open, ticked, onOpen, onTick }: EntryProps) {
  const { header } = card;
  const world = useStore(catalogStore, (state) => state.catalog?.envs.find(({ id }) => id === header.env.id)?.title ?? header.env.id);
  return (
    <li className={styles.entry} data-open={open || undefined}>
      <input
        type="checkbox"
        checked={ticked}
        aria-label={t('Tick {title} for merging', { title: header.title })}
        onChange={(event) => onTick(event.target.checked)}
      />
      <button type="button" aria-current={open ? 'true' : undefined} onClick={onOpen}>
        <b>{header.title}</b>
        <span>{t('{world}, {header}, {steps} steps', { world, header: whoWords(header), steps: compact(header.steps) })}</span>
        <span>
          <span className={styles.grade}>{header.grade}</span>{' '}
          {t('return {mean} ({least} to {most})', {
            mean: measure(card.meanReturn),
            least: measure(card.leastReturn),
            most: measure(card.mostReturn),
          })}
        </span>
      </button>
    </li>
  );
}

function FileButton({ onKept }: { readonly onKept: (hash: string) => void }) {
  const picker = useRef<HTMLInputElement>(null);
  const read = async (file: File): Promise<void> => {
    const { env } = draftStore.getState().config;
    const kept = await (await data.datasets()).importFile(file, { id: env.id, config: env.config });
    if (kept !== null) onKept(kept);
  };
  return (
    <>
      <Button icon="open" onClick={() => picker.current?.click()}>
        {t('Import .rlds or .npz')}
      </Button>
      <input
        ref={picker}
        type="file"
        hidden
        accept=".rlds,.npz"
        aria-label={t('Dataset file')}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = '';
          if (file !== undefined) void read(file);
        }}
      />
    </>
  );
}
