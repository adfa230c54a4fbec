/** What the command box finds, by kind. A kind is one line of SOURCES; pages and actions come from their own registries. */
import { laboratory } from '#client/address/laboratory.ts';
import { runs } from '#client/runs/service.ts';
import { isOwnWorld } from '#contract/run/own-world.ts';
import { catalogStore } from '#stores/catalog.ts';
import { draftStore } from '#stores/draft.ts';
import { DOORS, pageFacts, pageNames } from '#stores/pages.ts';
import { hashOf, type PageName } from '#stores/route.ts';
import { runsStore } from '#stores/runs.ts';
import { tagsOf } from '#ui/catalogue/environments/finding.ts';
import { openExperiment } from '#ui/catalogue/experiments.ts';
import { leavesOf, offeredIn } from '#ui/form/leaves.ts';
import { budgetFields, evaluationFields } from '#ui/form/run-fields.ts';
import { statusText } from '#ui/kit/progress.ts';
import { chooseEnv } from '#ui/setup/choose-env.ts';
import { chooseMine, listMine, MINE } from '#ui/setup/mine.ts';
import { showField } from '#ui/setup/show-field.ts';
import { ACTIONS } from '../actions.ts';
import type { Command } from './rank.ts';

/** All commands of one kind as they are now. */
type Source = () => readonly Command[] | Promise<readonly Command[]>;

const goTo =
  (page: PageName, id: string | null = null) =>
  (): void => {
    location.hash = hashOf({ page, id, query: {} });
  };

const pages: Source = () =>
  pageNames.flatMap((page) => {
    const { door, title, words } = pageFacts(page);
    if (door === null) return [];
    const behind = DOORS.find(({ id }) => id === door);
    const detail = behind?.title === title ? undefined : behind?.title;
    return [{ id: `page ${page}`, kind: 'Page', title, detail, words, perform: goTo(page) }];
  });

/** Actions of the laboratory bring it into sight first. Two keys of one action are one command. */
const actions: Source = () =>
  ACTIONS.filter(({ name, label }, i) => name !== 'command-box' && ACTIONS.findIndex((other) => other.label === label) === i).map(
    ({ name, label, key, where, perform }) => ({
      id: `action ${name}`,
      kind: 'Action',
      title: label,
      detail: key?.shown,
      perform: () => {
        if (where === 'lab' || where === 'lab-fields') laboratory.show();
        perform();
      },
    }),
  );

const worlds: Source = () =>
  (catalogStore.getState().catalog?.envs.filter(({ id }) => !isOwnWorld(id)) ?? []).map((env) => ({
    id: `world ${env.id}`,
    kind: 'World',
    title: env.title,
    detail: env.family,
    words: `${env.id} environment ${tagsOf(env).join(' ')}`,
    perform: () => {
      chooseEnv(env.id);
      laboratory.show();
    },
  }));

const ownCode: Source = async () =>
  (await listMine()).map((each) => ({
    id: `mine ${each.at}`,
    kind: 'World',
    title: each.title,
    detail: MINE,
    words: `${each.kind} own written code`,
    perform: () => {
      laboratory.show();
      void chooseMine(each);
    },
  }));

const methods: Source = () =>
  (catalogStore.getState().catalog?.algos ?? []).map(({ id, title, family, source }) => ({
    id: `method ${id}`,
    kind: 'Method',
    title,
    detail: family,
    words: `${id} algorithm ${source.authors}`,
    perform: goTo('methods', id),
  }));

const experiments: Source = () => {
  const { catalog } = catalogStore.getState();
  return (catalog?.experiments ?? []).map((card) => ({
    id: `experiment ${card.id}`,
    kind: 'Experiment',
    title: card.title,
    words: card.kind,
    perform: () => {
      if (catalog !== null) openExperiment(card, catalog);
      laboratory.show();
    },
  }));
};

const papers: Source = async () =>
  (await import('#client/compare/papers.ts')).listed.map(({ id, name, title, topics }) => ({
    id: `paper ${id}`,
    kind: 'Paper',
    title: `${id} ${name}`,
    detail: title,
    words: topics.join(' '),
    perform: goTo('papers', id.toLowerCase()),
  }));

const lessons: Source = async () =>
  (await import('#lessons/index.ts')).lessons.map(({ id, title, goal }) => ({
    id: `lesson ${id}`,
    kind: 'Lesson',
    title,
    words: goal,
    perform: goTo('lessons', id),
  }));

/** Settings of the world and the method that are open, and of every run: those that have an effect, as in the form. */
const settings: Source = () => {
  const { config } = draftStore.getState();
  const { env, algo } = config;
  const { catalog } = catalogStore.getState();
  const envCard = catalog?.envs.find(({ id }) => id === env.id);
  const algoCard = catalog?.algos.find(({ id }) => id === algo.id);
  const of = (title: string, leaves: ReturnType<typeof leavesOf>): readonly Command[] =>
    leaves
      .filter((leaf) => offeredIn(leaf, config))
      .map((leaf) => ({
        id: `setting ${leaf.path}`,
        kind: 'Setting',
        title: leaf.title,
        detail: title,
        words: `${leaf.path} ${leaf.schema.description ?? ''}`,
        perform: () => {
          laboratory.show();
          showField(leaf.path);
        },
      }));
  return [
    ...(envCard === undefined ? [] : of(envCard.title, leavesOf('env', envCard.schema))),
    ...(algoCard === undefined ? [] : of(algoCard.title, leavesOf('algo', algoCard.schema))),
    ...of('Run', [...leavesOf('run', budgetFields), ...leavesOf('run', evaluationFields)]),
  ];
};

const ownRuns: Source = () =>
  runsStore.getState().groups.flatMap((group) =>
    group.imported === undefined
      ? [
          {
            id: `run ${group.id}`,
            kind: 'Run',
            title: group.name,
            detail: statusText(group),
            words: group.note,
            perform: () => runs.open(group.id),
          },
        ]
      : [],
  );

/** In the order in which equal matches are listed. */
const SOURCES: readonly Source[] = [actions, pages, worlds, ownCode, methods, lessons, ownRuns, settings, experiments, papers];

/** Every command; each source that cannot be loaded, without a network for instance, is left out and named in `missing`. */
export async function allCommands(): Promise<{ readonly commands: readonly Command[]; readonly missing: number }> {
  const parts = await Promise.allSettled(SOURCES.map(async (source) => source()));
  return {
    commands: parts.flatMap((part) => (part.status === 'fulfilled' ? part.value : [])),
    missing: parts.filter(({ status }) => status === 'rejected').length,
  };
}

/** Before anything is typed: the newest runs, the doors, and what is done most. */
export function suggested(commands: readonly Command[]): readonly Command[] {
  const FIRST = ['action train', 'action choose-world', 'action share', 'action help', 'action depth-lab'];
  const newest = commands.filter(({ kind }) => kind === 'Run').slice(0, 3);
  const doors = DOORS.flatMap(({ page }) => commands.find(({ id }) => id === `page ${page}`) ?? []);
  return [...newest, ...doors, ...FIRST.flatMap((name) => commands.find(({ id }) => id === name) ?? [])];
}
