/** The comparisons of our own, which stand in no list of papers: by suite, each with its question and outcome. */
import facts from 'virtual:paper-facts';
import { suites, suiteTitles } from '#client/compare/papers.ts';
import { hashOf } from '#stores/route.ts';
import { PageFrame } from '#ui/frame/PageFrame.tsx';
import { shownOutcome } from './filter.ts';
import { OutcomeSign } from './OutcomeSign.tsx';
import { ways } from './own/ways.ts';
import paper from './Paper.module.css';
import styles from './Papers.module.css';

export default function OwnPage() {
  const back = (
    <a className={paper.back} href={hashOf({ page: 'papers', id: null, query: {} })}>
      All papers
    </a>
  );
  return (
    <PageFrame title="Comparisons of our own" page="papers" tab="Our own" above={back}>
      <p className={styles.lead}>Questions of this project about methods and environments, judged by the same rule as the papers.</p>
      <section aria-labelledby="own-yours">
        <h2 id="own-yours" className={styles.suite}>
          A card of your own
        </h2>
        <p className={styles.full}>
          A question of yours, with the runs of this profile as arms, judged by the same rule: a link that an article can carry.{' '}
          <a href={ways.make({})}>Make a card</a>
        </p>
      </section>
      {Object.entries(suites).map(([suite, cards]) => (
        <section key={suite} aria-labelledby={`own-${suite}`}>
          <h2 id={`own-${suite}`} className={styles.suite}>
            {suiteTitles[suite] ?? suite}{' '}
            <span className={styles.count}>
              {cards.filter(({ id }) => facts[id] !== undefined).length} of {cards.length} judged
            </span>
          </h2>
          <ul className={styles.own}>
            {cards.map(({ id, title, question }) => (
              <li key={id}>
                <div>
                  <a href={hashOf({ page: 'papers', id, query: {} })}>{title}</a>
                  <p className={styles.full}>{question}</p>
                </div>
                <OutcomeSign outcome={shownOutcome(facts[id])} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </PageFrame>
  );
}
