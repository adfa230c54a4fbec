"""Datasets of the RL Workbench (.npz of `record --out`) as Minari folders, and back. Needs numpy and h5py; Minari itself is not needed.

    python3 rlw_minari.py to play.npz ~/.minari/datasets/cartpole/expert-v0
    python3 rlw_minari.py from ~/.minari/datasets/cartpole/expert-v0 play.npz

The folder is laid out as Minari publishes it: data/main_data.hdf5 with a group for every episode, data/metadata.json. docs/exchange.md says more.
"""

import json
import os
import sys

import h5py
import numpy as np

MOST_STEPS = 50_000_000


def fail(words):
    raise SystemExit(words)


def box(rows):
    """A Box without bounds for rows of numbers, as Minari writes spaces."""
    shape = list(rows.shape[1:])
    ends = [np.full(shape, value).tolist() for value in (-np.inf, np.inf)]
    return json.dumps({"type": "Box", "dtype": str(rows.dtype), "shape": shape, "low": ends[0], "high": ends[1]})


def to_minari(source, folder):
    with np.load(source, allow_pickle=False) as file:
        names = ("observations", "actions", "rewards", "terminals", "timeouts", "next_observations")
        missing = [name for name in names if name not in file]
        if missing:
            fail(f"{source} has no {missing[0]}: write it with record --out FILE.npz.")
        data = {name: file[name] for name in names}
        header = json.loads(bytes(file["rl_workbench_header"])) if "rl_workbench_header" in file else {}
    if data["rewards"].ndim != 1:
        fail("It is a dataset of several agents, for which Minari has no form.")
    place = os.path.join(folder, "data")
    if os.path.exists(os.path.join(place, "metadata.json")):
        fail(f"There is a dataset in {folder} already: choose another folder.")
    os.makedirs(place, exist_ok=True)
    actions = data["actions"]
    discrete = actions.ndim == 1
    if discrete:
        actions = actions.astype(np.int64)
    n = header.get("actionCount") or (int(actions.max()) + 1 if discrete else 0)
    ends = np.flatnonzero(data["terminals"] | data["timeouts"]) + 1
    starts = np.concatenate([[0], ends[:-1]]).astype(int)
    with h5py.File(os.path.join(place, "main_data.hdf5"), "w", track_order=True) as file:
        for i, (start, end) in enumerate(zip(starts, ends)):
            rows = slice(start, end)
            group = file.create_group(f"episode_{i}")
            group.attrs.update({"id": i, "total_steps": int(end - start)})
            group["observations"] = np.concatenate([data["observations"][rows], data["next_observations"][end - 1 : end]])
            group["actions"] = actions[rows]
            group["rewards"] = data["rewards"][rows].astype(np.float64)
            group["terminations"] = data["terminals"][rows].astype(bool)
            group["truncations"] = (data["timeouts"][rows] & ~data["terminals"][rows]).astype(bool)
    action_space = json.dumps({"type": "Discrete", "dtype": "int64", "start": 0, "n": n}) if discrete else box(actions)
    metadata = {
        "total_episodes": len(ends),
        "total_steps": int(ends[-1]) if len(ends) else 0,
        "data_format": "hdf5",
        "observation_space": box(data["observations"]),
        "action_space": action_space,
        "dataset_id": os.path.basename(os.path.normpath(folder)),
        "description": header.get("title", ""),
        "algorithm_name": header.get("player", ""),
        "rl_workbench": header,
    }
    with open(os.path.join(place, "metadata.json"), "w", encoding="utf-8") as out:
        json.dump(metadata, out)
    print(f"{folder}: {metadata['total_episodes']} episodes, {metadata['total_steps']} steps")


def from_minari(folder, target):
    place = os.path.join(folder, "data")
    path = os.path.join(place, "main_data.hdf5")
    if not os.path.exists(path):
        fail(f"{folder} is no Minari folder: it has no data/main_data.hdf5.")
    parts = {name: [] for name in ("observations", "actions", "rewards", "terminals", "timeouts", "next_observations")}
    steps = 0
    with h5py.File(path, "r") as file:
        episodes = sorted((name for name in file if name.startswith("episode_")), key=lambda name: int(name[8:]))
        for name in episodes:
            group = file[name]
            for key in ("observations", "actions"):
                if isinstance(group[key], h5py.Group):
                    fail(f"Its {key} are a Dict or a Tuple: flatten them first, with FlattenObservation of Gymnasium for instance.")
            count = group["rewards"].shape[0]
            steps += count
            if steps > MOST_STEPS:
                fail(f"It has more than {MOST_STEPS} steps.")
            observations = group["observations"][()]
            if len(observations) != count + 1:
                fail(f"{name} has {len(observations)} observations of {count} steps; one more is due than steps.")
            observations = observations.reshape(count + 1, -1).astype(np.float32)
            truncations = np.ravel(group["truncations"][()]).astype(bool)
            truncations[-1] |= not np.ravel(group["terminations"][()]).astype(bool)[-1]  # an episode that was cut off ends all the same
            parts["observations"].append(observations[:-1])
            parts["next_observations"].append(observations[1:])
            parts["actions"].append(group["actions"][()])
            parts["rewards"].append(np.ravel(group["rewards"][()]).astype(np.float32))
            parts["terminals"].append(np.ravel(group["terminations"][()]).astype(bool))
            parts["timeouts"].append(truncations)
    if not episodes:
        fail(f"{folder} holds no episodes.")
    arrays = {name: np.concatenate(rows) for name, rows in parts.items()}
    actions = arrays["actions"]
    whole = np.issubdtype(actions.dtype, np.integer) and (actions.ndim == 1 or actions.shape[1:] == (1,))
    arrays["actions"] = np.ravel(actions).astype(np.int32) if whole else actions.reshape(len(actions), -1).astype(np.float32)
    np.savez(target, **arrays)
    print(f"{target}: {len(episodes)} episodes, {steps} steps; open it beside its environment: record --env ID --from {target}")


if __name__ == "__main__":
    ways = {"to": to_minari, "from": from_minari}
    if len(sys.argv) != 4 or sys.argv[1] not in ways:
        fail("usage: rlw_minari.py to FILE.npz FOLDER | from FOLDER FILE.npz")
    ways[sys.argv[1]](*sys.argv[2:])
