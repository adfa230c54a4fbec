/** What small changes of what agents see would cost: noise of a given size against changes chosen to mislead. */
import { useState } from 'react';
import { useStore } from 'zustand';
import { explain } from '#client/explain/service.ts';
import { AIMS, ATTACK, type AttackAim, type AttackTest } from '#contract/explain/attack.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { stageStore } from '#stores/stage.ts';
import { Button } from '#ui/kit/Button.tsx';
import { measure, percent } from '#ui/kit/format/numbers.ts';
import { lasting, useLasting } from '#ui/stage/lasting.ts';
import styles from './Attack.module.css';

const EPISODES = 50;
const STEPS = { fgsm: 1, pgd: 8 } as const;
const AIM_WORDS: Readonly<Record<AttackAim, string>> = {
  'any other': 'any other action',
  'other side': 'the other side of the middle',
  farthest: 'the farthest action there',
};

interface Chosen {
  readonly method: keyof typeof STEPS;
  readonly aim: AttackAim;
  readonly eps: number;
}

const choices = lasting<Chosen>({ method: 'fgsm', aim: 'any other', eps: 0.2 });

export function Attack() {
  const world = useStore(stageStore, (state) => state.replay?.env.id ?? '');
  const [{ method, aim, eps }, choose] = useLasting(choices, world);
  const [test, setTest] = useState<AttackTest | null>(null);
  const [about, setAbout] = useState('');
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState('');
  const key = useStore(stageStore, (state) => state.policy?.key ?? '');
  const run = async (): Promise<void> => {
    setBusy(true);
    setFailed('');
    try {
      setTest((await explain.ask(ATTACK, { eps, steps: STEPS[method], aim, episodes: EPISODES }))?.detail ?? null);
      setAbout(key);
    } catch (error) {
      const { message, fix } = toFailure(error);
      setTest(null);
      setFailed(`${message} ${fix}`);
    } finally {
      setBusy(false);
    }
  };
  return (
    <details className={styles.more}>
      <summary>Adversarial observations</summary>
      <div className={styles.body}>
        <div className={styles.question}>
          <label htmlFor="attack-method">attack</label>
          <select id="attack-method" value={method} onChange={(event) => choose({ method: event.target.value as typeof method })}>
            <option value="fgsm">FGSM, one step</option>
            <option value="pgd">PGD, eight steps</option>
          </select>
          <label htmlFor="attack-aim">aim</label>
          <select
            id="attack-aim"
            value={aim}
            onChange={(event) => choose({ aim: AIMS.find((one) => one === event.target.value) ?? 'any other' })}
          >
            {AIMS.map((one) => (
              <option key={one} value={one}>
                {AIM_WORDS[one]}
              </option>
            ))}
          </select>
          <label htmlFor="attack-eps">strength</label>
          <span className={styles.slider}>
            <input
              id="attack-eps"
              type="range"
              min={0}
              max={1}
              step={0.05}
              value={eps}
              onChange={(event) => choose({ eps: Number(event.target.value) })}
            />
            <output className="figures" htmlFor="attack-eps">
              {eps.toFixed(2)} <small>sd</small>
            </output>
          </span>
        </div>
        <div>
          <Button disabled={busy || key === ''} onClick={() => void run()}>
            {busy ? 'Playing under attack' : 'What would it cost?'}
          </Button>
        </div>
        {failed !== '' && (
          <p className={styles.failure} role="alert">
            {failed}
          </p>
        )}
        {test !== null && <Cost test={test} stale={about !== key} />}
      </div>
    </details>
  );
}

/** What a change of what is seen costs, or brings: a policy that is not yet good may do better under it. */
const inWords = (what: string, cost: number): string =>
  cost < 0 ? `${what} brings ${measure(-cost, 2)} more` : `${what} costs ${measure(cost, 2)}`;

const changeWords = ({ flipped, moved }: AttackTest): string =>
  moved
    ? `moves actions by ${percent((100 * flipped).toPrecision(2))} of their range`
    : `changes ${percent((100 * flipped).toFixed(0))} of all decisions`;

function Cost({ test, stale }: { readonly test: AttackTest; readonly stale: boolean }) {
  const rows = [
    { name: 'as it is', value: test.clean, colour: 'var(--series-0)' },
    { name: 'with noise', value: test.noise, colour: 'var(--series-5)' },
    { name: 'attacked', value: test.attacked, colour: 'var(--series-4)' },
  ];
  const low = Math.min(0, ...rows.map(({ value }) => value));
  const high = Math.max(0, ...rows.map(({ value }) => value));
  const at = (x: number): number => (100 * (x - low)) / (high - low || 1);
  return (
    <div aria-live="polite">
      <table className={styles.cost}>
        <tbody>
          {rows.map(({ name, value, colour }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className={styles.track}>
                <span
                  style={{
                    insetInlineStart: `${Math.min(at(0), at(value))}%`,
                    inlineSize: `${Math.abs(at(value) - at(0))}%`,
                    background: colour,
                  }}
                />
              </td>
              <td className={`${styles.number} figures`}>{measure(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles.small}>
        {inWords('The attack', test.clean - test.attacked)} ± {measure(test.halfWidth, 2)} per episode and {changeWords(test)};{' '}
        {inWords('noise of the same size', test.clean - test.noise)}. {test.question.episodes} episodes on the same seeds
        {stale ? ', of the policy shown before' : ''}; every number moves by at most {test.question.eps.toFixed(2)} of its own standard
        deviations, along the {test.gradient === 'exact' ? 'gradient of the network' : 'slope measured number by number'}.
      </p>
    </div>
  );
}
