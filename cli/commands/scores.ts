/** `scores`: writes docs/scores.md. */
import { join } from 'node:path';
import { buildCatalog } from '#core/catalog.ts';
import type { Command } from '../context.ts';
import { UsageError } from '../failure.ts';
import { scoreFacts } from '../score-facts.ts';
import { scoresPage } from '../scores-page.ts';
import { writeWhole } from '../seed-folder.ts';

export const scores: Command = {
  usage: 'scores            also: npm run docs:scores',
  summary: 'Writes docs/scores.md: which method reached what in which environment.',
  help: 'It has no options.',
  async run(args, { project }) {
    if (args.length > 0) throw new UsageError('scores takes no arguments.');
    const facts = scoreFacts(project);
    writeWhole(join(project, 'docs/scores.md'), scoresPage(facts, buildCatalog()));
    process.stdout.write(`docs/scores.md: ${facts.length} scores\n`);
  },
};
