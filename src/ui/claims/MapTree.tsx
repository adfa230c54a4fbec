/** A survey as a tree: the branches are the survey's, each leaf opens what runs here, or says what it waits for. */
import type { Branch } from '#contract/papers/forms.ts';
import { hashOf } from '#stores/route.ts';
import styles from './Paper.module.css';

export function MapTree({ branches }: { readonly branches: readonly Branch[] }) {
  const leaves = branches.flatMap((branch) => branch.leaves);
  const open = leaves.filter((leaf) => 'opens' in leaf).length;
  return (
    <section className={styles.tree} aria-labelledby="paper-map">
      <h2 id="paper-map">The survey as a map</h2>
      <p className={styles.quiet}>
        Branches follow the survey; leaves are what is implemented here. {open} of {leaves.length} open something.
      </p>
      <ul>
        {branches.map(({ title, leaves: own }) => (
          <li key={title}>
            <strong>{title}</strong>
            <ul>
              {own.map((leaf) => (
                <li key={leaf.title}>
                  {'opens' in leaf ? (
                    <a href={hashOf({ page: leaf.opens.page, id: leaf.opens.id ?? null, query: {} })}>{leaf.title}</a>
                  ) : (
                    <span>{leaf.title}</span>
                  )}
                  <span className={styles.quiet}>
                    {' '}
                    {leaf.says}
                    {'waitsFor' in leaf && ` Waits for ${leaf.waitsFor}.`}
                  </span>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </section>
  );
}
