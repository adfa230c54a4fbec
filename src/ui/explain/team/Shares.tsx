/** One explained frame: a waterfall from what is usual to what is here, companions beside it, heat or rings on the scene. */
import { useEffect, useMemo, useState } from 'react';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { FeatureAttribution } from '#contract/explain/explain.ts';
import { isGrid } from '#contract/game/frames.ts';
import { withWidth } from '#report/explain-words.ts';
import type { AtFrame } from '#stores/explain.ts';
import { t } from '#text/text.ts';
import { measure } from '#ui/kit/format/numbers.ts';
import { agentsOf } from '#ui/stage/agents.ts';
import { hideHeat, looksAhead, showHeat } from '#ui/stage/heat.ts';
import { shareMarks, useSaid } from '#ui/stage/marks.ts';
import { because, measured, waterfall } from './feature-words.ts';
import styles from './Team.module.css';
import { thingsSeen } from './things-seen.ts';

const SHOWN = 8;

export function Shares({
  answer: { answer: of, t: frame },
  env,
  stale,
}: {
  readonly answer: AtFrame<FeatureAttribution>;
  readonly env: EnvCard;
  readonly stale: boolean;
}) {
  const { base, output, question, occlusion, gradient } = of;
  const [laid, setLaid] = useState(false);
  useEffect(() => {
    if (stale) hideHeat();
    else setLaid(showHeat(of));
    return hideHeat;
  }, [of, stale]);
  const space = agentsOf(env)[question.agent]?.action ?? env.action;
  const what = measured(of, space);
  const steps = waterfall(of, SHOWN);
  const reach = [base, output, ...steps.flatMap(({ from, to }) => [from, to])];
  const [low, high] = [Math.min(...reach), Math.max(...reach)];
  const at = (v: number): number => (100 * (v - low)) / (high - low || 1);
  const said = useMemo(() => {
    const marks = stale ? [] : shareMarks(thingsSeen(of, env, question.agent));
    return marks.length === 0
      ? null
      : { title: t('What {what} rests on', { what }), marks, ties: [], adds: t('speaks for it'), takes: t('speaks against it') };
  }, [of, env, question.agent, stale, what]);
  useSaid(said);
  const values = { n: frame, what, here: measure(output, 3), usual: measure(base, 3) };
  return (
    <div aria-live="polite">
      <p className={styles.small}>
        {stale
          ? t(
              'Frame {n} (another is shown now): {what} is {here}; with what it sees at other moments it is {usual} on average. The observation here makes the difference:',
              values,
            )
          : t(
              'Frame {n}: {what} is {here}; with what it sees at other moments it is {usual} on average. The observation here makes the difference:',
              values,
            )}
      </p>
      <p>{because(of)}</p>
      {of.actionReturns !== null && <Worths of={of.actionReturns} labels={space.labels} />}
      {of.view !== null && !laid && <View of={of} env={env} />}
      {laid && <p className={styles.small}>{t('The scene shows the share of each cell.')}</p>}
      {said !== null && <p className={styles.small}>{t('Rings on the scene show the share of each feature.')}</p>}
      <table className={`${styles.values} ${styles.shares}`}>
        <thead>
          <tr className={styles.tiny}>
            <th scope="col">{t('seen')}</th>
            <th scope="col">
              <span className={styles.ends}>
                <span>{measure(low, 3)}</span>
                <span>{measure(high, 3)}</span>
              </span>
            </th>
            <th scope="col">{t('share')}</th>
            <th scope="col" title={t('What the number loses when this alone is hidden')}>
              {t('alone')}
            </th>
            {gradient !== null && (
              <th scope="col" title={t('Slope of the number along what is seen')}>
                {t('slope')}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {steps.map(({ name, feature: i, from, to, halfWidth }) => {
            return (
              <tr key={i}>
                <th scope="row">{t(name)}</th>
                <td className={styles.track}>
                  <span
                    className={styles.bar}
                    style={{
                      insetInlineStart: `${at(Math.min(from, to))}%`,
                      inlineSize: `max(1.5px, ${Math.abs(at(to) - at(from))}%)`,
                      background: `var(--div-${to < from ? 'neg' : 'pos'})`,
                    }}
                  />
                  <i className={styles.zero} style={{ insetInlineStart: `${at(to)}%` }} />
                </td>
                <td className={`${styles.number} figures`}>{withWidth(to - from, halfWidth)}</td>
                <td className={`${styles.number} ${styles.companion} figures`}>{i < 0 ? '' : measure(occlusion?.[i], 2)}</td>
                {gradient !== null && (
                  <td className={`${styles.number} ${styles.companion} figures`}>{i < 0 ? '' : measure(gradient[i], 2)}</td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
      <p className={styles.small}>
        {question.method === 'kernel' ? t('KernelSHAP') : t('Orders and their reverses')},{' '}
        {t('{draws} draws against {others} other moments; sum check {gap}.', {
          draws: of.draws,
          others: of.background,
          gap: of.efficiencyGap === 0 ? '0' : Math.abs(of.efficiencyGap).toExponential(0),
        })}{' '}
        {t('The intervals take the other moments for independent; those of one episode are alike, so they may be too narrow.')}
      </p>
    </div>
  );
}

interface WorthsProps {
  readonly of: NonNullable<FeatureAttribution['actionReturns']>;
  readonly labels: readonly string[];
}

/** What each action would be worth: what the outcome is made of. */
function Worths({ of: { mean, halfWidth }, labels }: WorthsProps) {
  return (
    <p className={styles.small}>
      {t('Return after each action:')}{' '}
      {mean
        .map((v, a) => ({ v, a }))
        .filter(({ v }) => Number.isFinite(v))
        .map(({ v, a }) => `${t(labels[a] ?? String(a))} ${withWidth(v, halfWidth[a]!)}`)
        .join(', ')}
      .
    </p>
  );
}

/** The agent's own view, each cell in the colour of its share, near edge below. */
function View({ of, env }: { readonly of: FeatureAttribution; readonly env: EnvCard }) {
  const [width, height] = of.view as readonly [number, number];
  const most = Math.max(...of.value.map(Math.abs)) || 1;
  // such a view is listed column by column
  const turned = isGrid(env.frame) && looksAhead(env.frame, [width, height]);
  return (
    <svg
      className={styles.sight}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={t('The agent’s view; cells coloured by their share')}
    >
      {of.features.map(({ cell, name }, i) => {
        if (cell === null) return null;
        const [a, b] = [cell % width, Math.floor(cell / width)];
        return (
          <rect
            key={name}
            x={(turned ? b : a) + 0.04}
            y={(turned ? a : b) + 0.04}
            width={0.92}
            height={0.92}
            rx={0.12}
            style={{
              fill: `color-mix(in oklab, var(--div-${of.value[i]! < 0 ? 'neg' : 'pos'}) ${(100 * Math.abs(of.value[i]!)) / most}%, var(--raised))`,
            }}
          >
            <title>{`${t(name)}: ${measure(of.value[i], 3)}`}</title>
          </rect>
        );
      })}
    </svg>
  );
}
