/** Any explainer of the catalogue: its options from its schema, its answer by its kind. What is added to the core appears here. */
import { useState } from 'react';
import { useStore } from 'zustand';
import { explain } from '#client/explain/service.ts';
import type { EnvCard, ExplainerCard } from '#contract/catalog/catalog.ts';
import { type Answer, type ExplainerRef, seriesOf } from '#contract/explain/explain-api.ts';
import { toFailure } from '#contract/kit/errors.ts';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { catalogStore } from '#stores/catalog.ts';
import { layoutStore } from '#stores/layout.ts';
import { stageStore } from '#stores/stage.ts';
import { t } from '#text/text.ts';
import { Field } from '#ui/form/Field.tsx';
import { leavesOf, visibleAt } from '#ui/form/leaves.ts';
import { Button } from '#ui/kit/Button.tsx';
import { AnswerView } from './AnswerView.tsx';
import styles from './team/Team.module.css';

/** Frames of an episode that are explained. */
const FRAMES = 24;
const ROOM = 'explain';

export function ExplainersPanel({ env }: { readonly env: EnvCard }) {
  const catalog = useStore(catalogStore, (state) => state.catalog);
  const cards = (catalog?.explainers ?? []).filter(({ agents }) => agents <= env.agents);
  const [id, setId] = useState('');
  const card = cards.find((one) => one.id === id) ?? cards[0];
  if (card === undefined) return null;
  return (
    <section className={styles.body} aria-label={t('Explainers')}>
      <div className={styles.question}>
        <label htmlFor="explainer">{t('explainer')}</label>
        <select id="explainer" value={card.id} onChange={(event) => setId(event.target.value)}>
          {cards.map((one) => (
            <option key={one.id} value={one.id}>
              {one.title}
            </option>
          ))}
        </select>
      </div>
      <p className={styles.hint}>
        {card.summary} {card.source.authors} ({card.source.year}).
      </p>
      <OneExplainer key={card.id} card={card} env={env} />
    </section>
  );
}

function OneExplainer({ card, env }: { readonly card: ExplainerCard; readonly env: EnvCard }) {
  const [config, setConfig] = useState<JsonObject>(card.defaults);
  const [whole, setWhole] = useState(card.frame !== 'required');
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [failed, setFailed] = useState('');
  const [busy, setBusy] = useState(false);
  const depth = useStore(layoutStore, (state) => state.depth);
  const acting = useStore(stageStore, ({ policy, scripted }) =>
    card.team === 'none' || policy !== null ? true : card.team === 'any' && scripted !== null && scripted !== 'random',
  );
  const ref: ExplainerRef<object, unknown> = { id: card.id };

  const ask = async (along: boolean): Promise<void> => {
    const { length, setPlaying } = stageStore.getState();
    if (card.frame !== 'none') setPlaying(false);
    const count = Math.min(FRAMES, length - 1);
    const frames = Array.from({ length: count }, (_, i) => Math.floor((i * (length - 1)) / count));
    const points: Answer[] = [];
    setBusy(true);
    setFailed('');
    setAnswer(null);
    try {
      const last = await explain.ask(ref, config, {
        whole: whole && !along,
        ...(along && { frames }),
        take: (next) => {
          points.push(next);
          setAnswer(along ? seriesOf(points) : next);
        },
      });
      if (!along) setAnswer(last);
    } catch (error) {
      const { message, fix } = toFailure(error);
      setFailed(`${message} ${fix}`);
    } finally {
      setBusy(false);
    }
  };
  const put = (path: string, value: Json | undefined): void =>
    setConfig((before) => ({ ...before, [path.slice(ROOM.length + 1)]: value ?? null }));
  const leaves = leavesOf(ROOM, card.schema).filter((leaf) => visibleAt(leaf, depth));
  return (
    <>
      {leaves.length > 0 && (
        <details className={styles.more}>
          <summary>{t('Options')}</summary>
          {leaves.map((leaf) => {
            const key = leaf.path.slice(ROOM.length + 1);
            return (
              <Field
                key={leaf.path}
                leaf={leaf}
                value={config[key]}
                base={card.defaults[key]}
                problem={null}
                running={false}
                onChange={put}
                onReset={() => put(leaf.path, card.defaults[key])}
              />
            );
          })}
        </details>
      )}
      <div className={styles.actions}>
        <Button kind="solid" disabled={busy || !acting} onClick={() => void ask(false)}>
          {busy ? t('Explaining') : t('Explain')}
        </Button>
        {card.frame !== 'none' && card.answers === 'bars' && (
          <Button disabled={busy || !acting} onClick={() => void ask(true)}>
            {t('Along the episode')}
          </Button>
        )}
        {busy && (
          <Button icon="stop" onClick={() => explain.cancel()}>
            {t('Stop')}
          </Button>
        )}
        {card.frame === 'optional' && (
          <label className={styles.toggle}>
            <input type="checkbox" checked={!whole} onChange={(event) => setWhole(!event.target.checked)} />
            {t('from this frame on')}
          </label>
        )}
        {!acting && (
          <span className={styles.small}>{card.team === 'any' ? t('Train first, or watch a scripted policy.') : t('Train first.')}</span>
        )}
      </div>
      {failed !== '' && (
        <p className={styles.failure} role="alert">
          {failed}
        </p>
      )}
      {answer !== null && <AnswerView answer={answer} env={env} />}
    </>
  );
}
