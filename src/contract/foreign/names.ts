/** What names in files of other programs mean here: metrics, and the seed and set-up that the name of a run says. */

const LONGEST_NAME = 120;

/** What other programs call what every run here has, in small letters. */
const OURS: ReadonlyMap<string, string> = new Map([
  ...[
    'charts/episodic_return', // CleanRL
    'rollout/ep_rew_mean', // Stable-Baselines3
    'episodic_return',
    'episode_reward_mean', // RLlib
    'env_runners/episode_return_mean',
    'env_runners/episode_reward_mean',
    'sampler_results/episode_reward_mean',
    'eprewmean', // Baselines
    'averageepret', // Spinning Up
  ].map((name) => [name, 'episodicReturn'] as const),
  ...[
    'charts/episodic_length',
    'rollout/ep_len_mean',
    'episodic_length',
    'episode_len_mean',
    'env_runners/episode_len_mean',
    'sampler_results/episode_len_mean',
    'eplenmean',
    'eplen',
  ].map((name) => [name, 'episodeLength'] as const),
  ...['charts/sps', 'time/fps', 'fps'].map((name) => [name, 'stepsPerSecond'] as const),
  ...[
    'eval/mean_reward',
    'evaluation/episode_reward_mean',
    'evaluation/env_runners/episode_return_mean',
    'evaluation/sampler_results/episode_reward_mean',
    'averagetestepret',
  ].map((name) => [name, 'evalReturn'] as const),
]);

/** The metric of ours that means the same, whatever the case; null: there is none. RLlib puts `ray/tune/` before its names. */
export function metricOf(name: string): string | null {
  return (
    OURS.get(
      name
        .trim()
        .toLowerCase()
        .replace(/^ray\/tune\//, ''),
    ) ?? null
  );
}

/** A metric by its name in the name of a file, where `/` became `_`; null: it is none that is known. */
export function metricOfFile(name: string): string | null {
  const small = name.toLowerCase();
  for (const known of OURS.keys()) if (known.replaceAll('/', '_') === small) return known;
  return null;
}

export interface Identity {
  readonly name: string;
  readonly seed: number | null;
}

/**
 * Set-up and seed of a run by its name: CleanRL's `CartPole-v1__ppo__SEED__TIME`, and a seed that is called one at the end
 * (`ppo_seed_3`, `ppo-seed=3`, Spinning Up's `ppo_s3`). All seeds of one set-up then have one name.
 */
export function identify(text: string): Identity {
  const found =
    /^(.+)__(\d{1,9})__\d{9,}$/.exec(text) ?? /^(.+?)[-_ ,.(]+seed[-_ =:]*(\d{1,9})\)?$/i.exec(text) ?? /^(.+)_s(\d{1,9})$/.exec(text);
  return { name: plain(found?.[1] ?? text), seed: found === null ? null : Number(found[2]) };
}

/** The same of a path of folders: a folder that is a seed alone (`seed-3`, `seed_3`) is one of the folder above. */
export function identifyPath(folders: readonly string[]): Identity {
  const last = folders.at(-1) ?? '';
  const seed = /^seed[-_ =]*(\d{1,9})$/i.exec(last);
  const above = folders.at(-2) ?? '';
  if (seed !== null) return { name: plain(above === '' ? last : above), seed: Number(seed[1]) };
  return identify(last);
}

/** A name from a file as one line of text. */
export function plain(text: string): string {
  const line = text.replace(/\p{C}+/gu, ' ').trim();
  return line.length > LONGEST_NAME ? `${line.slice(0, LONGEST_NAME - 1)}…` : line;
}

/** Parts of a path, whichever way its slashes lean. */
export const partsOf = (path: string): string[] => path.split(/[\\/]/).filter((part) => part !== '' && part !== '.');

/** Whether a file is by its name a log that other programs write. */
export const isLog = (path: string): boolean => /tfevents|(^|[\\/])progress\.(csv|txt)(\.gz)?$|monitor\.csv(\.gz)?$/i.test(path);

/** Whether it is a table by its name. */
export const isTableName = (path: string): boolean => /\.(csv|tsv)(\.gz)?$/i.test(path);
