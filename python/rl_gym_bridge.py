"""Serves a Gymnasium or PettingZoo (parallel) environment to the RL Workbench over a local socket.

One file, standard library only; gymnasium, pettingzoo and numpy are used where the environment brings them. The command line starts it
(npm run rl -- train --gym ID, npm run rl -- gym ID); by hand:

    RL_GYM_TOKEN=secret python3 rl_gym_bridge.py CartPole-v1

It listens at 127.0.0.1 on a free port, prints one line of JSON with it, and serves one connection after the other. The wire format stands in
docs/python.md: every message has a header of 12 bytes whose length is checked before anything is read, the first one brings the token.
"""

import array
import hmac
import importlib
import inspect
import json
import math
import os
import socket
import struct
import sys
import traceback

WIRE = 1
MAGIC = b"RLWG"
HEADER = struct.Struct("<4sBBHI")  # magic, wire version, type, 0, bytes of the body

HELLO, MAKE, RESET, STEP, RENDER, LOAD, CLOSE = 1, 2, 3, 4, 5, 6, 7
OK, ERROR = 128, 255

MOST_BYTES = 64 << 20  # of a body
MOST_HELLO = 4096  # before the token was seen
MOST_COPIES = 1024
MOST_SETS = 64  # sets of copies; the one that was longest unused is closed for a new one
MOST_AGENTS = 64
MOST_CHOICES = 4096
MOST_NUMBERS = 1 << 22
MOST_LABELS = 256
PICTURE = (240, 160)  # a picture is made smaller by whole factors until it fits
HELLO_SECONDS = 10

# How observations are read. 1: pictures as they lie, bytes of a picture that is the whole observation divided by 255. 2, since version 2 of these
# environments: channels last, and bytes from 0 to 255 divided by 255 wherever they stand. Policies of older runs go on with 1.
READINGS = (1, 2)
SMALLEST_PICTURE = 8  # along a side, of grey pictures without an axis for channels


class Refused(Exception):
    """What cannot be served, in words: message and what to do."""

    def __init__(self, message, fix):
        super().__init__(message)
        self.message, self.fix = message, fix


# Spaces are read by the names of their classes, so that any library with the same interface will do.


def kind_of(space):
    known = ("Box", "Discrete", "MultiDiscrete", "MultiBinary", "Dict", "Tuple")
    for cls in type(space).__mro__:
        if cls.__name__ in known:
            return cls.__name__
    return type(space).__name__


def flat(value):
    """A number, nested lists or an array as a list of floats."""
    if hasattr(value, "ravel"):
        return value.ravel().tolist()
    if isinstance(value, (list, tuple)):
        return [x for part in value for x in flat(part)]
    if hasattr(value, "__array__"):  # frames that are stacked when they are asked for
        return value.__array__().ravel().tolist()
    return [float(value)]


def number(value, what):
    """One number that came as itself, as an array or as a list of one."""
    values = flat(value)
    if len(values) != 1:
        raise ValueError(f"{what} has {len(values)} numbers, not one: add them up with a wrapper (of several goals, weigh them)")
    return float(values[0])


def of_bytes(space):
    """Whether a Box holds bytes from 0 to 255."""
    return "uint8" in str(space.dtype) and all(x == 0 for x in flat(space.low)) and all(x == 255 for x in flat(space.high))


def picture_of(space):
    """Of a Box that is a picture: its axes in the order height, width, channels (of a stack: frames and channels together), and its shape so. None: it is none."""
    shape = [int(n) for n in space.shape]
    if len(shape) == 3:
        first = shape[0] < shape[1] and shape[0] < shape[2]  # the smallest axis holds the channels, as Stable-Baselines3 has it
        axes = [1, 2, 0] if first else [0, 1, 2]
        return axes, [shape[axis] for axis in axes]
    if len(shape) == 4 and of_bytes(space):  # frames that stand before pictures
        first = shape[1] < shape[2] and shape[1] < shape[3]
        axes = [2, 3, 0, 1] if first else [1, 2, 0, 3]
        return axes, [shape[axes[0]], shape[axes[1]], shape[axes[2]] * shape[axes[3]]]
    if len(shape) == 2 and of_bytes(space) and min(shape) >= SMALLEST_PICTURE:
        return [0, 1], [*shape, 1]
    return None


def order_of(shape, axes):
    """Where each number of an array whose axes are turned stood before."""
    strides = [size_of(shape[i + 1 :]) for i in range(len(shape))]
    order = [0]
    for axis in axes:
        order = [at + i * strides[axis] for at in order for i in range(shape[axis])]
    return order


def finite(x):
    x = float(x)
    return x if math.isfinite(x) and abs(x) < 1e30 else None


def bounds(space, size):
    """Lows and highs of a Box, one for each number; None: no bound."""
    low, high = ([finite(x) for x in flat(end)] for end in (space.low, space.high))
    return (low * size if len(low) == 1 else low), (high * size if len(high) == 1 else high)


def size_of(shape):
    size = 1
    for n in shape:
        size *= int(n)
    return size


def named(path, count):
    if not path:
        return [f"number {i + 1}" for i in range(count)]
    return [path] if count == 1 else [f"{path}[{i}]" for i in range(count)]


def children(space):
    if kind_of(space) == "Dict":
        return [(str(key), key, part) for key, part in space.spaces.items()]
    return [(str(i), i, part) for i, part in enumerate(space.spaces)]


def join(path, name):
    return f"{path}.{name}" if path else name


class Seen:
    """What one agent sees, read in one of READINGS: a description, and the numbers of an observation."""

    def __init__(self, space, leave, reading):
        self.reading = reading
        self.parts = []  # (path to the part, one-hot sizes or None, how many numbers, what they are divided by)
        self.low, self.high, self.labels, self.notes = [], [], [], []
        self.axes = self.order = self.shape = None  # of a picture that is turned
        kind = kind_of(space)
        shape = None
        if kind == "Box" and len(space.shape) == 3 and reading == 1:
            shape = [int(n) for n in space.shape]
        elif kind == "Box" and reading > 1 and (picture := picture_of(space)) is not None:
            axes, shape = picture
            if axes != list(range(len(axes))):
                self.axes, self.shape = axes, [int(n) for n in space.shape]
                self.order = order_of(self.shape, axes)
                self.notes.append(f"{' x '.join(map(str, self.shape))} in Python, channels not last: turned to {' x '.join(map(str, shape))}")
        self.old_picture = reading == 1 and shape is not None and "uint8" in str(space.dtype)
        if kind == "Discrete":
            self.read(space, (), "state", leave)
            self.space = {"kind": "discrete", "n": int(space.n)}
        else:
            self.read(space, (), "", leave)
            size = len(self.low)
            if size == 0:
                raise Refused("The observation has no numbers.", "Leave fewer of its parts out.")
            ends = lambda values, pick: None if any(x is None for x in values) else pick(values)
            self.space = {"kind": "box", "shape": shape or [size], "low": ends(self.low, min), "high": ends(self.high, max)}
            if self.old_picture:
                self.space.update(low=0, high=1)
            elif size <= MOST_LABELS and (shape is None or reading == 1):
                self.space["labels"] = self.labels
        self.size = len(self.low)
        if self.size > MOST_NUMBERS:
            raise Refused(f"The observation has {self.size} numbers.", f"At most {MOST_NUMBERS} are served: make it smaller with a wrapper.")

    def read(self, space, path, name, leave):
        if name in leave:
            return
        kind = kind_of(space)
        if kind in ("Dict", "Tuple"):
            for label, key, part in children(space):
                self.read(part, (*path, key), join(name, label), leave)
        elif kind == "Box":
            size = size_of(space.shape)
            low, high = bounds(space, size)
            by = 255 if (self.old_picture or (self.reading > 1 and of_bytes(space))) else 1
            if by > 1 and self.reading > 1:
                low, high = [0.0] * size, [1.0] * size
                self.notes.append(f"bytes{f' of {name}' if name else ''} from 0 to 255: divided by 255")
            self.low += low
            self.high += high
            self.labels += named(name, size) if size <= MOST_LABELS else [""] * size
            self.parts.append((path, None, size, by))
        elif kind == "MultiBinary":
            size = size_of(space.n) if isinstance(space.n, (tuple, list)) else int(space.n)
            self.one_hot(path, None, size, named(name, size))
        elif kind == "Discrete":
            sizes = [(int(space.n), int(getattr(space, "start", 0)))]
            self.one_hot(path, sizes, int(space.n), [f"{name or 'state'}={i}" for i in range(int(space.n))])
        elif kind == "MultiDiscrete":
            starts = flat(getattr(space, "start", 0)) or [0]
            counts = [int(n) for n in flat(space.nvec)]
            starts = starts * len(counts) if len(starts) == 1 else starts
            sizes = list(zip(counts, (int(s) for s in starts)))
            labels = [f"{part}={i}" for part, n in zip(named(name, len(counts)), counts) for i in range(n)]
            self.one_hot(path, sizes, sum(counts), labels)
        else:
            where = f'"{name}" of the observation' if name else "The observation"
            raise Refused(
                f"{where} is a {kind} space, which is not served.",
                "Box, Discrete, MultiDiscrete, MultiBinary, and Dict and Tuple of them are. Give numbers in its place with a wrapper"
                + (f", or leave it out: --gym-leave {name}." if name else "."),
            )

    def one_hot(self, path, sizes, size, labels):
        self.low += [0.0] * size
        self.high += [1.0] * size
        self.labels += labels
        self.parts.append((path, sizes, size, 1))

    def numbers(self, observation):
        """All numbers of an observation, as float32 bytes. ValueError where there are more or fewer than the space says."""
        whole = len(self.parts) == 1 and self.parts[0][1] is None and not self.parts[0][0]
        if whole and not hasattr(observation, "astype") and hasattr(observation, "__array__"):
            observation = observation.__array__()
        if whole and hasattr(observation, "astype"):
            values = observation.astype("float32")
            if values.size != self.size:
                raise ValueError(f"the observation has {values.size} numbers, its space {self.size}")
            if self.parts[0][3] > 1:
                values = values / values.dtype.type(self.parts[0][3])
            if self.axes is not None:
                values = values.reshape(self.shape).transpose(self.axes)
            return values.tobytes()
        out = array.array("f")
        for path, sizes, size, by in self.parts:
            part = observation
            for key in path:
                part = part[key]
            values = flat(part)
            if sizes is None:
                if len(values) != size:
                    raise ValueError(f"{'.'.join(map(str, path)) or 'the observation'} has {len(values)} numbers, its space {size}")
                if self.order is not None:
                    values = [values[at] for at in self.order]
                out.extend(x / by for x in values) if by > 1 else out.extend(values)
                continue
            if len(values) != len(sizes):
                raise ValueError(f"{'.'.join(map(str, path)) or 'the observation'} has {len(values)} numbers, its space {len(sizes)}")
            for value, (n, start) in zip(values, sizes):
                at = int(value) - start
                if not 0 <= at < n:
                    raise ValueError(f"{'.'.join(map(str, path)) or 'the observation'} is {value}, its space goes from {start} to {start + n - 1}")
                out.extend([0.0] * at + [1.0] + [0.0] * (n - 1 - at))
        return little(out).tobytes()


def little(values):
    if sys.byteorder == "big":
        values.byteswap()
    return values


class Done:
    """What one agent does: one number of a list of choices, or a list of numbers between bounds."""

    def __init__(self, space):
        self.root = space
        self.low, self.high, self.labels, self.counts, self.names = [], [], [], [], []
        self.read(space, "")
        if self.counts and self.low:
            raise Refused(
                "The action has choices and continuous numbers together.", "Choose one kind: fix the others, or cut them up, with a wrapper."
            )
        if self.counts:
            n = size_of(self.counts)
            if n > MOST_CHOICES:
                raise Refused(f"The action has {n} combinations of choices.", f"At most {MOST_CHOICES} are served: leave some out with a wrapper.")
            self.size = 1
            self.space = {"kind": "discrete", "n": n, "labels": [self.label(i) for i in range(n)]}
        else:
            if not self.low:
                raise Refused("The action has no numbers.", "Give the environment an action.")
            bad = [name for name, low, high in zip(self.labels, self.low, self.high) if low is None or high is None]
            if bad:
                raise Refused(f'"{bad[0]}" of the action has no bounds.', "Give it some with a wrapper (RescaleAction, TransformAction).")
            self.size = len(self.low)
            self.space = {"kind": "box", "size": self.size, "low": self.low, "high": self.high, "labels": self.labels}

    def read(self, space, name):
        kind = kind_of(space)
        if kind in ("Dict", "Tuple"):
            for label, _, part in children(space):
                self.read(part, join(name, label))
        elif kind == "Box" and "float" in str(space.dtype):
            size = size_of(space.shape)
            low, high = bounds(space, size)
            self.low += low
            self.high += high
            self.labels += named(name, size)
        elif kind == "Discrete":
            self.counts.append(int(space.n))
            self.names.append(name)
        elif kind == "MultiDiscrete":
            counts = [int(n) for n in flat(space.nvec)]
            self.counts += counts
            self.names += named(name, len(counts))
        elif kind == "MultiBinary":
            size = size_of(space.n) if isinstance(space.n, (tuple, list)) else int(space.n)
            self.counts += [2] * size
            self.names += named(name, size)
        else:
            where = f'"{name}" of the action' if name else "The action"
            raise Refused(f"{where} is a {kind} space, which is not served.", "Box of floats, Discrete, MultiDiscrete, MultiBinary, and Dict and Tuple of them are.")

    def choices(self, index):
        """Of one number, the choice in each part; the last part changes fastest."""
        out = []
        for n in reversed(self.counts):
            out.append(index % n)
            index //= n
        return out[::-1]

    def label(self, index):
        if len(self.counts) == 1:
            return str(index)
        return ", ".join(f"{name}={choice}" for name, choice in zip(self.names, self.choices(index)))

    def action(self, values):
        """The environment's own action of the numbers that came."""
        parts = self.choices(int(values[0])) if self.counts else list(values)
        return self.build(self.root, iter(parts))

    def build(self, space, parts):
        kind = kind_of(space)
        if kind == "Dict":
            return {key: self.build(part, parts) for _, key, part in children(space)}
        if kind == "Tuple":
            return tuple(self.build(part, parts) for _, _, part in children(space))
        if kind == "Discrete":
            return as_number(next(parts) + int(getattr(space, "start", 0)))
        if kind == "Box":
            return as_array([next(parts) for _ in range(size_of(space.shape))], space.dtype, space.shape)
        if kind == "MultiBinary":
            shape = space.n if isinstance(space.n, (tuple, list)) else (space.n,)
            return as_array([next(parts) for _ in range(size_of(shape))], "int8", shape)
        counts = flat(space.nvec)
        starts = flat(getattr(space, "start", 0)) or [0]
        starts = starts * len(counts) if len(starts) == 1 else starts
        return as_array([next(parts) + int(start) for start in starts], "int64", getattr(space, "shape", (len(counts),)))


def as_number(value):
    """A choice as Gymnasium's own spaces draw it, with item() and the like; an environment without numpy is given an int."""
    numpy = sys.modules.get("numpy")
    return value if numpy is None else numpy.int64(value)


def as_array(values, dtype, shape):
    try:
        import numpy
    except ImportError:
        return values  # an environment without numpy is given lists
    return numpy.array(values, dtype=dtype).reshape(shape)


def build_environment(name, arguments, pictures):
    """The environment of MODULE:NAME or of a registered id. `pictures`: made so that render() gives them, where it can."""
    ways = [{**arguments, "render_mode": "rgb_array"}, arguments] if pictures and "render_mode" not in arguments else [arguments]
    for n, kwargs in enumerate(ways):
        try:
            return build_once(name, kwargs)
        except Refused:
            raise
        except Exception:
            if n + 1 == len(ways):
                raise
    raise AssertionError


def build_once(name, kwargs):
    module, _, attribute = name.partition(":")
    if attribute:
        target = getattr(importlib.import_module(module), attribute, None)
        if target is None:
            try:
                target = importlib.import_module(f"{module}.{attribute}")
            except ModuleNotFoundError:
                target = None
        target = getattr(target, "parallel_env", target)
        if callable(target):
            return target(**kwargs)
    import gymnasium

    return gymnasium.make(name, disable_env_checker=True, **kwargs)


OLD = "Gym before 0.26 or PettingZoo before 1.23"
NEWER = (
    "Bring it to Gymnasium's interface: reset(seed=None, options=None) gives (observation, info), step gives (observation, reward, terminated, "
    "truncated, info). shimmy.GymV21CompatibilityV0(env=...) and shimmy.GymV26CompatibilityV0(env=...) wrap environments of Gym so."
)


def takes_seed(reset):
    """Whether reset takes a seed, as far as its signature says."""
    try:
        named = inspect.signature(reset).parameters
    except (TypeError, ValueError):
        return True
    return "seed" in named or any(one.kind is inspect.Parameter.VAR_KEYWORD for one in named.values())


def of_reset(given, many):
    """Observation and info of what reset gave. Refused where it is the interface of before."""
    pair = isinstance(given, (tuple, list)) and len(given) == 2 and (given[1] is None or isinstance(given[1], dict))
    if not pair or (many and not isinstance(given[0], dict)):
        raise Refused(f"Its reset() gives an observation without its info: it has the interface of {OLD}.", NEWER)
    return given[0], given[1] or {}


def of_step(given):
    """The five things that step gave. Refused where they are the four of before."""
    count = len(given) if isinstance(given, (tuple, list)) else 1
    if count == 4:
        raise Refused(f"Its step() gives four things (done in place of terminated and truncated): it has the interface of {OLD}.", NEWER)
    if count != 5:
        raise Refused(f"Its step() gives {count} things, not five.", NEWER)
    return given


class Copy:
    """One environment: solo and parallel ones look alike from outside."""

    def __init__(self, env):
        self.env = env
        self.many = hasattr(env, "possible_agents")
        if hasattr(env, "agent_iter") and hasattr(env, "last"):
            raise Refused("This environment lets agents move one after the other (AEC).", "Serve its parallel form, or wrap it: aec_to_parallel.")
        self.agents = list(env.possible_agents) if self.many else ["agent"]
        self.live = set()

    def spaces(self, agent):
        if self.many:
            return self.env.observation_space(agent), self.env.action_space(agent)
        return self.env.observation_space, self.env.action_space

    def reset(self, seed):
        observation, info = of_reset(self.env.reset(seed=seed), self.many)
        if not self.many:
            observation, info = {"agent": observation}, {"agent": info}
        self.live = set(self.env.agents) if self.many else {"agent"}
        return observation, info

    def step(self, actions):
        """observations, rewards, terminated, truncated, infos; the flags are of the episode."""
        if not self.many:
            observation, reward, terminated, truncated, info = of_step(self.env.step(actions["agent"]))
            return {"agent": observation}, {"agent": reward}, flag(terminated), flag(truncated), {"agent": info}
        given = {agent: action for agent, action in actions.items() if agent in self.live}
        observation, reward, terminations, truncations, info = of_step(self.env.step(given))
        over = {agent for agent in self.live if terminations.get(agent) or truncations.get(agent)}
        self.live = {agent for agent in self.env.agents if agent not in over}
        if self.live:
            return observation, reward, False, False, info
        truncated = any(truncations.get(agent) for agent in over)
        return observation, reward, not truncated, bool(truncated), info


def flag(value):
    """A flag that came as itself, as an array or as a list of one."""
    return bool(number(value, "a flag of the end"))


def mask_of(copy, agent, observation, info):
    """Which choices are legal, where the environment says so: in `info`, beside the observation, or by action_masks()."""
    if isinstance(info, dict) and info.get("action_mask") is not None:
        return flat(info["action_mask"])
    if isinstance(observation, dict) and "action_mask" in observation:
        return flat(observation["action_mask"])
    masks = getattr(getattr(copy.env, "unwrapped", copy.env), "action_masks", None)
    return flat(masks()) if not copy.many and callable(masks) else None


class Served:
    """What is served: how to make copies, and what they see and do."""

    def __init__(self, name, arguments, leave):
        self.name, self.arguments = name, arguments
        copy = Copy(build_environment(name, arguments, pictures=True))
        try:
            if len(copy.agents) > MOST_AGENTS:
                raise Refused(f"It has {len(copy.agents)} agents.", f"At most {MOST_AGENTS} are served.")
            spaces = [copy.spaces(agent) for agent in copy.agents]
            self.leave = set(leave)
            if any(kind_of(seen) == "Dict" and "action_mask" in seen.spaces for seen, _ in spaces):
                self.leave.add("action_mask")
            self.agents = copy.agents
            self.seen = {reading: [Seen(seen, self.leave, reading) for seen, _ in spaces] for reading in READINGS}
            self.done = [Done(action) for _, action in spaces]
            kinds = {bool(done.counts) for done in self.done}
            if len(kinds) > 1:
                raise Refused("Some agents choose and others give continuous numbers.", "Give all of them the same kind of action with a wrapper.")
            self.discrete = kinds == {True}
            self.width = max(seen.size for seen in self.seen[1])  # the same in every reading
            self.action_width = max(done.size for done in self.done)
            self.choices = max(done.space["n"] for done in self.done) if self.discrete else 0
            if not takes_seed(copy.env.reset):
                raise Refused(f"Its reset() takes no seed: it has the interface of {OLD}.", NEWER)
            observation, info = copy.reset(0)
            self.masked = self.discrete and any(mask_of(copy, a, observation.get(a), info.get(a, {})) is not None for a in copy.agents)
            picture = render(copy.env)
            self.picture = None if picture is None else picture[:2]
            env = copy.env
            spec = getattr(env, "spec", None)
            limit = getattr(spec, "max_episode_steps", None) or getattr(getattr(env, "unwrapped", env), "max_cycles", None)
            self.limit = int(limit) if isinstance(limit, int) and limit > 0 else 0
            fps = (getattr(env, "metadata", None) or {}).get("render_fps")
            self.fps = min(120, max(1, round(fps))) if isinstance(fps, (int, float)) else 30
        finally:
            close(copy.env)

    def description(self):
        return {
            "wire": WIRE,
            "name": self.name,
            "versions": versions(),
            "agents": [
                {
                    "name": str(agent),
                    "obs": seen.space,
                    **({"first": first.space} if first.space != seen.space else {}),
                    **({"notes": seen.notes[:8]} if seen.notes else {}),
                    "action": done.space,
                }
                for agent, first, seen, done in zip(self.agents, self.seen[1], self.seen[2], self.done)
            ],
            "masked": self.masked,
            "limit": self.limit,
            "fps": self.fps,
            "picture": list(self.picture) if self.picture else None,
        }


def versions():
    out = {"python": sys.version.split()[0]}
    for name in ("gymnasium", "pettingzoo", "numpy"):
        if name in sys.modules:
            out[name] = str(getattr(sys.modules[name], "__version__", "?"))
    return out


def close(env):
    try:
        env.close()
    except Exception:  # what cannot be closed is let go
        traceback.print_exc()


def render(env):
    """(width, height, RGB bytes) of a picture made smaller by whole factors; None: there is none."""
    try:
        picture = env.render()
    except Exception:
        return None  # many environments have no picture; one that had is drawn empty
    shape = getattr(picture, "shape", None)
    if shape is None or len(shape) != 3 or shape[2] < 3:
        return None
    height, width = int(shape[0]), int(shape[1])
    factor = max(1, math.ceil(width / PICTURE[0]), math.ceil(height / PICTURE[1]))
    h, w = height // factor, width // factor
    part = picture[: h * factor, : w * factor, :3].reshape(h, factor, w, factor, 3).mean(axis=(1, 3))
    return w, h, part.astype("uint8").tobytes()


class Copies:
    """A set of copies of one environment that step together."""

    def __init__(self, served, count, pictures, reading):
        self.served = served
        self.reading = reading
        self.copies = []
        self.pictures = pictures
        for _ in range(count):
            self.copies.append(Copy(build_environment(served.name, served.arguments, pictures)))
        self.seeds = [0] * count
        # A single copy is there to be watched: its last episodes can be gone back in.
        self.kept = {} if count == 1 else None
        self.open = [False] * count

    def close(self):
        for copy in self.copies:
            close(copy.env)

    def seen(self, copy, observation, info):
        """Bytes of one row: alive [A], mask [A, N] where there are masks, observations [A, O]."""
        s = self.served
        alive, masks, rows = bytearray(), bytearray(), []
        for i, agent in enumerate(s.agents):
            there = observation.get(agent)
            alive.append(1 if agent in copy.live else 0)
            if s.masked:
                mask = None if there is None else mask_of(copy, agent, there, info.get(agent, {}))
                n = s.done[i].space["n"]
                legal = [1] * n if mask is None else [1 if x else 0 for x in mask]
                if len(legal) != n:
                    raise ValueError(f"the mask of {agent} has {len(legal)} entries, its action {n} choices")
                masks += bytes(legal) + bytes(s.choices - n)
            own = s.seen[self.reading][i]
            numbers = bytes(4 * own.size) if there is None else own.numbers(there)
            rows.append(numbers + bytes(4 * (s.width - own.size)))
        return bytes(alive), bytes(masks), b"".join(rows)

    def reset(self, pairs):
        out = []
        for row, seed in pairs:
            observation, info = self.copies[row].reset(seed)
            self.seeds[row], self.open[row] = seed, True
            if self.kept is not None:
                self.kept[seed] = []
                while len(self.kept) > 32:
                    del self.kept[next(iter(self.kept))]
            out.append(self.seen(self.copies[row], observation, info))
        return join_rows(out)

    def step_row(self, row, values):
        s, copy, width = self.served, self.copies[row], self.served.action_width
        if not self.open[row]:
            raise ValueError(f"copy {row} has ended or was never reset")
        actions = {agent: s.done[i].action(values[i * width : i * width + s.done[i].size]) for i, agent in enumerate(s.agents)}
        observation, reward, terminated, truncated, info = copy.step(actions)
        if self.kept is not None:
            self.kept.setdefault(self.seeds[row], []).append(values)
        self.open[row] = not (terminated or truncated)
        rewards = little(array.array("f", [number(reward.get(agent, 0.0), f"the reward of {agent}") for agent in s.agents])).tobytes()
        return rewards, bytes([terminated]), bytes([truncated]), self.seen(copy, observation, info)

    def step(self, actions):
        width = self.served.action_width * len(self.served.agents)
        rows = [self.step_row(row, actions[row * width : (row + 1) * width]) for row in range(len(self.copies))]
        return b"".join(b"".join(part) for part in zip(*(row[:3] for row in rows))) + join_rows([row[3] for row in rows])

    def load(self, row, seed, steps):
        """The moment so many steps after the start from a seed, by doing again what was done there. Refused where that is not known."""
        done = (self.kept or {}).get(seed, [])
        if steps > len(done):
            raise Refused("This moment of an environment in Python is not kept.", "States of such environments cannot be loaded: begin a new episode.")
        again = done[:steps]
        out = self.reset([(row, seed)])
        for values in again:
            out = join_rows([self.step_row(row, values)[3]])
        self.open[row] = True
        return out


def join_rows(rows):
    return b"".join(b"".join(part) for part in zip(*rows))


class Wrong(Exception):
    """A message that is not one of the wire: the connection is closed."""


def receive(connection, most):
    """(type, body) of the next message; None: the other side has ended. Wrong for what is none, before its body is read."""
    head = read(connection, HEADER.size)
    if head is None:
        return None
    magic, wire, kind, zero, length = HEADER.unpack(head)
    if magic != MAGIC or zero != 0:
        raise Wrong("this is not the workbench's wire")
    if wire != WIRE:
        raise Wrong(f"wire version {wire}; this bridge has {WIRE}")
    if length > most:
        raise Wrong(f"a body of {length} bytes; at most {most}")
    body = read(connection, length)
    if body is None:
        raise Wrong("the connection ended within a message")
    return kind, body


def read(connection, count):
    parts = bytearray()
    while len(parts) < count:
        got = connection.recv(min(1 << 16, count - len(parts)))
        if not got:
            return None if not parts else broken()
        parts += got
    return bytes(parts)


def broken():
    raise Wrong("the connection ended within a message")


def send(connection, kind, body):
    connection.sendall(HEADER.pack(MAGIC, WIRE, kind, 0, len(body)) + body)


def send_error(connection, what, message, fix):
    send(connection, ERROR, json.dumps({"kind": what, "message": message[:2000], "fix": fix[:2000]}).encode())


def numbers_of(body, code, count, what):
    if len(body) != 4 * count:
        raise Wrong(f"{what} of {len(body)} bytes, not {4 * count}")
    values = array.array(code)
    values.frombytes(body)
    return list(little(values))


class Session:
    def __init__(self, served):
        self.served = served
        self.sets = {}
        self.next = 1

    def close(self):
        for copies in self.sets.values():
            copies.close()
        self.sets = {}

    def of(self, handle):
        if handle not in self.sets:
            raise Refused("These copies were closed, because others were made since.", "Begin again.")
        self.sets[handle] = self.sets.pop(handle)  # the last used stands last
        return self.sets[handle]

    def answer(self, kind, body):
        if not MAKE <= kind <= CLOSE:
            raise Wrong(f"message type {kind}")
        if kind == MAKE:
            asked = json.loads(body.decode("utf-8"))
            count = asked.get("copies") if isinstance(asked, dict) else None
            if not isinstance(count, int) or not 1 <= count <= MOST_COPIES:
                raise Wrong(f"copies must be 1 to {MOST_COPIES}")
            reading = asked.get("reading", 1)
            if reading not in READINGS:
                raise Wrong(f"a reading that is none of {READINGS}")
            while len(self.sets) >= MOST_SETS:
                self.sets.pop(next(iter(self.sets))).close()
            handle, self.next = self.next, self.next + 1
            self.sets[handle] = Copies(self.served, count, asked.get("pictures") is True, reading)
            return struct.pack("<I", handle)
        if len(body) < 4:
            raise Wrong("a message without its handle")
        (handle,) = struct.unpack_from("<I", body)
        if kind == CLOSE:
            if handle in self.sets:
                self.sets.pop(handle).close()
            return b""
        copies, rest = self.of(handle), body[4:]
        count = len(copies.copies)
        if kind == RESET:
            if len(rest) % 8 or not 0 < len(rest) <= 8 * count:
                raise Wrong("a reset of other than pairs of row and seed")
            pairs = list(struct.iter_unpack("<II", rest))
            if any(row >= count for row, _ in pairs):
                raise Wrong("a row that is not there")
            return copies.reset(pairs)
        if kind == STEP:
            size = count * len(self.served.agents) * self.served.action_width
            actions = numbers_of(rest, "i" if self.served.discrete else "f", size, "actions")
            if self.served.discrete and any(not 0 <= a < self.served.choices for a in actions):
                raise Wrong("an action that is none of the choices")
            return copies.step(actions)
        if kind == RENDER:
            (row,) = numbers_of(rest, "I", 1, "a row")
            picture = render(copies.copies[row].env) if row < count else None
            return struct.pack("<II", 0, 0) if picture is None else struct.pack("<II", *picture[:2]) + picture[2]
        if kind == LOAD:
            row, seed, steps = numbers_of(rest, "I", 3, "a state")
            if row >= count:
                raise Wrong("a row that is not there")
            return copies.load(row, seed, steps)
        raise AssertionError(kind)


def where(error):
    """Class and words of an error of the environment, and the line that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    at = f" ({os.path.basename(frames[-1].filename)}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{at}"


def serve_connection(connection, token, served):
    """True where a client with the token was served."""
    connection.settimeout(HELLO_SECONDS)
    first = receive(connection, MOST_HELLO)
    if first is None:
        return False
    kind, body = first
    try:
        given = json.loads(body.decode("utf-8")).get("token") if kind == HELLO else None
    except (ValueError, AttributeError):
        given = None
    if not isinstance(given, str) or not hmac.compare_digest(given.encode(), token.encode()):
        send_error(connection, "token", "The token is missing or wrong.", "Connect with the token that this bridge was started with.")
        return False
    connection.settimeout(None)
    send(connection, OK, json.dumps(served.description()).encode())
    session = Session(served)
    try:
        while (message := receive(connection, MOST_BYTES)) is not None:
            try:
                answer = session.answer(*message)
            except Wrong:
                raise
            except Refused as refused:
                send_error(connection, "refused", refused.message, refused.fix)
            except Exception as error:  # of the environment: said, and served on
                traceback.print_exc()
                send_error(connection, "environment", where(error), "Look at the environment's code; the whole trace stands in the bridge's output.")
            else:
                send(connection, OK, answer)
    finally:
        session.close()
    return True


def options(args):
    """(name, arguments, left out, port, whether it ends with its first client)"""
    name, arguments, leave, port, once = None, {}, [], 0, False
    rest = list(args)
    while rest:
        arg = rest.pop(0)
        if arg == "--once":
            once = True
        elif arg in ("--args", "--leave", "--port"):
            if not rest:
                raise Refused(f"{arg} needs a value.", "See the top of this file.")
            value = rest.pop(0)
            if arg == "--args":
                arguments = json.loads(value)
            elif arg == "--leave":
                leave.append(value)
            else:
                port = int(value)
        elif name is None:
            name = arg
        else:
            raise Refused(f'"{arg}" is not understood.', "Give one environment: MODULE:NAME or an id.")
    if name is None or not isinstance(arguments, dict):
        raise Refused("Which environment?", 'Give MODULE:NAME or an id, and --args as a JSON object: --args \'{"size": 5}\'.')
    return name, arguments, leave, port, once


def own_channel():
    """
    The channel to the one that started this. What environments print goes to stderr from here on: prints of Python, and those of native
    libraries and of programs that they start, which write to the descriptor itself.
    """
    sys.stdout.flush()
    talk = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return talk


def say(talk, line):
    talk.write(json.dumps(line) + "\n")
    talk.flush()


def main(args):
    talk = own_channel()
    token = os.environ.pop("RL_GYM_TOKEN", "")
    if not token:
        say(talk, {"error": "RL_GYM_TOKEN is not set.", "fix": "Set it to a secret that the client is given too."})
        return 2
    sys.path.insert(0, os.getcwd())
    try:
        name, arguments, leave, port, once = options(args)
        served = Served(name, arguments, leave)
    except Refused as refused:
        say(talk, {"error": refused.message, "fix": refused.fix})
        return 2
    except Exception as error:
        traceback.print_exc()
        missing = isinstance(error, ModuleNotFoundError)
        fix = f"Install it for {sys.executable}, or name another interpreter with --python." if missing else "The whole trace stands above."
        say(talk, {"error": where(error), "fix": fix})
        return 2
    with socket.create_server(("127.0.0.1", port)) as server:
        say(talk, {"port": server.getsockname()[1]})
        while True:
            connection, _ = server.accept()
            with connection:
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                try:
                    served_one = serve_connection(connection, token, served)
                except (Wrong, OSError) as error:
                    print(f"connection closed: {error}", file=sys.stderr)
                    served_one = False
            if once and served_one:
                return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
