/** P006: the two learned teams play with as many agents as the visitor wants, beside a bar for each size that was measured. */
import { useId, useRef, useState } from 'react';
import { clips } from '#client/stage/clip-service.ts';
import type { Clip } from '#client/stage/clips.ts';
import { decodePolicyFile } from '#contract/files/files.ts';
import { objectOf } from '#contract/kit/json.ts';
import { type Arm, armConfig, type JudgedCard } from '#contract/papers/papers.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { measure, percent } from '#ui/kit/format/numbers.ts';
import { useReducedMotion } from '#ui/stage/motion.ts';
import { Live } from '#ui/stage/show/Live.tsx';
import { Reel } from '#ui/stage/show/reel.ts';
import { middleOf } from '../figures.ts';
import { policyOf } from '../policies.ts';
import { useStored } from '../stored.ts';
import group from './Group.module.css';
import styles from './TeamSizes.module.css';

/** Agents that the world takes. */
const [LEAST, MOST] = [1, 10] as const;
const FIRST = 7;

/** The agents that an arm is asked with; NaN: it is asked elsewhere. */
const sizeOf = (arm: Arm): number => Number(objectOf(arm.against?.[0]).agents ?? Number.NaN);

/** What an arm learned, with so many agents: one episode from a start that all teams share. Rejects in words where its policy cannot be had. */
function clipOf(card: JudgedCard, arm: Arm, agents: number): Promise<Clip> {
  const { id, config } = objectOf(armConfig(card, arm).env);
  return clips.clip(
    `${card.id} ${arm.id} with ${agents}`,
    () => policyOf(card.id, arm.id),
    async (file) => ({
      kind: 'match',
      env: { id: String(id), config: { ...objectOf(config), agents } },
      players: [decodePolicyFile(await file.text())],
      start: 1001,
    }),
  );
}

export default function TeamSizes({ card }: { readonly card: JudgedCard }) {
  const [agents, setAgents] = useState(FIRST);
  const reduced = useReducedMotion();
  const [pressed, setPressed] = useState<boolean | null>(null);
  const playing = pressed ?? !reduced;
  const reel = useRef<Reel>(null);
  reel.current ??= new Reel();
  const clock = reel.current;
  clock.playing = playing;
  const id = useId();
  const trained = sizesTrained(card);
  const teams = ['set', 'single'].flatMap((name) => card.arms.find((arm) => arm.id.startsWith(`${name}-`)) ?? []);
  return (
    <div className={group.group}>
      <h2>{t('The trained team, with as many agents as you like')}</h2>
      <div className={group.dials}>
        <div>
          <label htmlFor={id}>
            {t('Agents')} <output>{agents}</output>
          </label>
          <input
            id={id}
            type="range"
            min={LEAST}
            max={MOST}
            step={1}
            value={agents}
            aria-valuetext={t('{n} agents', { n: agents })}
            onChange={(event) => setAgents(Number(event.target.value))}
          />
        </div>
        <Button icon={playing ? 'pause' : 'play'} onClick={() => setPressed(!playing)}>
          {playing ? t('Pause the scenes') : t('Play the scenes')}
        </Button>
        <p className={styles.seen} role="status" data-seen={trained.includes(agents)}>
          {trained.includes(agents) ? t('A size that both trained with.') : t('A size that neither ever saw.')}
        </p>
      </div>
      <ul className={styles.scenes}>
        {teams.map((arm, k) => (
          <li key={arm.id}>
            <Team
              card={card}
              arm={arm}
              agents={agents}
              reel={clock}
              playing={playing}
              name={k === 0 ? t('Set of policies') : t('One policy')}
            />
          </li>
        ))}
      </ul>
      <Bars card={card} agents={agents} trained={trained} onChoose={setAgents} />
    </div>
  );
}

const sizesTrained = (card: JudgedCard): readonly number[] => {
  const { trainOn } = objectOf(objectOf(card.config.algo).config);
  return Array.isArray(trainOn) ? trainOn.map((world) => Number(objectOf(world).agents)) : [];
};

interface TeamProps {
  readonly card: JudgedCard;
  readonly arm: Arm;
  readonly agents: number;
  readonly reel: Reel;
  readonly playing: boolean;
  readonly name: string;
}

function Team({ card, arm, agents, reel, playing, name }: TeamProps) {
  const value = useRef<HTMLOutputElement>(null);
  return (
    <>
      <Live
        reel={reel}
        playing={playing}
        eager
        name={`${arm.id} ${agents}`}
        load={() => clipOf(card, arm, agents)}
        poster={null}
        label={t('{name}, {n} agents', { name, n: agents })}
        onReturn={(next) => {
          if (value.current !== null)
            value.current.textContent = next === null ? '' : t('this episode so far: return {n}', { n: measure(next / agents) });
        }}
      />
      <p className={styles.name}>
        <b>{name}</b> <output ref={value} aria-live="off" />
      </p>
    </>
  );
}

/** For each size that was measured, how far of the way from random play to the script each team gets. */
function Bars({
  card,
  agents,
  trained,
  onChoose,
}: Pick<TeamProps, 'card' | 'agents'> & { readonly trained: readonly number[]; readonly onChoose: (agents: number) => void }) {
  const stored = useStored(card.id);
  const arms = stored.state === 'here' ? stored.result.arms : [];
  const shareOf = (arm: Arm | undefined): number | null => {
    const { random, ceiling } = arm?.scale ?? {};
    const middle = middleOf(arms.find(({ id }) => id === arm?.id)?.scores ?? []);
    return middle === null || random === undefined || ceiling === undefined ? null : (middle.value - random) / (ceiling - random);
  };
  const rows = card.arms.flatMap((arm) => {
    if (!arm.id.startsWith('set-')) return [];
    const size = sizeOf(arm);
    const single = card.arms.find(({ id }) => id === arm.id.replace('set-', 'single-'));
    return [{ size, shares: [shareOf(arm), shareOf(single)] as const }];
  });
  if (rows.every(({ shares }) => shares.every((share) => share === null))) return null;
  return (
    <section className={styles.bars} aria-label={t('Measured, by size')}>
      <h3>{t('Measured, by size')}</h3>
      <ul>
        {rows.map(({ size, shares: [set, single] }) => (
          <li key={size} data-seen={trained.includes(size)}>
            <button type="button" aria-pressed={size === agents} onClick={() => onChoose(size)}>
              <span>
                <b>{size}</b> {trained.includes(size) ? t('trained') : t('never seen')}
              </span>
              <span className={styles.pair}>
                <Bar share={set} name={t('Set of policies')} kind="set" />
                <Bar share={single} name={t('One policy')} kind="single" />
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p className={group.quiet}>
        {t(
          'How far of the way from random play to a script that assigns a landmark to every agent: the middle of all seeds. The scenes play the seed nearest to its middle.',
        )}
      </p>
    </section>
  );
}

function Bar({ share, name, kind }: { readonly share: number | null; readonly name: string; readonly kind: 'set' | 'single' }) {
  const width = Math.max(0, Math.min(1, share ?? 0));
  return (
    <span className={styles.bar} data-kind={kind}>
      <span className="visually-hidden">{name}</span>
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect width={100 * width} height={10} />
      </svg>
      <span>{share === null ? '–' : percent(Math.round(100 * share))}</span>
    </span>
  );
}
