/** The form that makes a challenge of what is set up in the laboratory. */
import { useState } from 'react';
import { useStore } from 'zustand';
import { laboratory } from '#client/address/laboratory.ts';
import { challengeOf, returnOf, unfit } from '#client/compare/challenge.ts';
import { game } from '#client/stage/service.ts';
import { objectOf } from '#contract/kit/json.ts';
import { encodeChallenge, MOST_BUDGET } from '#contract/link/challenge.ts';
import { datasetsStore } from '#stores/datasets.ts';
import { draftStore, isOpen } from '#stores/draft.ts';
import { hashOf, type Route } from '#stores/route.ts';
import { t } from '#text/text.ts';
import { policyTitle } from '#ui/form/env-words.ts';
import { Button } from '#ui/kit/Button.tsx';
import { presetOf } from '#ui/kit/format/card-text.ts';
import { compact, measure } from '#ui/kit/format/numbers.ts';
import { Picture } from '#ui/kit/picture/Picture.tsx';
import { QrCode } from '#ui/kit/QrCode.tsx';
import { copy } from '#ui/kit/save.ts';
import { addressOf } from './address.ts';
import styles from './Challenge.module.css';
import { namesOfSeats } from './seats.ts';

async function playForScore(): Promise<void> {
  laboratory.back();
  await game.open();
}

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
  const env = useStore(draftStore, (state) => state.env);
  /** '': all agents, by training only. */
  const [agent, setAgent] = useState(route.query.seat ?? '0');
  const [others, setOthers] = useState<string | null>(null);
  if (!ready || env === null) return <p className={styles.quiet}>{t('The world of the laboratory is loading.')}</p>;
  const world = t(env.title);
  if (unfit(config))
    return (
      <p className={styles.quiet}>
        {t('{world} is code of your own, which a short link does not hold. Choose another world in the laboratory.', { world })}
      </p>
    );
  const settings = objectOf(config.env.config);
  const seats = namesOfSeats(env);
  const place = /^\d{1,4}$/.test(agent) && Number(agent) < seats.length ? Number(agent) : null;
  const script = others ?? env.policies[0] ?? '';
  const seat = env.agents < 2 || place === null ? undefined : { agent: place, others: script };
  const budgets = env.agents > 1 && seat === undefined ? BUDGETS.slice(1) : BUDGETS;
  const whole = /^\d{1,9}$/.test(seed.trim()) ? Number(seed) : null;
  const number = score.trim() === '' || !Number.isFinite(Number(score)) ? null : Number(score);
  const address =
    whole === null || number === null
      ? null
      : addressOf(
          encodeChallenge(
            challengeOf(config, { seed: whole, score: number, steps, title: title.trim(), ...(seat !== undefined && { seat }) }),
          ),
        );
  return (
    <section className={styles.make} aria-label={t('Make a challenge')}>
      <div className={styles.world}>
        <Picture env={env} preset={presetOf(env, settings) ?? ''} config={settings} />
        <p>
          <b>{world}</b> · <a href={hashOf({ page: 'home', id: null, query: {} })}>{t('Another world')}</a>
        </p>
        <p className={styles.quiet}>{t('Play a game: how you score becomes the score to beat.')}</p>
        <p className={styles.buttons}>
          <Button icon="play" big onClick={() => void playForScore()}>
            {t('Play yourself')}
          </Button>
        </p>
      </div>
      <div className={styles.form}>
        <div className={styles.fields}>
          <label className={styles.control}>
            <span>{t('Title')}</span>
            <input type="text" maxLength={80} value={title} onChange={(event) => setTitle(event.target.value)} />
            <small>{t('optional')}</small>
          </label>
          {env.agents > 1 && (
            <label className={styles.control}>
              <span>{t('Seat')}</span>
              <select
                value={place ?? ''}
                onChange={(event) => {
                  setAgent(event.target.value);
                  if (event.target.value === '' && steps === 0) setSteps(FIRST_BUDGET);
                }}
              >
                {seats.map((name, i) => (
                  <option key={name} value={i}>
                    {name}
                  </option>
                ))}
                <option value="">{t('all agents: by training only')}</option>
              </select>
            </label>
          )}
          {seat !== undefined && (
            <label className={styles.control}>
              <span>{t('The others')}</span>
              <select value={script} onChange={(event) => setOthers(event.target.value)}>
                {env.policies.map((name) => (
                  <option key={name} value={name}>
                    {policyTitle(name)}
                  </option>
                ))}
                <option value="">{t('random actions')}</option>
              </select>
            </label>
          )}
          <label className={styles.control}>
            <span>{t('Score to beat')}</span>
            <input type="text" inputMode="decimal" value={score} onChange={(event) => setScore(event.target.value)} />
            <small>
              {last === undefined
                ? t('the sum of the rewards of one episode')
                : t('your last game: {score}', { score: measure(returnOf(last, seat && { ...seat, agents: env.agents })) })}
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
              {budgets.map((budget) => (
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
      </div>
    </section>
  );
}
