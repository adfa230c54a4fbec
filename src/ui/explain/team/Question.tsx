/** What is asked: who stands in for the absent, what counts, how the team acts, and how long it may take. */
import { useId } from 'react';
import { useStore } from 'zustand';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { Payoff, ReplacementRule, SchemeName } from '#contract/explain/explain.ts';
import { explainStore, workBeside } from '#stores/explain.ts';
import { type AgentInfo, agentsOf } from '#ui/stage/agents.ts';
import { inSquad, squadsOf } from './squads.ts';
import styles from './Team.module.css';

const BUDGETS = [
  [100_000, 'a quick look'],
  [400_000, 'usual'],
  [2_000_000, 'careful'],
  [10_000_000, 'for a paper'],
] as const;

const KINDS: readonly (readonly [SchemeName, string])[] = [
  ['auto', 'chosen for the team’s size'],
  ['exact', 'all coalitions'],
  ['antithetic', 'orders and their reverses'],
  ['stratified', 'orders and their rotations'],
  ['permutation', 'arrival orders'],
  ['owen', 'squads that arrive together (Owen)'],
  ['banzhaf', 'Banzhaf: fair coins'],
];

/** While all cores train, of the explaining worker's time. */
const SHARES = [
  [0.25, 'a quarter of the time'],
  [0.1, 'a tenth of the time'],
  [0.04, 'a 25th of the time'],
] as const;

/** Half of the interval's width, in units of what counts. */
const WIDTHS = [0, 0.05, 0.1, 0.25, 0.5, 1, 2, 5] as const;
const MOST_SQUADS = 4;

export function Question({ env }: { readonly env: EnvCard }) {
  const id = useId();
  const { question, ask, beside } = useStore(explainStore);
  const absent: readonly (readonly [string, ReplacementRule])[] = [
    ['does nothing', { kind: 'noop' }],
    ['acts at random', { kind: 'random' }],
    ['does what another agent would', { kind: 'other-agent' }],
    ['follows this run’s first policy', { kind: 'policy', key: 'first', title: 'this run’s first policy' }],
    ...env.policies.map((name) => [`follows the script "${name}"`, { kind: 'scripted', name }] as const),
  ];
  const names = agentsOf(env).map(({ name }) => name);
  const worth: readonly (readonly [string, Payoff])[] = [
    [`the team: ${env.score}`, { kind: 'team' }],
    ...Array.from({ length: env.agents }, (_, agent) => [`${names[agent]} alone`, { kind: 'agent', agent }] as const),
    ...(env.rewards.length > 1 ? env.rewards.map((name) => [`only ${name}`, { kind: 'component', name }] as const) : []),
  ];
  const chosen = <T,>(options: readonly (readonly [string, T])[], value: T): number =>
    Math.max(
      0,
      options.findIndex(([, option]) => JSON.stringify(option) === JSON.stringify(value)),
    );
  const choice = <T,>(name: string, label: string, options: readonly (readonly [string, T])[], value: T, take: (next: T) => void) => (
    <>
      <label htmlFor={`${id}-${name}`}>{label}</label>
      <select id={`${id}-${name}`} value={chosen(options, value)} onChange={(event) => take(options[Number(event.target.value)]![1])}>
        {options.map(([words], i) => (
          <option key={words} value={i}>
            {words}
          </option>
        ))}
      </select>
    </>
  );
  return (
    <div className={styles.question}>
      {choice('absent', 'who is absent', absent, question.replacement, (next) => ask({ replacement: next }))}
      {choice('worth', 'what counts', worth, question.payoff, (next) => ask({ payoff: next }))}
      {choice(
        'greedy',
        'the team takes',
        [
          ['its best actions', true],
          ['drawn actions', false],
        ],
        question.greedy,
        (next) => ask({ greedy: next }),
      )}
      {choice(
        'scheme',
        'drawn by',
        KINDS.map(([kind, words]) => [words, kind] as const),
        question.scheme,
        (next) => ask({ scheme: next, unions: next === 'owen' ? squadsOf(env) : null }),
      )}
      {question.scheme === 'owen' && <Squads id={id} agents={agentsOf(env)} />}
      {choice(
        'width',
        'stop when',
        WIDTHS.map((width) => [width === 0 ? 'the effort is spent' : `every interval is within ± ${width}`, width] as const),
        question.halfWidth,
        (next) => ask({ halfWidth: next }),
      )}
      {choice(
        'budget',
        'effort',
        BUDGETS.map(([steps, words]) => [words, steps] as const),
        question.maxSteps,
        (next) => ask({ maxSteps: next }),
      )}
      {choice(
        'beside',
        'beside training',
        SHARES.map(([share, words]) => [words, share] as const),
        beside,
        workBeside,
      )}
    </div>
  );
}

/** Which squad each agent belongs to. */
function Squads({ id, agents }: { readonly id: string; readonly agents: readonly AgentInfo[] }) {
  const { question, ask } = useStore(explainStore);
  const squads = question.unions ?? [];
  const listed = agents.filter(({ agent }) => squads.some((squad) => squad.includes(agent)));
  return (
    <>
      <span>squads</span>
      <span className={styles.squads}>
        {listed.map(({ agent, name }) => (
          <label key={agent} htmlFor={`${id}-squad-${agent}`}>
            {name}
            <select
              id={`${id}-squad-${agent}`}
              value={squads.findIndex((squad) => squad.includes(agent))}
              onChange={(event) => ask({ unions: inSquad(squads, agent, Number(event.target.value)) })}
            >
              {Array.from({ length: Math.min(MOST_SQUADS, squads.length + 1) }, (_, k) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a squad is its place
                <option key={k} value={k}>
                  {String.fromCharCode(65 + k)}
                </option>
              ))}
            </select>
          </label>
        ))}
      </span>
    </>
  );
}
