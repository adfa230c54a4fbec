/** What sweeps found that ask the same question in several environments, by several methods, or both. */

import type { Catalog } from '#contract/catalog/catalog.ts';
import { canonicalJson } from '#contract/kit/canonical.ts';
import { groupBy } from '#contract/kit/group-by.ts';
import { objectOf } from '#contract/kit/json.ts';
import { taskNames } from '#contract/run/task-names.ts';
import { methodName } from '#contract/sweep/report.ts';
import type { SweepEntry } from '#stores/sweeps.ts';
import { Contrasts } from './Contrasts.tsx';
import { Methods } from './Methods.tsx';
import styles from './Sweep.module.css';
import { useTitles } from './SweepResults.tsx';

/** Alike for sweeps that differ in environment and budget only; of a file over methods, in the method too. */
function questionOf({ file, sweep }: SweepEntry): string {
  if (sweep.question !== undefined) return sweep.question;
  const config = objectOf(file.config);
  const { steps: _, ...run } = objectOf(config.run);
  return canonicalJson({ ...file, config: { ...config, env: null, run } });
}

interface Props {
  readonly entries: readonly SweepEntry[];
  readonly catalog: Catalog | null;
}

/** One card for each question that was answered in two environments or by two methods at least. */
export function OverEnvironments({ entries, catalog }: Props) {
  const contrasts = entries.filter(({ sweep }) => sweep.contrast !== undefined || sweep.method !== undefined);
  const questions = [...groupBy(contrasts, questionOf)].filter(([, members]) => members.length > 1);
  return questions.map(([key, members]) => members[0] && <Question key={key} first={members[0]} members={members} catalog={catalog} />);
}

interface QuestionProps {
  readonly first: SweepEntry;
  /** The first one among them. */
  readonly members: readonly SweepEntry[];
  readonly catalog: Catalog | null;
}

function Question({ first, members, catalog }: QuestionProps) {
  const done = members.flatMap(({ sweep, swept, setups }) => {
    const env = setups[0]?.config.env;
    return swept?.reported == null || env === undefined ? [] : [{ sweep, env, best: swept.best, reported: swept.reported, setups }];
  });
  const nameOf = taskNames(
    done.map(({ env }) => env),
    (id) => catalog?.envs.find((card) => card.id === id)?.title ?? id,
  );
  const algoTitle = (id: string): string => catalog?.algos.find((card) => card.id === id)?.title ?? id;
  const { fields } = useTitles(first.sweep, first.setups);
  const byMethods = first.sweep.method !== undefined;
  const methods = new Set(members.map(({ sweep }) => sweep.method)).size;
  const envs = Math.round(members.length / methods);
  const title = byMethods ? `${methods} methods${envs > 1 ? ` over ${envs} environments` : ''}` : `Over ${members.length} environments`;
  return (
    <section className={styles.sweep} aria-label={title}>
      <h3 className={styles.over}>
        {title}
        {first.sweep.title !== undefined && <span className={styles.quiet}>{first.sweep.title}</span>}
        {done.length < members.length && <span className={styles.quiet}>{`${done.length} of ${members.length} sweeps done so far`}</span>}
      </h3>
      {done.length > 1 &&
        (byMethods ? (
          <Methods
            sweep={first.sweep}
            found={done.map(({ sweep, env, ...rest }) => ({ ...rest, env: nameOf(env), method: methodName(sweep, algoTitle) }))}
          />
        ) : (
          <Contrasts
            sweep={first.sweep}
            found={done.flatMap(({ env, reported: { arms }, setups }) => (arms === undefined ? [] : [{ env: nameOf(env), arms, setups }]))}
            fields={fields}
            here
          />
        ))}
    </section>
  );
}
