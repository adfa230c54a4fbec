/** `algorithms`: writes docs/algorithms.md. */
import { join } from 'node:path';
import { experiments } from '#claims/experiments/index.ts';
import { buildCatalog } from '#core/catalog.ts';
import { algorithmsPage } from '../algorithms-page.ts';
import type { Command } from '../context.ts';
import { UsageError } from '../failure.ts';
import { writeWhole } from '../seed-folder.ts';

export const algorithms: Command = {
  usage: 'algorithms        also: npm run docs:algorithms',
  summary: 'Writes docs/algorithms.md: families, sources, presets, claims.',
  help: 'It has no options.',
  async run(args, { project }) {
    if (args.length > 0) throw new UsageError('algorithms takes no arguments.');
    const { algos } = buildCatalog();
    writeWhole(join(project, 'docs/algorithms.md'), algorithmsPage(algos, experiments));
    process.stdout.write(`docs/algorithms.md: ${algos.length} algorithms\n`);
  },
};
