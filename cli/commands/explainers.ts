/** `explainers`: writes docs/explainers.md. */
import { join } from 'node:path';
import { explainerCard, explainers as registry } from '#core/explain/index.ts';
import type { Command } from '../context.ts';
import { explainersPage } from '../explainers-page.ts';
import { UsageError } from '../failure.ts';
import { writeWhole } from '../seed-folder.ts';

export const explainers: Command = {
  usage: 'explainers        also: npm run docs:explainers',
  summary: 'Writes docs/explainers.md: sources, what is explained, answers, configs.',
  help: 'It has no options.',
  async run(args, { project }) {
    if (args.length > 0) throw new UsageError('explainers takes no arguments.');
    writeWhole(join(project, 'docs/explainers.md'), explainersPage(registry.map(explainerCard)));
    process.stdout.write(`docs/explainers.md: ${registry.length} explainers\n`);
  },
};
