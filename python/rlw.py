"""Environments of the RL Workbench in Python, through a Node process: the same bits as on the page and the command line.

    import gymnasium, rlw
    env = gymnasium.make("rlw/MiniGridDoorKey-v0")
    envs = gymnasium.make_vec("rlw/CartPole-v0", num_envs=8)
    team = rlw.parallel_env("mpe-simple-spread")  # PettingZoo's parallel interface

Needs gymnasium, numpy and Node 20; the workbench is looked for in RLW_HOME, or where this file lies. docs/python.md says more.
"""

import atexit
import json
import os
import shutil
import struct
import subprocess
import warnings

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

HEADER = struct.Struct("<4sBBHI")
MAGIC, WIRE = b"RLWG", 1
MAKE, RESET, CLOSE, ACT, RESTART, NAMES = 2, 3, 7, 8, 9, 10
OK, MOST_BYTES = 128, 64 << 20
HERE = os.path.dirname(os.path.abspath(__file__))


class WorkbenchError(RuntimeError):
    """What the workbench refuses, in its words."""


def home():
    """The folder of the workbench's repository."""
    folder = os.environ.get("RLW_HOME", os.path.dirname(HERE))
    if not os.path.exists(os.path.join(folder, "tools", "rl.mjs")):
        raise WorkbenchError(f'"{folder}" is not the workbench. Set RLW_HOME to the folder of its repository.')
    return folder


class Host:
    """The Node process of this Python process."""

    current = None

    def __init__(self):
        script = os.path.join(home(), "tools", "rl.mjs")
        node = os.environ.get("RLW_NODE", "node")
        if shutil.which(node) is None:
            raise WorkbenchError(f'There is no "{node}". Install Node 20 or later, or set RLW_NODE.')
        self.process = subprocess.Popen([node, script, "host"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.pid = os.getpid()
        atexit.register(self.close)

    @classmethod
    def get(cls):
        if cls.current is None or cls.current.pid != os.getpid() or cls.current.process.poll() is not None:
            cls.current = cls()
        return cls.current

    def close(self):
        if self.pid == os.getpid() and self.process.poll() is None:
            self.process.stdin.close()
            self.process.wait(timeout=10)

    def read(self, count):
        data = self.process.stdout.read(count)
        if len(data) < count:
            raise WorkbenchError(f"The workbench's process ended (code {self.process.wait()}); what it said stands on stderr.")
        return data

    def exchange(self, kind, body):
        try:
            self.process.stdin.write(HEADER.pack(MAGIC, WIRE, kind, 0, len(body)) + body)
            self.process.stdin.flush()
        except BrokenPipeError:
            raise WorkbenchError("The workbench's process has ended; what it said stands on stderr.") from None
        magic, wire, answer, _, length = HEADER.unpack(self.read(HEADER.size))
        if magic != MAGIC or wire != WIRE or length > MOST_BYTES:
            raise WorkbenchError("The workbench's process answers in another wire version.")
        body = self.read(length)
        if answer == OK:
            return body
        said = json.loads(body)
        raise WorkbenchError(f"{said['message']} {said['fix']}")


def seen_space(obs):
    if obs["kind"] == "discrete":
        return spaces.Discrete(obs["n"])
    if obs["kind"] == "grid":
        height, width, _ = obs["shape"]
        high = np.broadcast_to(np.array(obs["codes"], dtype=np.int32) - 1, (height, width, len(obs["codes"])))
        grid = spaces.Box(np.zeros_like(high), high, dtype=np.int32)
        return grid if obs["extra"] == 0 else spaces.Dict(grid=grid, numbers=spaces.Box(-np.inf, np.inf, (obs["extra"],), np.float32))
    low = -np.inf if obs["low"] is None else obs["low"]
    high = np.inf if obs["high"] is None else obs["high"]
    return spaces.Box(np.float32(low), np.float32(high), tuple(obs["shape"]), np.float32)


def done_space(action):
    if action["kind"] == "discrete":
        return spaces.Discrete(action["n"])
    return spaces.Box(np.array(action["low"], np.float32), np.array(action["high"], np.float32), dtype=np.float32)


def seen_of(obs, numbers):
    """What an agent sees, of its row of float32 numbers."""
    if obs["kind"] == "discrete":
        return int(np.argmax(numbers[: obs["n"]]))
    size = int(np.prod(obs["shape"]))
    if obs["kind"] == "box":
        return numbers[:size].reshape(obs["shape"]).copy()
    grid = numbers[:size].astype(np.int32).reshape(obs["shape"])
    return grid if obs["extra"] == 0 else {"grid": grid, "numbers": numbers[size : size + obs["extra"]].copy()}


class Copies:
    """Copies of one environment; each is reset and stepped by itself."""

    def __init__(self, env, config, count):
        self.host = Host.get()
        made = json.loads(self.host.exchange(MAKE, json.dumps({"env": env, "config": config, "copies": count}).encode()))
        self.handle, self.about = made["handle"], made
        self.agents = made["agents"]
        self.discrete = self.agents[0]["action"]["kind"] == "discrete"
        self.open = True

    def close(self):
        if self.open and self.host.process.poll() is None and self.host.pid == os.getpid():
            self.host.exchange(CLOSE, struct.pack("<I", self.handle))
        self.open = False

    def ask(self, kind, rows, rest=b""):
        return self.host.exchange(kind, struct.pack(f"<{len(rows) + 2}I", self.handle, len(rows), *rows) + rest)

    def rows(self, body, count):
        """alive [rows, A], masks [rows, A, N] or None, observations [rows, A, O]"""
        agents, choices, width = len(self.agents), self.about["choices"], self.about["width"]
        at = count * agents
        alive = np.frombuffer(body, np.uint8, at).reshape(count, agents)
        masks = None
        if self.about["masked"]:
            masks = np.frombuffer(body, np.int8, at * choices, at).reshape(count, agents, choices)
            at += at * choices
        return alive, masks, np.frombuffer(body, "<f4", count * agents * width, at).reshape(count, agents, width)

    def reset(self, rows, seeds):
        return self.rows(self.ask(RESET, rows, np.asarray(seeds, "<u4").tobytes()), len(rows))

    def restart(self, rows):
        return self.rows(self.ask(RESTART, rows), len(rows))

    def act(self, rows, actions):
        """`actions` [rows, A, D]; rewards [rows, A], terminated, truncated [rows], and what is seen"""
        body = self.ask(ACT, rows, np.ascontiguousarray(actions, "<i4" if self.discrete else "<f4").tobytes())
        count, agents = len(rows), len(self.agents)
        rewards = np.frombuffer(body, "<f4", count * agents).reshape(count, agents)
        at = 4 * count * agents
        terminated, truncated = (np.frombuffer(body, np.uint8, count, at + i * count).astype(bool) for i in range(2))
        return rewards, terminated, truncated, self.rows(body[at + 2 * count :], count)


def without_effect(options):
    """Says which options of a reset do nothing here."""
    if options:
        names = ", ".join(f'"{name}"' for name in options)
        warnings.warn(
            f"reset(options=...) has no effect here: {names}. Settings of an environment are arguments of gymnasium.make (rlw.parallel_env).",
            stacklevel=3,
        )


def seed_of(generator, seed):
    """32 bits for the workbench's own generator."""
    return int(generator.integers(2**31)) if seed is None else int(seed) % 2**32


def one_agent(copies):
    if len(copies.agents) > 1:
        copies.close()
        raise WorkbenchError(f"It has {len(copies.agents)} agents: use rlw.parallel_env.")
    return copies.agents[0]


class WorkbenchEnv(gymnasium.Env):
    """One copy. `env`: id in the workbench; further arguments are its settings."""

    metadata = {"render_modes": [], "render_fps": 30}

    def __init__(self, env, render_mode=None, **config):
        self.copies = Copies(env, config, 1)
        self.agent = one_agent(self.copies)
        self.observation_space = seen_space(self.agent["obs"])
        self.action_space = done_space(self.agent["action"])
        self.render_mode = render_mode
        self.seeded = False

    def given(self, rows):
        _, masks, numbers = rows
        info = {} if masks is None else {"action_mask": masks[0, 0, : self.agent["action"]["n"]].copy()}
        return seen_of(self.agent["obs"], numbers[0, 0]), info

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        without_effect(options)
        if seed is None and self.seeded:
            return self.given(self.copies.restart([0]))  # the next episode of the same generator
        self.seeded = True
        return self.given(self.copies.reset([0], [seed_of(None if seed is not None else self.np_random, seed)]))

    def step(self, action):
        rewards, terminated, truncated, rows = self.copies.act([0], np.asarray(action).reshape(1, 1, -1))
        seen, info = self.given(rows)
        return seen, float(rewards[0, 0]), bool(terminated[0]), bool(truncated[0]), info

    def close(self):
        self.copies.close()


class WorkbenchVectorEnv(VectorEnv):
    """Several copies, with Gymnasium's ways of starting again: next step (its default), same step, or not at all."""

    def __init__(self, env, num_envs=1, render_mode=None, autoreset_mode=AutoresetMode.NEXT_STEP, max_episode_steps=None, **config):
        self.copies = Copies(env, config, num_envs)
        self.agent = one_agent(self.copies)
        self.num_envs, self.render_mode = num_envs, render_mode
        self.mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": [], "autoreset_mode": self.mode}
        self.single_observation_space, self.single_action_space = seen_space(self.agent["obs"]), done_space(self.agent["action"])
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.all = list(range(num_envs))
        self.seeded = False
        self.over = np.zeros(num_envs, bool)

    def batch(self, numbers):
        """What all copies see, of their numbers [B, O]."""
        seen = [seen_of(self.agent["obs"], row) for row in numbers]
        if isinstance(seen[0], dict):
            return {key: np.stack([one[key] for one in seen]) for key in seen[0]}
        return np.stack(seen) if isinstance(seen[0], np.ndarray) else np.array(seen)

    def keep(self, rows, given):
        """Takes what `rows` see into what all see."""
        _, masks, numbers = given
        self.numbers[rows] = numbers[:, 0]
        if masks is not None:
            self.masks[rows] = masks[:, 0]

    def info(self):
        return {} if self.masks is None else {"action_mask": self.masks.copy(), "_action_mask": np.ones(self.num_envs, bool)}

    def reset(self, *, seed=None, options=None):
        """`options`: {"reset_mask": booleans} resets those copies alone, as Gymnasium's own vectors do."""
        super().reset(seed=seed if isinstance(seed, int) else None)
        rest = dict(options or {})
        mask = rest.pop("reset_mask", None)
        without_effect(rest)
        rows = self.all
        if mask is not None:
            mask = np.asarray(mask)
            if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
                raise WorkbenchError(f"options['reset_mask'] must be {self.num_envs} booleans, at least one of them True.")
            if not self.seeded:
                raise WorkbenchError("Reset all copies first, without a reset_mask.")
            rows = np.flatnonzero(mask).tolist()
        about = self.copies.about
        if seed is None and self.seeded:
            given = self.copies.restart(rows)
        else:
            if seed is None:
                seed = seed_of(self.np_random, None)
            seeds = [seed + i for i in self.all] if isinstance(seed, int) else [seed_of(self.np_random, one) for one in seed]
            given = self.copies.reset(rows, [seeds[row] % 2**32 for row in rows])
        if mask is None:
            self.numbers = np.zeros((self.num_envs, about["width"]), np.float32)
            self.masks = np.zeros((self.num_envs, about["choices"]), np.int8) if about["masked"] else None
        self.seeded = True
        self.over[rows] = False
        self.keep(rows, given)
        return self.batch(self.numbers), self.info()

    def step(self, actions):
        actions = np.asarray(actions).reshape(self.num_envs, 1, -1)
        rewards, terminated, truncated = np.zeros(self.num_envs), np.zeros(self.num_envs, bool), np.zeros(self.num_envs, bool)
        waiting = self.over if self.mode == AutoresetMode.NEXT_STEP else np.zeros(self.num_envs, bool)
        if self.mode == AutoresetMode.DISABLED and self.over.any():
            raise WorkbenchError("Some copies have ended: reset them first.")
        again, playing = np.flatnonzero(waiting), np.flatnonzero(~waiting)
        if len(again):
            self.keep(again, self.copies.restart(again.tolist()))
        if len(playing):
            paid, ended, cut, given = self.copies.act(playing.tolist(), actions[playing])
            rewards[playing], terminated[playing], truncated[playing] = paid[:, 0], ended, cut
            self.keep(playing, given)
        self.over = terminated | truncated
        info = {}
        if self.mode == AutoresetMode.SAME_STEP and self.over.any():
            ended = np.flatnonzero(self.over)
            last = np.full(self.num_envs, None, dtype=object)
            for row in ended:
                last[row] = seen_of(self.agent["obs"], self.numbers[row])
            info = {"final_obs": last, "_final_obs": self.over.copy()}
            self.keep(ended, self.copies.restart(ended.tolist()))
            self.over = np.zeros(self.num_envs, bool)
        return self.batch(self.numbers), rewards, terminated, truncated, {**info, **self.info()}

    def close_extras(self, **kwargs):
        self.copies.close()


def parallel_env(env, **config):
    """A team as PettingZoo's parallel interface has it. `env`: id in the workbench; further arguments are its settings."""
    from pettingzoo import ParallelEnv

    class Team(ParallelEnv):
        metadata = {"render_modes": [], "name": env}

        def __init__(self):
            self.copies = Copies(env, config, 1)
            self.by_name = {agent["name"]: (i, agent) for i, agent in enumerate(self.copies.agents)}
            self.possible_agents = list(self.by_name)
            self.agents = []
            self.observation_spaces = {name: seen_space(agent["obs"]) for name, (_, agent) in self.by_name.items()}
            self.action_spaces = {name: done_space(agent["action"]) for name, (_, agent) in self.by_name.items()}
            self.generator = np.random.default_rng()

        def observation_space(self, agent):
            return self.observation_spaces[agent]

        def action_space(self, agent):
            return self.action_spaces[agent]

        def given(self, names, rows):
            _, masks, numbers = rows
            seen = {name: seen_of(self.by_name[name][1]["obs"], numbers[0, self.by_name[name][0]]) for name in names}
            if masks is None:
                return seen, {name: {} for name in names}
            counts = {name: self.by_name[name][1]["action"]["n"] for name in names}
            return seen, {name: {"action_mask": masks[0, self.by_name[name][0], : counts[name]].copy()} for name in names}

        def reset(self, seed=None, options=None):
            without_effect(options)
            if seed is not None:
                self.generator = np.random.default_rng(seed)
            rows = self.copies.reset([0], [seed_of(self.generator, seed)])
            self.agents = [name for name, (i, _) in self.by_name.items() if rows[0][0, i]]
            return self.given(self.agents, rows)

        def step(self, actions):
            width = self.copies.about["actions"]
            all_actions = np.zeros((1, len(self.by_name), width), np.float32)
            for name, action in actions.items():
                numbers = np.asarray(action, np.float32).ravel()
                all_actions[0, self.by_name[name][0], : numbers.size] = numbers
            rewards, terminated, truncated, rows = self.copies.act([0], all_actions)
            names = list(self.agents)
            seen, infos = self.given(names, rows)
            over = bool(terminated[0] or truncated[0])
            self.agents = [] if over else [name for name in names if rows[0][0, self.by_name[name][0]]]
            gone = set(names) - set(self.agents)
            return (
                seen,
                {name: float(rewards[0, self.by_name[name][0]]) for name in names},
                {name: name in gone and not bool(truncated[0]) for name in names},
                {name: name in gone and bool(truncated[0]) for name in names},
                infos,
            )

        def close(self):
            self.copies.close()

    return Team()


def register():
    """Makes every environment with one agent known to Gymnasium; called when this module is imported. The workbench's process names them."""
    for name, env in json.loads(Host.get().exchange(NAMES, b"")).items():
        full = f"rlw/{name}"
        if full not in gymnasium.registry:
            gymnasium.register(
                id=full,
                entry_point="rlw:WorkbenchEnv",
                vector_entry_point="rlw:WorkbenchVectorEnv",
                kwargs={"env": env},
                order_enforce=True,
                disable_env_checker=True,
            )


register()
