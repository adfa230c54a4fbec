/**
 * Datasets as .npz with D4RL's names (Fu et al. 2020): observations, actions, rewards, terminals, timeouts, next_observations. One agent:
 * [T, O], [T, D] ([T] for discrete actions), [T]; several: [T, A, ..]. What those names cannot say (header, start states, returns) goes
 * into entries of our own, which other programs pass over, so that our own file comes back whole. Throws LabError('file-invalid').
 */

import { FIRST_ISSUE } from '../kit/bounded.ts';
import { canonicalJson, utf8 } from '../kit/canonical.ts';
import { fail } from '../kit/errors.ts';
import { readJson } from '../kit/json.ts';
import { type NpyArray, readNpz, writeNpz } from '../kit/npz.ts';
import {
  checkedDataset,
  type Dataset,
  type DatasetHeader,
  datasetHeaderSchema,
  episodeBounds,
  LARGEST_DATASET_HEADER,
  MOST_DATASET_BYTES,
  MOST_DATASET_STEPS,
  nextObservations,
} from './dataset.ts';

const OWN = {
  header: 'rl_workbench_header',
  returns: 'rl_workbench_returns',
  starts: 'rl_workbench_starts',
  choices: 'rl_workbench_choices',
} as const;
/** A header is one JSON text of some hundred bytes; the array around it takes a few more. */
const BOUNDS = { [OWN.header]: LARGEST_DATASET_HEADER } as const;
const D4RL = ['observations', 'actions', 'rewards', 'terminals', 'timeouts', 'next_observations'] as const;

export function datasetToNpz(data: Dataset): Uint8Array {
  const { header } = data;
  const { steps: T, agents: A, obsSize: O, actionSize: D, actionCount } = header;
  const team = A === 1 ? [T] : [T, A];
  const discrete = actionCount > 0;
  return writeNpz({
    observations: { shape: [...team, O], data: data.observations },
    actions: discrete && D === 1 ? { shape: team, data: Int32Array.from(data.actions) } : { shape: [...team, D], data: data.actions },
    rewards: { shape: team, data: data.rewards },
    terminals: { shape: [T], data: data.terminals, bool: true },
    timeouts: { shape: [T], data: data.timeouts, bool: true },
    next_observations: { shape: [...team, O], data: nextObservations(data) },
    [OWN.header]: bytes(utf8(canonicalJson(header))),
    [OWN.returns]: { shape: [data.returns.length], data: data.returns },
    ...(data.starts && { [OWN.starts]: bytes(data.starts) }),
    ...(data.choices && { [OWN.choices]: { shape: [data.choices.length], data: data.choices } }),
  });
}

const bytes = (data: Uint8Array): NpyArray => ({ shape: [data.length], data });

/** The environment that rows of another program are taken for, with its sizes. */
export type NpzTarget = Pick<DatasetHeader, 'env' | 'agents' | 'obsSize' | 'actionSize' | 'actionCount'>;

/**
 * The dataset of a .npz: our own whole, any other with D4RL's names as rows of `target` (null: only our own is read). `name` is the file's.
 * Without next_observations, episodes that were cut lose their last step, because what followed it is not known.
 */
export function datasetFromNpz(file: Uint8Array, name: string, target: NpzTarget | null): Dataset {
  const arrays = readNpz(file, [...D4RL, ...Object.values(OWN)], MOST_DATASET_BYTES, BOUNDS);
  const own = arrays.get(OWN.header);
  const header = own === undefined ? null : headerOf(Uint8Array.from(own.data));
  if (header === null && target === null)
    throw fail(
      'file-invalid',
      `"${name}" does not say which environment it is of.`,
      'Open that environment in the laboratory, then import the file again.',
    );
  return header === null ? foreign(arrays, name, target as NpzTarget) : ours(arrays, header);
}

function headerOf(bytes: Uint8Array): DatasetHeader {
  try {
    return datasetHeaderSchema.parse(readJson(bytes), FIRST_ISSUE);
  } catch {
    throw fail('file-invalid', 'The header of this dataset cannot be read.', 'Export it again.');
  }
}

function need(arrays: ReadonlyMap<string, NpyArray>, name: string): NpyArray {
  const array = arrays.get(name);
  if (array === undefined) throw fail('file-invalid', `This .npz has no "${name}".`, `It needs ${D4RL.slice(0, 4).join(', ')}.`);
  return array;
}

function ours(arrays: ReadonlyMap<string, NpyArray>, header: DatasetHeader): Dataset {
  const width = header.agents * header.obsSize;
  const terminals = Uint8Array.from(need(arrays, 'terminals').data);
  const timeouts = Uint8Array.from(need(arrays, 'timeouts').data);
  const next = Float32Array.from(need(arrays, 'next_observations').data);
  const bounds = episodeBounds({ header, terminals, timeouts });
  const finals = new Float32Array(header.episodes * width);
  for (let e = 0; e < header.episodes; e++) finals.set(next.subarray((bounds[e + 1]! - 1) * width, bounds[e + 1]! * width), e * width);
  const [starts, choices] = [arrays.get(OWN.starts), arrays.get(OWN.choices)];
  return checkedDataset({
    header,
    observations: Float32Array.from(need(arrays, 'observations').data),
    actions: Float32Array.from(need(arrays, 'actions').data),
    rewards: Float32Array.from(need(arrays, 'rewards').data),
    terminals,
    timeouts,
    finals,
    returns: Float64Array.from(need(arrays, OWN.returns).data),
    ...(starts && { starts: Uint8Array.from(starts.data) }),
    ...(choices && { choices: Float32Array.from(choices.data) }),
  });
}

function foreign(arrays: ReadonlyMap<string, NpyArray>, name: string, target: NpzTarget): Dataset {
  const { agents: A, obsSize: O, actionSize: D } = target;
  const rewards = need(arrays, 'rewards').data;
  const rows = rewards.length / A;
  if (rows > MOST_DATASET_STEPS)
    throw fail('file-invalid', `"${name}" has ${rows} steps, and at most ${MOST_DATASET_STEPS} are read.`, 'Save fewer of them.');
  const observations = need(arrays, 'observations').data;
  const actions = need(arrays, 'actions').data;
  for (const [what, length, each] of [
    ['observations', observations.length, A * O],
    ['actions', actions.length, A * D],
  ] as const)
    if (length !== rows * each)
      throw fail(
        'incompatible',
        `"${name}" has ${length / Math.max(1, rows)} numbers of ${what} per step; ${target.env.id} has ${each}.`,
        'Open the environment that the rows were recorded in, then import the file again.',
      );
  const over = need(arrays, 'terminals').data;
  const cut = arrays.get('timeouts')?.data ?? new Uint8Array(rows);
  const next = arrays.get('next_observations')?.data;
  const kept: number[] = [];
  const [terminals, timeouts, finals, returns]: [number[], number[], number[], number[]] = [[], [], [], []];
  let first = 0; // row at which this episode begins
  for (let t = 0; t < rows; t++) {
    const terminal = over[t] === 1;
    if (!terminal && cut[t] !== 1 && t < rows - 1) continue;
    const last = terminal || next !== undefined ? t : t - 1; // what followed a cut is not known
    for (let k = first; k <= last; k++) {
      kept.push(k);
      terminals.push(k === last && terminal ? 1 : 0);
      timeouts.push(k === last && !terminal ? 1 : 0);
    }
    if (last >= first) {
      const from = next === undefined ? observations : next;
      for (let i = t * A * O; i < (t + 1) * A * O; i++) finals.push(from[i]!);
      let sum = 0;
      for (let i = first * A; i < (last + 1) * A; i++) sum += rewards[i]!;
      returns.push(sum / A);
    }
    first = t + 1;
  }
  const pick = (source: NpyArray['data'], width: number): Float32Array => {
    const out = new Float32Array(kept.length * width);
    kept.forEach((row, i) => {
      for (let j = 0; j < width; j++) out[i * width + j] = source[row * width + j]!;
    });
    return out;
  };
  return checkedDataset({
    header: {
      kind: 'dataset',
      version: 1,
      title: name.slice(0, 200),
      ...target,
      who: 'import',
      player: name.slice(0, 200),
      grade: 'ungraded',
      licence: 'not stated',
      seed: 0,
      steps: kept.length,
      episodes: returns.length,
    },
    observations: pick(observations, A * O),
    actions: pick(actions, A * D),
    rewards: pick(rewards, A),
    terminals: Uint8Array.from(terminals),
    timeouts: Uint8Array.from(timeouts),
    finals: Float32Array.from(finals),
    returns: Float64Array.from(returns),
  });
}
