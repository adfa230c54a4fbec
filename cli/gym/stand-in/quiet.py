"""Environments with arrays of numpy and the ways of real ones. Tried by cli/gym/field.test.ts."""
import numpy as np
class Box:
    def __init__(self, low, high, shape, dtype="float32"):
        self.low, self.high, self.shape, self.dtype = np.full(shape, low), np.full(shape, high), shape, np.dtype(dtype)
class Discrete:
    def __init__(self, n, start=0): self.n, self.start = n, start
class Chatty:
    def __init__(self):
        self.observation_space = Box(-1, 1, (2,)); self.action_space = Discrete(2); self.t = 0
    def reset(self, seed=None, options=None):
        self.t = 0; return np.zeros(2, np.float32), {}
    def step(self, a):
        self.t += 1; return np.ones(2, np.float32), float(a), False, self.t >= 5, {}
    def close(self): pass
class Stacked(Chatty):
    """Four grey frames, channels first, as frame stacking of Atari gives them."""
    def __init__(self, shape=(4, 84, 84)):
        super().__init__(); self.shape = tuple(shape)
        self.observation_space = Box(0, 255, self.shape, "uint8")
    def reset(self, seed=None, options=None):
        self.t = 0; return np.zeros(self.shape, np.uint8), {}
    def step(self, a):
        self.t += 1; return np.full(self.shape, 255, np.uint8), float(a), False, self.t >= 5, {}

class Mini(Chatty):
    """A picture of bytes inside a Dict, as MiniGrid and ViZDoom give it."""
    class Dict:
        def __init__(self, **s): self.spaces = s
    def __init__(self):
        super().__init__(); self.observation_space = Mini.Dict(image=Box(0, 255, (7, 7, 3), "uint8"), direction=Discrete(4))
    def o(self): return {"image": np.full((7, 7, 3), 255, np.uint8), "direction": 1}
    def reset(self, seed=None, options=None): self.t = 0; return self.o(), {}
    def step(self, a): self.t += 1; return self.o(), float(a), False, self.t >= 5, {}
class OldApi(Chatty):
    """The interface of Gym before 0.26: reset gives the observation alone, step gives four things."""
    def reset(self): return np.zeros(2, np.float32)
    def step(self, a): return np.ones(2, np.float32), 0.0, True, {}
class NanObs(Chatty):
    def step(self, a): self.t += 1; return np.array([np.nan, 0], np.float32), 1.0, False, self.t >= 5, {}
class InfReward(Chatty):
    def step(self, a): self.t += 1; return np.ones(2, np.float32), float("inf"), False, self.t >= 5, {}
class Outside(Chatty):
    """Numbers beyond its own space, as many real environments give them."""
    def step(self, a): self.t += 1; return np.array([50.0, -50.0], np.float32), 1.0, False, self.t >= 5, {}
class NoRender(Chatty):
    metadata = {"render_fps": None}
class IntBox(Chatty):
    def __init__(self): super().__init__(); self.action_space = Box(0, 3, (1,), "int64")
class TwoKinds(Chatty):
    class Dict:
        def __init__(self, **s): self.spaces = s
    def __init__(self): super().__init__(); self.action_space = TwoKinds.Dict(move=Discrete(3), force=Box(-1, 1, (1,)))
class TermAndTrunc(Chatty):
    def step(self, a): self.t += 1; e = self.t >= 5; return np.ones(2, np.float32), 1.0, e, e, {}
class Long(Chatty):
    """Natural episodes of 1,500 steps, reward 1 each; the environment ends them itself and names no limit."""
    def step(self, a): self.t += 1; return np.ones(2, np.float32), 1.0, self.t >= 1500, False, {}

class NoneInfo(Chatty):
    def reset(self, seed=None, options=None): self.t = 0; return np.zeros(2, np.float32), None
    def step(self, a): self.t += 1; return np.ones(2, np.float32), 1.0, False, self.t >= 5, None
class StartsAtOne(Chatty):
    def __init__(self): super().__init__(); self.action_space = Discrete(3, start=1); self.observation_space = Discrete(4, start=1)
    def reset(self, seed=None, options=None): self.t = 0; return 1, {}
    def step(self, a): assert a in (1, 2, 3); self.t += 1; return 1 + self.t % 4, float(a == 3), False, self.t >= 5, {}


class Channels(Chatty):
    """Pictures of other shapes; each number of the first channel's first row is its column."""
    def __init__(self, shape=(84, 84, 3), dtype="uint8", high=255):
        super().__init__(); self.shape = tuple(shape)
        self.observation_space = Box(0, high, self.shape, dtype)
    def o(self): return np.arange(np.prod(self.shape)).reshape(self.shape).astype(self.observation_space.dtype)
    def reset(self, seed=None, options=None): self.t = 0; return self.o(), {}
    def step(self, a): self.t += 1; return self.o(), np.array([1.0]), np.bool_(False), np.array(self.t >= 5), {}
class Lazy(Channels):
    """Frames that are stacked when they are asked for."""
    class Frames:
        def __init__(self, value): self.value = value
        def __array__(self, dtype=None, copy=None): return self.value
    def reset(self, seed=None, options=None): self.t = 0; return Lazy.Frames(self.o()), {}
class Items(Chatty):
    """Reads its action as an array of numpy, as many environments do."""
    def step(self, a): self.t += 1; return np.ones(2, np.float32), np.float32(a.item()), False, self.t >= 5, {}
