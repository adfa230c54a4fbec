"""Plays episodes in Gymnasium itself, without the bridge, and prints them as JSON. Run by cli/gym/gym.test.ts.

Reads {"name", "episodes": [{"seed", "actions"}]} from stdin; answers for each episode a list of [observation, mask or null] at its start and
[observation, mask or null, reward, terminated, truncated] for every action.
"""

import json
import sys

import gymnasium
import numpy as np

asked = json.load(sys.stdin)
env = gymnasium.make(asked["name"])


def numbers(seen):
    if isinstance(env.observation_space, gymnasium.spaces.Discrete):
        return [float(i == seen) for i in range(env.observation_space.n)]
    return np.asarray(seen, np.float32).ravel().tolist()


def mask(info):
    return info["action_mask"].tolist() if "action_mask" in info else None


out = []
for episode in asked["episodes"]:
    seen, info = env.reset(seed=episode["seed"])
    rows = [[numbers(seen), mask(info)]]
    for action in episode["actions"]:
        given = np.array(action, np.float32) if isinstance(action, list) else action
        seen, reward, terminated, truncated, info = env.step(given)
        rows.append([numbers(seen), mask(info), float(np.float32(reward)), bool(terminated), bool(truncated)])
    out.append(rows)
print(json.dumps(out))
