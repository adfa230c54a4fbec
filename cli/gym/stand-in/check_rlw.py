"""Tries python/rlw.py with Gymnasium and PettingZoo themselves; prints one line of JSON. Run by cli/gym/host.test.ts."""

import json
import warnings

import gymnasium
import numpy as np
import pettingzoo.test
from gymnasium.utils.env_checker import check_env

import rlw

warnings.simplefilter("ignore")
out = {}

# Every name there is: spaces, seeds, types and bounds. The first is imported by its name alone.
names = [spec for spec in gymnasium.registry if spec.startswith("rlw/")]
for name in ("rlw:rlw/MiniGridDoorKey-v0", *names):
    env = gymnasium.make(name).unwrapped
    try:
        check_env(env, skip_render_check=True)
    except Exception as error:
        raise AssertionError(f"{name} is not as Gymnasium wants it") from error
    env.close()
out["names"] = len(names)
out["checked"] = True


def episode(seed, **config):
    env = gymnasium.make("rlw/CartPole-v0", **config)
    seen, _ = env.reset(seed=seed)
    steps = [seen.tolist()]
    while True:
        seen, reward, terminated, truncated, _ = env.step(len(steps) % 2)
        steps.append([*seen.tolist(), reward])
        if terminated or truncated:
            env.close()
            return steps, terminated, truncated


out["episode"] = episode(5)[0]
out["again"] = episode(5) == episode(5)
out["other"] = episode(5) != episode(6)
out["limit"] = episode(5, maxSteps=4)[1:]

for mode in gymnasium.vector.AutoresetMode:
    envs = rlw.WorkbenchVectorEnv("cartpole", num_envs=2, autoreset_mode=mode, maxSteps=3)
    first, _ = envs.reset(seed=5)
    rows = []
    try:
        for t in range(4):
            seen, reward, terminated, truncated, info = envs.step(np.array([t % 2, 1 - t % 2]))
            rows.append({"reward": reward.tolist(), "truncated": truncated.tolist(), "final": "final_obs" in info, "small": bool(abs(seen).max() < 0.06)})
    except rlw.WorkbenchError as error:
        rows.append(str(error))
    out[mode.value] = rows
    envs.close()

envs = gymnasium.make_vec("rlw/CartPole-v0", num_envs=3)
one = gymnasium.make("rlw/CartPole-v0")
seen, _ = envs.reset(seed=7)
out["rows"] = [seen[i].tolist() == one.reset(seed=7 + i)[0].tolist() for i in range(3)]
envs.close()

# Masks: one copy, and each of two copies.
env = gymnasium.make("rlw/LifelongPathFinding-v2")
_, info = env.reset(seed=3)
masks = [info["action_mask"].tolist()]
for t in range(6):
    *_, info = env.step(int(np.flatnonzero(info["action_mask"])[t % info["action_mask"].sum()]))
    masks.append(info["action_mask"].tolist())
out["masks"] = masks
env.close()
envs = gymnasium.make_vec("rlw/LifelongPathFinding-v2", num_envs=2)
_, info = envs.reset(seed=3)
out["both masks"] = info["action_mask"].tolist()
envs.close()

for wrong in (lambda: rlw.WorkbenchEnv("mpe-simple-spread"), lambda: rlw.WorkbenchEnv("cartpol"), lambda: rlw.WorkbenchEnv("cartpole", maxSteps=-1)):
    try:
        wrong()
    except rlw.WorkbenchError as error:
        out.setdefault("refused", []).append(str(error))

# Options of a reset: what has no effect is said, a mask resets some copies alone.
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    one = gymnasium.make("rlw/CartPole-v0")
    one.reset(seed=5, options={"low": -0.5, "high": 0.5})
    one.reset(seed=5, options={})
    out["options"] = [str(warning.message) for warning in caught if "reset(options" in str(warning.message)]
envs = rlw.WorkbenchVectorEnv("cartpole", num_envs=3, autoreset_mode=gymnasium.vector.AutoresetMode.DISABLED, maxSteps=3)
envs.reset(seed=5)
for t in range(3):
    before, *_ = envs.step(np.array([t % 2] * 3))
after, _ = envs.reset(seed=5, options={"reset_mask": np.array([False, True, False])})
fresh, _ = gymnasium.make("rlw/CartPole-v0").reset(seed=6)
out["reset_mask"] = [after[0].tolist() == before[0].tolist(), after[1].tolist() == fresh.tolist(), after[2].tolist() == before[2].tolist()]
envs.close()

pettingzoo.test.parallel_api_test(rlw.parallel_env("mpe-simple-spread"), num_cycles=60)
out["team"] = True
print(json.dumps(out))
