/** A challenge that was opened: what is to be beaten, the two ways to try, what was tried here, and the ranking of what is pasted in. */
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { attemptOfGame, attemptOfRun, gamesFor, open, returnOf, runsFor, seatedIn } from '#client/compare/challenge.ts';
import { cardOfSeat } from '#client/stage/human-seat.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { type Attempt, type Challenge, encodeAttempt } from '#contract/link/challenge.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { algoCard } from '#stores/catalog.ts';
import { challengeStore } from '#stores/challenge.ts';
import { datasetsStore } from '#stores/datasets.ts';
import { hashOf } from '#stores/route.ts';
import { runsStore } from '#stores/runs.ts';
import { msg, t, tn } from '#text/text.ts';
import { policyTitle } from '#ui/form/env-words.ts';
import { PageFrame } from '#ui/frame/PageFrame.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { compact, measure } from '#ui/kit/format/numbers.ts';
import { Picture } from '#ui/kit/picture/Picture.tsx';
import { copy } from '#ui/kit/save.ts';
import styles from './Challenge.module.css';
import { add, type Entry, leaveOut, openRanking, ranked, useRanking } from './ranking.ts';
import { namesOfSeats } from './seats.ts';

interface Props {
  readonly challenge: Challenge;
  readonly config: RunConfig;
  /** With the settings of the challenge. */
  readonly world: EnvCard;
  readonly packed: string;
}

const pageOf = (packed: string): string => hashOf({ page: 'challenge', id: null, query: { c: packed } });

export function Open({ challenge, config, world: card, packed }: Props) {
  const [problem, setProblem] = useState('');
  useEffect(() => openRanking(challenge), [challenge]);
  const world = t(card.title);
  const { score, seed, seat, steps } = challenge;
  const own = seat === undefined ? card : cardOfSeat(card, seat.agent);
  // of a team without a seat no one can move all
  const alone = card.agents === 1 || seat !== undefined;
  const byHand = alone && (own.keys.some((keys) => keys.length > 0) || (own.axes?.length ?? 0) > 0);
  const go = (way: 'play' | 'train'): void => {
    open(challenge, pageOf(packed), way).catch((error: unknown) => setProblem(toFailure(error).message));
  };
  return (
    <PageFrame title={challenge.title || t('Beat {score} in {world}', { score: measure(score), world })} page="challenge" tab={world}>
      <div className={styles.top}>
        <div className={styles.picture}>
          <Picture env={card} preset={card.presets[0]?.id ?? ''} config={challenge.env.config} />
        </div>
        <div>
          <dl className={styles.facts}>
            <dt>{t('World')}</dt>
            <dd>{world}</dd>
            {card.agents > 1 && (
              <>
                <dt>{t('Seat')}</dt>
                <dd>{seat === undefined ? t('all agents: by training only') : namesOfSeats(card)[seat.agent]}</dd>
              </>
            )}
            {seat !== undefined && (
              <>
                <dt>{t('The others')}</dt>
                <dd>{seat.others === '' ? t('random actions') : policyTitle(seat.others)}</dd>
              </>
            )}
            <dt>{t('Score to beat')}</dt>
            <dd className="figures">{measure(score)}</dd>
            <dt>{t('Start of the episode')}</dt>
            <dd className="figures">{seed}</dd>
            <dt>{t('Steps of training')}</dt>
            <dd>{steps === 0 ? t('none: play it yourself') : t('at most {steps}', { steps: compact(steps) })}</dd>
          </dl>
          <p className={styles.buttons}>
            {byHand && (
              <Button kind="solid" icon="play" big onClick={() => go('play')}>
                {t('Play yourself')}
              </Button>
            )}
            {steps > 0 && (
              <Button kind={byHand ? 'quiet' : 'solid'} big onClick={() => go('train')}>
                {t('Set up a training')}
              </Button>
            )}
          </p>
          <p className={styles.quiet}>
            {seat === undefined
              ? t(
                  'Everyone starts from the same state, and the sum of the rewards of this one episode is the score. Then come back to this page and press Hand in.',
                )
              : t(
                  'Everyone starts from the same state on the same seat, and the sum of its own rewards in this one episode is the score. Then come back to this page and press Hand in.',
                )}
          </p>
          {problem !== '' && <p role="alert">{problem}</p>}
        </div>
      </div>
      <Mine challenge={challenge} config={config} world={card} packed={packed} />
      <Board challenge={challenge} />
    </PageFrame>
  );
}

/** What was played and trained here for it. */
function Mine({ challenge, config, world, packed }: Props) {
  const games = gamesFor(
    config,
    challenge,
    useStore(datasetsStore, (state) => state.games),
    useStore(challengeStore, (state) => state.seated),
    pageOf(packed),
  );
  const seated = seatedIn(challenge, world);
  const groups = runsFor(
    config,
    challenge,
    useStore(runsStore, (state) => state.groups),
  );
  const [busy, setBusy] = useState('');
  const [problem, setProblem] = useState('');
  const best = games.toSorted((a, b) => returnOf(b, seated) - returnOf(a, seated))[0];
  const hand = async (key: string, make: () => Promise<Attempt> | Attempt): Promise<void> => {
    setBusy(key);
    setProblem('');
    try {
      const code = encodeAttempt(await make());
      add(code, challenge);
      await copy(code, t('Attempt'));
    } catch (error) {
      setProblem(toFailure(error).message);
    }
    setBusy('');
  };
  return (
    <section className={styles.card} aria-labelledby="challenge-mine">
      <h2 id="challenge-mine">{t('My attempts')}</h2>
      {best === undefined && groups.length === 0 && (
        <p className={styles.quiet}>{t('None yet. A game that you have played to its end, or a training that is done, appears here.')}</p>
      )}
      <ul className={styles.mine}>
        {best !== undefined && (
          <li>
            <span>
              {tn('{n} game', '{n} games', games.length)}: {t('your best')} <b className="figures">{measure(returnOf(best, seated))}</b>
            </span>
            <Button icon="copy" disabled={busy !== ''} onClick={() => void hand('game', () => attemptOfGame(challenge, best, world))}>
              {t('Hand in')}
            </Button>
          </li>
        )}
        {groups.map((group) => (
          <li key={group.id}>
            <span>
              {group.name}, {t('{n} steps', { n: compact(group.config.run.steps) })}
            </span>
            <Button icon="copy" disabled={busy !== ''} onClick={() => void hand(group.id, () => attemptOfRun(challenge, group))}>
              {busy === group.id ? t('Playing the episode') : t('Hand in')}
            </Button>
          </li>
        ))}
      </ul>
      <p className={styles.quiet}>{t('What you hand in is added to the ranking below and copied as a text, which you can send.')}</p>
      {problem !== '' && <p role="alert">{problem}</p>}
    </section>
  );
}

const REFUSED = msg('There is no attempt in this text.');

function Board({ challenge }: Pick<Props, 'challenge'>) {
  const entries = useRanking((state) => state.entries);
  const [text, setText] = useState('');
  const [said, setSaid] = useState('');
  const take = (): void => {
    const { added, known, refused } = add(text, challenge);
    setSaid(
      [
        added > 0 ? tn('{n} attempt added.', '{n} attempts added.', added) : '',
        known > 0 ? tn('{n} was there already.', '{n} were there already.', known) : '',
        ...refused.map((why) => (why === '' ? t(REFUSED) : why)),
      ]
        .filter((part) => part !== '')
        .join(' '),
    );
    if (added > 0) setText('');
  };
  const order = ranked(entries);
  return (
    <section className={styles.card} aria-labelledby="challenge-ranking">
      <h2 id="challenge-ranking">{t('Ranking')}</h2>
      {order.length > 0 && (
        <div className={styles.scroll}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">{t('Place')}</th>
                <th scope="col">{t('Score')}</th>
                <th scope="col">{t('How')}</th>
                <th scope="col">{t('Proof')}</th>
                <th>
                  <span className="visually-hidden">{t('Remove')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {order.map((entry, i) => (
                <Row key={entry.code} entry={entry} place={entry.proof?.state === 'holds' ? i + 1 : null} toBeat={challenge.score} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <label className={styles.control}>
        <span>{t('Attempts of others')}</span>
        <textarea rows={3} value={text} onChange={(event) => setText(event.target.value)} />
      </label>
      <span className={styles.buttons}>
        <Button disabled={text.trim() === ''} onClick={take}>
          {t('Add to the ranking')}
        </Button>
      </span>
      <p role="status" className={styles.quiet}>
        {said}
      </p>
    </section>
  );
}

function Row({
  entry: { code, attempt, proof },
  place,
  toBeat,
}: {
  readonly entry: Entry;
  readonly place: number | null;
  readonly toBeat: number;
}) {
  const how =
    'moves' in attempt
      ? t('by hand')
      : `${t(algoCard(attempt.algo.id)?.title ?? attempt.algo.id)}, ${t('{n} steps', { n: compact(attempt.steps) })}`;
  return (
    <tr data-false={proof?.state === 'false' || undefined}>
      <td className="figures">{place ?? ''}</td>
      <td className="figures">{measure(attempt.score)}</td>
      <td>{how}</td>
      <td>{proof === null ? t('is being checked') : proof.state === 'holds' ? proved(attempt, toBeat) : why(proof)}</td>
      <td>
        <Button kind="bare" icon="close" label={t('Remove')} onClick={() => leaveOut(code)} />
      </td>
    </tr>
  );
}

const proved = ({ score }: Attempt, toBeat: number): string =>
  score > toBeat ? t('checked: beats the score') : t('checked: does not beat the score');

/** In the words of client/compare/challenge.ts. */
const WHY: readonly string[] = [
  msg('it belongs to another challenge'),
  msg('its score is not the one that it names'),
  msg('the episode ends before the last move'),
  msg('the episode goes on after the last move'),
  msg('it was trained for more steps than are allowed'),
];

function why(proof: { readonly state: 'false' | 'unknown'; readonly why: string }): string {
  const words = WHY.includes(proof.why) ? t(proof.why) : proof.why;
  return proof.state === 'false' ? t('wrong: {why}', { why: words }) : t('could not be checked: {why}', { why: words });
}
