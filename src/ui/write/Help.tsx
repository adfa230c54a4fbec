/** What may be written, beside the editor: the words that it offers, in one place to read. */
import type { OwnKind } from '#contract/own/text.ts';
import { t } from '#text/text.ts';
import { helpFor } from './hints.ts';
import styles from './Write.module.css';

const RULES: { readonly [kind in OwnKind]: string } = {
  world:
    'Everything that changes stands in the state that reset returns: numbers, true or false, and lists and objects of them. A list keeps its length: make it as long as it may get and count how much of it is in use. Chance comes from random alone; Math has exact functions.',
  reward: 'A number for each step, from what was seen before and after it. Nothing is remembered between steps.',
  player: 'The same sight gives the same action; nothing is remembered between steps.',
  method: 'All that is learned stands in the memory that start returns; chance comes from random alone.',
};

export function Help({ kind }: { readonly kind: OwnKind }) {
  return (
    <details className={styles.more}>
      <summary>{t('What can be written')}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reached by keys */}
      <section className={styles.help} tabIndex={0} aria-label={t('What can be written')}>
        <p>{RULES[kind]}</p>
        {helpFor(kind).map(({ title, hints }) => (
          <section key={title} aria-label={title}>
            <h2>{title}</h2>
            <dl>
              {hints.map(({ word, detail, about }) => (
                <div key={word}>
                  <dt>
                    <code>{word}</code> {detail}
                  </dt>
                  <dd>{about}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </section>
    </details>
  );
}
