/** `new world|reward|player|method|extension FILE`: writes a starting point for code of one's own. */

import { existsSync, writeFileSync } from 'node:fs';
import { whichOf } from '#contract/kit/nearest.ts';
import { exampleWorlds, otherPoints, startingPoints } from '#worlds/index.ts';
import type { Command } from '../kit/context.ts';
import { pathFrom } from '../kit/context.ts';
import { UsageError } from '../kit/failure.ts';
import { describeOptions, parseOptions } from '../kit/options.ts';
import { createOutput } from '../kit/output.ts';
import { extensionPoints } from '../own/extension-points.ts';

const worlds = [...startingPoints, ...exampleWorlds];
/** Steps that are proposed for an extension of PPO on CartPole. */
const EXTENDED = 60_000;

const OPTIONS = {
  from: {
    kind: 'text',
    value: 'NAME',
    help: `starting point. Worlds: ${worlds.map(({ id }) => id).join(', ')}; others: ${otherPoints.map(({ kind, id }) => `${id} (${kind})`).join(', ')}; extensions of a method: ${extensionPoints.map(({ id }) => id).join(', ')}`,
  },
} as const;

export const newCommand: Command = {
  usage: 'new world|reward|player|method|extension FILE [--from NAME]',
  summary: 'Writes a world, reward, player, method or extension of a method of your own to begin with.',
  help: describeOptions(OPTIONS),
  async run(args, context) {
    const { options, rest } = parseOptions(args, OPTIONS);
    const [what, path] = rest;
    const extensions = what === 'extension' ? extensionPoints.map((point) => ({ ...point, steps: EXTENDED })) : [];
    const points = what === 'world' ? worlds : [...extensions, ...otherPoints.filter(({ kind }) => kind === what)];
    if (points.length === 0 || path === undefined || rest.length > 2)
      throw new UsageError('Write what? new world|reward|player|method|extension FILE, for example new world my-world.js.');
    const from = options.from ?? points[0]?.id;
    const point = points.find(({ id }) => id === from);
    if (point === undefined)
      throw new UsageError(
        `There is no starting point "${from}". ${whichOf(
          from ?? '',
          points.map(({ id }) => id),
        )}`,
      );
    const file = pathFrom(context, path);
    if (existsSync(file)) throw new UsageError(`"${path}" is there already. Choose another name.`);
    writeFileSync(file, point.code);
    const train = what === 'extension' ? `--env cartpole --algo-file ${path}` : `--env-file ${path}`;
    createOutput(false).text(
      `${path}: ${point.title}. ${point.about}\nCheck it: check ${path}\nTrain it: train ${train} --steps ${point.steps}`,
    );
  },
};
