/** A survey as a tree: the branches are the survey's, each leaf opens what runs here, or says what it waits for. */
import { taxonomies } from '#client/compare/papers.ts';
import { hashOf } from '#stores/route.ts';
import styles from './Paper.module.css';

export function Taxonomy({ id }: { readonly id: string }) {
  const tree = taxonomies.find((one) => one.id === id);
  if (tree === undefined) return null;
  return (
    <section className={styles.tree}>
      <h2>The survey as a map</h2>
      <p className={styles.quiet}>Branches follow the survey; leaves are what is implemented here.</p>
      <ul>
        {tree.branches.map(({ title, leaves }) => (
          <li key={title}>
            <strong>{title}</strong>
            <ul>
              {leaves.map((leaf) => (
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
