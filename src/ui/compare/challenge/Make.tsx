/** The form that makes a challenge of what is set up in the laboratory. */
import { useState } from 'react';
import { useStore } from 'zustand';
import { challengeOf, returnOf, unfit } from '#client/compare/challenge.ts';
import { encodeChallenge, MOST_BUDGET } from '#contract/link/challenge.ts';
import { envCard } from '#stores/catalog.ts';
import { datasetsStore } from '#stores/datasets.ts';
import { draftStore, isOpen } from '#stores/draft.ts';
import { hashOf, type Route } from '#stores/route.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { compact, measure } from '#ui/kit/format/numbers.ts';
import { QrCode } from '#ui/kit/QrCode.tsx';
import { copy } from '#ui/kit/save.ts';
import { addressOf } from './address.ts';
import styles from './Challenge.module.css';

const BUDGETS = [0, 20_000, 50_000, 100_000, 300_000, MOST_BUDGET];
const FIRST_BUDGET = 50_000;

export function Make({ route }: { readonly route: Route }) {
  const config = useStore(draftStore, (state) => state.config);
  const ready = useStore(draftStore, isOpen);
  const last = useStore(datasetsStore, ({ games }) => games.at(-1));
  const [title, setTitle] = useState('');
  const [seed, setSeed] = useState(route.query.seed ?? String(last?.seed ?? 1));
  const [score, setScore] = useState(route.query.score ?? '');
  const [steps, setSteps] = useState(FIRST_BUDGET);
  const [shown, setShown] = useState(false);
  const world = envCard(config.env.id)?.title ?? config.env.id;
  const why = unfit(config);
  if (!ready) return <p className={styles.quiet}>{t('The world of the laboratory is loading.')}</p>;
  if (why !== null)
    return (
      <p className={styles.quiet}>
        {why === 'own'
          ? t('{world} is code of your own, which a short link does not hold. Choose another world in the laboratory.', { world })
          : t('{world} has several agents. A challenge is for one: choose another world in the laboratory.', { world })}
      </p>
    );
  const whole = /^\d{1,9}$/.test(seed.trim()) ? Number(seed) : null;
  const number = score.trim() === '' || !Number.isFinite(Number(score)) ? null : Number(score);
  const address =
    whole === null || number === null
      ? null
      : addressOf(encodeChallenge(challengeOf(config, { seed: whole, score: number, steps, title: title.trim() })));
  return (
    <section className={styles.card} aria-label={t('Make a challenge')}>
      <p>
        {t('World of the laboratory')}: <b>{t(world)}</b>
      </p>
      <div className={styles.fields}>
        <label className={styles.control}>
          <span>{t('Title')}</span>
          <input type="text" maxLength={80} value={title} onChange={(event) => setTitle(event.target.value)} />
          <small>{t('optional')}</small>
        </label>
        <label className={styles.control}>
          <span>{t('Score to beat')}</span>
          <input type="text" inputMode="decimal" value={score} onChange={(event) => setScore(event.target.value)} />
          <small>
            {last === undefined
              ? t('the sum of the rewards of one episode')
              : t('your last game: {score}', { score: measure(returnOf(last)) })}
          </small>
        </label>
        <label className={styles.control}>
          <span>{t('Start of the episode')}</span>
          <input type="text" inputMode="numeric" value={seed} onChange={(event) => setSeed(event.target.value)} />
          <small>{t('a whole number: the same one gives everyone the same start')}</small>
        </label>
        <label className={styles.control}>
          <span>{t('Steps of training')}</span>
          <select value={steps} onChange={(event) => setSteps(Number(event.target.value))}>
            {BUDGETS.map((budget) => (
              <option key={budget} value={budget}>
                {budget === 0 ? t('none: play it yourself') : t('at most {steps}', { steps: compact(budget) })}
              </option>
            ))}
          </select>
        </label>
      </div>
      {address === null ? (
        <p className={styles.quiet}>{t('Enter a score to beat, and a whole number for the start.')}</p>
      ) : (
        <>
          <input
            className={styles.link}
            type="text"
            readOnly
            aria-label={t('Link of the challenge')}
            value={address}
            onFocus={(event) => event.target.select()}
          />
          <span className={styles.buttons}>
            <Button kind="solid" icon="copy" onClick={() => void copy(address, t('Link of the challenge'))}>
              {t('Copy')}
            </Button>
            <a href={address.slice(address.indexOf('#'))}>{t('Open it')}</a>
            <Button pressed={shown} onClick={() => setShown(!shown)}>
              {t('QR code')}
            </Button>
          </span>
          {shown && <QrCode className={styles.qr} text={address} name={t('Link of the challenge')} />}
        </>
      )}
      <p className={styles.quiet}>
        <a href={hashOf({ page: 'home', id: null, query: {} })}>{t('Another world')}</a>
      </p>
    </section>
  );
}
