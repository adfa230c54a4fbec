/** What the page needs to show and set up what a person's code defines. */
import type { FieldSchema } from '#contract/catalog/catalog.ts';
import type { OwnCard } from '#contract/own/sandbox.ts';
import { loadAlgos } from '#core/algos/index.ts';
import type { EnvEntry } from '#core/envs/api/types.ts';
import { fitting } from '#core/fitting.ts';
import type { Definition } from '#core/own/definition.ts';
import { namesOf } from '#core/own/seen.ts';
import { recommend } from '#core/recommend.ts';
import { metricsOf } from './own-run.ts';

const NAMES = 100;
const SETTINGS = 200;

export async function cardOf(made: Definition): Promise<OwnCard> {
  const { kind, env, base, algo } = made;
  const meta = env.meta(env.parse({}));
  const group = meta.agents[0]!;
  const { obs, action } = group;
  const { title, summary } = algo ?? env;
  const known = base?.schema.properties ?? {};
  const own = kind === 'world' ? 'own' : null;
  const settings = [
    ...settingsOf(algo?.schema, () => 'method'),
    ...settingsOf(env.schema, (name) => own ?? (Object.hasOwn(known, name) ? 'base' : 'own')),
  ];
  return {
    kind,
    id: algo?.id ?? env.id,
    title,
    about: summary.slice(0, 1000),
    ...(base !== null && { base: { id: base.id, title: base.title } }),
    layout: meta.frame as OwnCard['layout'],
    agents: meta.agentCount,
    agentNames: meta.agents.flatMap(({ names, count }) => names.slice(0, count)).slice(0, NAMES),
    settings: settings.slice(0, SETTINGS),
    actions: action.labels.map((label) => label.slice(0, 100)),
    sees:
      obs.kind === 'discrete'
        ? obs.n === 1
          ? 'nothing'
          : `${obs.n} numbered states`
        : meta.obsSize === 1
          ? '1 number'
          : `${meta.obsSize} numbers`,
    names: obs.kind === 'discrete' ? ['state'] : namesOf(obs).slice(0, 1000),
    maxSteps: meta.maxSteps,
    fps: meta.fps,
    ...(algo === undefined
      ? await methodsFor(env)
      : { methods: [{ id: algo.id, title: algo.title }], recommended: { algo: algo.id, steps: 20_000 } }),
    policies: env.policyNames.slice(0, 40),
    seats: kind === 'player' && env.schema.properties?.seats !== undefined && meta.agentCount > 1,
    metrics: metricsOf(made).slice(0, 20),
  };
}

/** Methods of the catalogue that can learn there as they start, the first choice first, then what fits best, as in the laboratory. */
async function methodsFor(env: EnvEntry): Promise<Pick<OwnCard, 'methods' | 'recommended'>> {
  const all = await loadAlgos();
  const { algo, steps } = recommend(env);
  const learns = new Map(all.filter(({ learner }) => learner !== 'none').map(({ id, title }) => [id, title]));
  const methods = fitting(env, {}, all).fits.flatMap((fit) => {
    const title = learns.get(fit.algo);
    return title === undefined || (fit.preset !== undefined && fit.algo !== algo) ? [] : [{ id: fit.algo, title }];
  });
  return { methods, recommended: { algo, steps } };
}

type Setting = OwnCard['settings'][number];

/** Numbers, switches and words: what environments have besides, ranges of settings for instance, has no control here. */
function settingsOf(schema: FieldSchema | undefined, whose: (name: string) => Setting['of']): readonly Setting[] {
  return Object.entries(schema?.properties ?? {}).flatMap(([name, field]) => {
    const { default: value } = field;
    if (typeof value !== 'number' && typeof value !== 'boolean' && typeof value !== 'string') return [];
    const { title = name, description = '', unit, minimum, maximum, type } = field;
    const options = field.enum?.filter((item) => typeof item === 'string').slice(0, 50);
    if (typeof value === 'string' && options === undefined) return [];
    return [
      {
        name,
        of: whose(name),
        title: title.slice(0, 300),
        about: description.slice(0, 300),
        value,
        ...(unit !== undefined && { unit: unit.slice(0, 60) }),
        ...(minimum !== undefined && { min: minimum }),
        ...(maximum !== undefined && { max: maximum }),
        ...(type === 'integer' && { whole: true }),
        ...(options !== undefined && { options }),
      },
    ];
  });
}
