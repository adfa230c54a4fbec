/** What sweeps found that ask the same question in several environments. */
import { canonicalJson } from '#contract/canonical.ts';
import type { Catalog } from '#contract/catalog.ts';
import { groupBy } from '#contract/group-by.ts';
import { objectOf } from '#contract/json.ts';
import type { SweepEntry } from '#stores/sweeps.ts';
import { Contrasts } from './Contrasts.tsx';
import styles from './Sweep.module.css';
import { useTitles } from './SweepResults.tsx';

/** Alike for sweeps that differ in environment and budget only. */
function questionOf({ file }: SweepEntry): string {
  const config = objectOf(file.config);
  const { steps: _, ...run } = objectOf(config.run);
  return canonicalJson({ ...file, config: { ...config, env: null, run } });
}

interface Props {
  readonly entries: readonly SweepEntry[];
  readonly catalog: Catalog | null;
}

/** One card for each question that was answered in two environments at least. */
export function OverEnvironments({ entries, catalog }: Props) {
  const contrasts = entries.filter(({ sweep }) => sweep.contrast !== undefined);
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
  const done = members.flatMap(({ swept, setups }) => {
    const arms = swept?.reported?.arms;
    const id = setups[0]?.config.env.id ?? '';
    return arms === undefined ? [] : [{ env: catalog?.envs.find((card) => card.id === id)?.title ?? id, arms, setups }];
  });
  const { fields } = useTitles(first.sweep, first.setups);
  return (
    <section className={styles.sweep} aria-label={`Over ${members.length} environments`}>
      <h3 className={styles.over}>
        Over {members.length} environments
        {done.length < members.length && <span className={styles.quiet}>{`${done.length} done so far`}</span>}
      </h3>
      {done.length > 1 && <Contrasts sweep={first.sweep} found={done} fields={fields} here />}
    </section>
  );
}
