"""Environments with the interface of Gymnasium and PettingZoo, of the standard library alone: what the tests of the bridge serve."""

import os
import random
import time


class Box:
    def __init__(self, low, high, shape, dtype="float32"):
        self.low, self.high, self.shape, self.dtype = low, high, shape, dtype


class Discrete:
    def __init__(self, n, start=0):
        self.n, self.start = n, start


class MultiDiscrete:
    def __init__(self, nvec):
        self.nvec = nvec


class Dict:
    def __init__(self, **spaces):
        self.spaces = spaces


class Tuple:
    def __init__(self, *spaces):
        self.spaces = spaces


class Text:
    pass



class Corridor:
    """Cells 0 to length - 1; action 1 goes on, 0 goes back, 2 ends it there. A hint drawn at the start; masks; its own time limit."""

    def __init__(self, length=5, limit=8):
        self.length, self.limit = length, limit
        self.observation_space = Dict(place=Discrete(length), hint=Box([-1.0, 0.0], [1.0, 10.0], (2,)))
        self.action_space = Discrete(3)
        self.generator = random.Random(0)

    def reset(self, seed=None, options=None):
        if seed is not None:
            self.generator = random.Random(seed)
        self.place, self.steps = 0, 0
        self.hint = [self.generator.uniform(-1, 1), self.generator.uniform(0, 10)]
        return self.seen()

    def seen(self):
        mask = [1 if self.place > 0 else 0, 1, 1 if self.place == self.length - 1 else 0]
        return {"place": self.place, "hint": self.hint}, {"action_mask": mask}

    def step(self, action):
        if action == 0 and self.place == 0:
            raise ValueError("there is no cell behind the first")
        self.steps += 1
        ended = action == 2
        self.place = min(self.length - 1, self.place + (action == 1) - (action == 0))
        self.hint = [self.generator.uniform(-1, 1), self.hint[1]]
        seen, info = self.seen()
        return seen, 1.0 if ended else -0.125, ended, not ended and self.steps >= self.limit, info

    def close(self):
        pass


class Mixed:
    """Choices of several parts, given as they are named."""

    def __init__(self):
        self.observation_space = Tuple(Box(0.0, 1.0, (2,)), MultiDiscrete([2, 3]))
        self.action_space = Dict(turn=Discrete(2, start=-1), arm=MultiDiscrete([2, 3]))

    def reset(self, seed=None, options=None):
        return ([0.25, 0.5], [1, 2]), {}

    def step(self, action):
        turn, (first, second) = action["turn"], action["arm"]
        return ([0.25, 0.5], [first, second]), 100 * turn + 10 * first + second, False, False, {}

    def close(self):
        pass


class Reach:
    """Two continuous numbers with bounds of their own; the reward repeats what came."""

    def __init__(self):
        self.observation_space = Box([0.0, float("-inf")], [1.0, float("inf")], (2,))
        self.action_space = Box([-2.0, 0.0], [2.0, 0.5], (2,))

    def reset(self, seed=None, options=None):
        return [0.5, 3.0], {}

    def step(self, action):
        return [0.5, 3.0], action[0] + 10 * action[1], False, False, {}

    def close(self):
        pass


class Pair:
    """Parallel agents of different sizes; the second leaves after two steps, the first ends after four."""

    possible_agents = ["long", "short"]

    def observation_space(self, agent):
        return Box(0.0, 9.0, (2,) if agent == "long" else (1,))

    def action_space(self, agent):
        return Discrete(3 if agent == "long" else 2)

    def reset(self, seed=None, options=None):
        self.agents, self.steps = list(self.possible_agents), 0
        return self.seen(self.agents), {agent: {} for agent in self.agents}

    def seen(self, agents):
        return {agent: [self.steps, 1.0] if agent == "long" else [self.steps] for agent in agents}

    def step(self, actions):
        self.steps += 1
        stepped = list(self.agents)
        over = {"long": self.steps >= 4, "short": self.steps >= 2}
        self.agents = [agent for agent in stepped if not over[agent]]
        reward = {agent: actions[agent] for agent in stepped}
        truncated = {agent: agent == "long" and over[agent] for agent in stepped}
        terminated = {agent: agent == "short" and over[agent] for agent in stepped}
        return self.seen(stepped), reward, terminated, truncated, {agent: {} for agent in stepped}

    def close(self):
        pass


class Picture:
    """As much of an array as the bridge asks for: cells in a row, red where the agent stands."""

    def __init__(self, length, place):
        self.shape = (8, 8 * length, 3)
        self.line = b"".join((b"\xe0\x20\x20" if cell == place else b"\xf0\xf0\xf0") * 8 for cell in range(length))

    def __getitem__(self, key):
        return self

    def reshape(self, *shape):
        return self

    def mean(self, axis):
        return self

    def astype(self, name):
        return self

    def tobytes(self):
        return self.line * self.shape[0]


class Shown(Corridor):
    """The corridor with pictures."""

    def __init__(self, length=5, limit=8, render_mode=None):
        super().__init__(length, limit)
        self.render_mode = render_mode

    def render(self):
        return Picture(self.length, self.place) if self.render_mode == "rgb_array" else None


class Late(Shown):
    """One whose libraries take their time: the first of a process is there after five seconds."""

    waited = False

    def __init__(self, **arguments):
        if not Late.waited:
            time.sleep(5)
        Late.waited = True
        super().__init__(**arguments)


class Dies(Corridor):
    def step(self, action):
        print("the simulator has crashed", flush=True)
        os._exit(3)


class Hangs(Corridor):
    def step(self, action):
        time.sleep(60)


class Words(Corridor):
    def __init__(self):
        super().__init__()
        self.observation_space = Dict(place=Discrete(5), goal=Dict(mission=Text()))


class Unbounded(Reach):
    def __init__(self):
        super().__init__()
        self.action_space = Box(float("-inf"), float("inf"), (1,))
