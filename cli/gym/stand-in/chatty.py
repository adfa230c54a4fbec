"""An environment whose native library prints at import, in every reset and from programs that it starts, as simulators do. Standard library only."""
import os
import subprocess
import sys

from stand_in import Box, Discrete

os.write(1, b"simulator build time: Jan  1 2026 00:00:00\n")
os.write(1, b'{"port": 1}\n')
print("a print of Python's own")


class Chatty:
    def __init__(self):
        self.observation_space, self.action_space = Box(-1.0, 1.0, (2,)), Discrete(2)
        subprocess.run([sys.executable, "-c", "print('a helper has started')"], check=True)

    def reset(self, seed=None, options=None):
        os.write(1, b"reset\n")
        self.steps = 0
        return [0.0, 0.0], {}

    def step(self, action):
        self.steps += 1
        print("step", flush=True)
        return [1.0, 1.0], [float(action)], [False], self.steps >= 5, {}

    def close(self):
        pass


class OldReset(Chatty):
    """Gym before 0.26: reset takes no seed and gives the observation alone."""

    def reset(self):
        return [0.0, 0.0]


class OldAnswer(Chatty):
    """Takes the arguments, and gives the observation alone."""

    def reset(self, **arguments):
        return [0.0, 0.0]


class OldStep(Chatty):
    def step(self, action):
        return [0.0, 0.0], 0.0, True, {}


class Goals(Chatty):
    """A reward for each of three goals."""

    def step(self, action):
        return [0.0, 0.0], [1.0, 2.0, 3.0], False, False, {}


class Frames(Chatty):
    """Two frames of 3 x 4 bytes before each other, as nested lists; number n of the frames is n."""

    def __init__(self):
        super().__init__()
        self.observation_space = Box(0, 255, (2, 3, 4))
        self.observation_space.dtype = "uint8"

    def seen(self):
        return [[[12 * frame + 4 * row + column for column in range(4)] for row in range(3)] for frame in range(2)]

    def reset(self, seed=None, options=None):
        self.steps = 0
        return self.seen(), {}

    def step(self, action):
        self.steps += 1
        return self.seen(), 1.0, False, self.steps >= 5, {}


class Long(Chatty):
    """Episodes of 1,500 steps, which it ends itself and names nowhere."""

    def step(self, action):
        self.steps += 1
        return [1.0, 1.0], 1.0, self.steps >= 1500, False, {}
