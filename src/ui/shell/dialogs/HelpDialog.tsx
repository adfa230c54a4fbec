/** Keys, words, and how far an interval can be trusted. The words come from the schemas of what is open. */
import { useStore } from 'zustand';
import { laboratory } from '#client/address/laboratory.ts';
import type { AlgoCard, EnvCard } from '#contract/catalog/catalog.ts';
import { layoutStore } from '#stores/layout.ts';
import { t } from '#text/text.ts';
import type { Leaf } from '#ui/form/leaves.ts';
import { WORDS } from '#ui/glossary/words.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { langOf } from '#ui/kit/format/fact.ts';
import { Cite } from '#ui/setup/Picker.tsx';
import { allLeaves, useSetup } from '#ui/setup/useSetup.ts';
import { startTour } from '#ui/stage/tour.ts';
import { ACTIONS } from '../actions.ts';
import styles from './Dialogs.module.css';

export function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  const setup = useSetup();
  const shortcuts = useStore(layoutStore, (state) => state.shortcuts);
  return (
    <Dialog title={t('Help')} width="wide" onClose={onClose}>
      <div className={styles.help}>
        <section>
          <h3>{t('First steps')}</h3>
          <p className={styles.quiet}>
            {t('Three steps beside the controls: train, watch, change something. A link with ?tour starts them too.')}
          </p>
          <Button
            icon="play"
            onClick={() => {
              onClose();
              laboratory.back();
              startTour();
            }}
          >
            {t('Start the tour')}
          </Button>
          <h3>{t('Keys')}</h3>
          <p className={styles.quiet}>
            {t('They work while no field or button has the focus. Tab walks through everything in reading order.')}
            {!shortcuts && ` ${t('Single keys are switched off at the moment (view menu).')}`}
          </p>
          <dl className={styles.keys}>
            {ACTIONS.map(
              ({ name, label, key }) =>
                key !== undefined && (
                  <div key={name}>
                    <dt>
                      {key.shown.split(' ').map((part) => (
                        <kbd key={part}>{part}</kbd>
                      ))}
                    </dt>
                    <dd>{t(label)}</dd>
                  </div>
                ),
            )}
          </dl>
          <h3>{t('In a number field')}</h3>
          <p>
            {t(
              'Arrows step, Page Up and Page Down step by ten (on a logarithmic field: times and divided by ten), Home and End go to the ends of the slider. You may type 3e-4, 50k or 1.2 M. Escape takes a wrong text back.',
            )}
          </p>
        </section>
        <section>
          <h3>{t('Reading the curves')}</h3>
          <p>
            {t(
              'A line is the interquartile mean over seeds: the lowest and the highest quarter are left out. The band is a 95 % bootstrap interval of that mean. Below five finished seeds there is no band, because no honest one exists; you see the seeds themselves.',
            )}
          </p>
          <p>
            {t(
              'A nominal 95 % interval covers less than it says when seeds are few: for the interquartile mean it held in 91 % of cases at 5 seeds and in 94 % at 10. Overlapping bands mean that these seeds show no difference between the runs.',
            )}
          </p>
          <h3>{t('Exact, or within tolerance')}</h3>
          <p>
            {t(
              'Runs on wasm are exact: the same config and seed give the same bits on every machine. Any other executor agrees within tolerance and is labelled so.',
            )}
          </p>
          <h3>{t('Private')}</h3>
          <p>{t('Everything happens in this page on this device. Nothing is sent anywhere; a link carries its experiment in itself.')}</p>
          <p className={styles.quiet}>{t('RL Workbench {BUILD}', { BUILD })}</p>
        </section>
        <section className={styles.glossary}>
          <h3>{t('Words')}</h3>
          <dl>
            {WORDS.map(({ word, meaning }) => (
              <div key={word}>
                <dt>{t(word)}</dt>
                <dd>{t(meaning)}</dd>
              </div>
            ))}
          </dl>
          <h3>{t('Of this configuration')}</h3>
          {setup.env && <About card={setup.env} />}
          {setup.algo && <About card={setup.algo} />}
          <dl>
            {allLeaves(setup).map((leaf) => (
              <Term key={leaf.path} leaf={leaf} />
            ))}
            {setup.algo?.metrics.map((metric) => (
              <div key={`metric-${metric.id}`}>
                <dt lang={langOf(metric.title)}>{t(metric.title)}</dt>
                <dd lang={langOf(metric.description)}>{t(metric.description)}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
    </Dialog>
  );
}

function About({ card }: { readonly card: EnvCard | AlgoCard }) {
  return (
    <p>
      <b>{t(card.title)}</b>: <span lang={langOf(card.summary)}>{t(card.summary)}</span> <Cite source={card.source} />
    </p>
  );
}

function Term({ leaf }: { readonly leaf: Leaf }) {
  return (
    <div>
      <dt lang={langOf(leaf.title)}>{t(leaf.title)}</dt>
      <dd>
        <span lang={langOf(leaf.schema.description ?? '')}>{t(leaf.schema.description ?? '')}</span>
        {leaf.schema.source !== undefined && (
          <>
            {' '}
            {t('Default after:')} <cite lang="en">{leaf.schema.source}</cite>
          </>
        )}
      </dd>
    </div>
  );
}
