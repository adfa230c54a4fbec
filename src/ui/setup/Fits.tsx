/** Why the chosen method is offered where it stands, and on demand which methods are not offered, and why. */
import { useStore } from 'zustand';
import { catalogStore } from '#stores/catalog.ts';
import { draftStore } from '#stores/draft.ts';
import { fittingStore, wantFitting } from '#stores/fitting.ts';
import { t } from '#text/text.ts';
import styles from './Setup.module.css';

/** What is known of the methods in the draft's environment; null: not yet. */
export function useFitting() {
  const env = useStore(draftStore, (state) => state.config.env.id);
  const known = useStore(fittingStore);
  return known.env === env ? known.fitting : null;
}

export function Fits({ algo }: { readonly algo: string }) {
  const fitting = useFitting();
  const catalog = useStore(catalogStore, (state) => state.catalog);
  const wanted = useStore(fittingStore, (state) => state.wanted);
  if (fitting === null)
    return wanted ? null : (
      <p className={styles.fits}>
        <button type="button" onClick={wantFitting}>
          {t('Which methods fit here?')}
        </button>
      </p>
    );
  const place = fitting.fits.findIndex((fit) => fit.algo === algo);
  const fit = fitting.fits[place];
  const titleOf = (id: string): string => catalog?.algos.find((card) => card.id === id)?.title ?? id;
  return (
    <div className={styles.fits}>
      <p>
        {fit === undefined
          ? (fitting.others.find((one) => one.algo === algo)?.why ?? '')
          : t('{value} of {n} that fit here: {value2}.', { value: place + 1, n: fitting.fits.length, value2: fit.why.replace(/\.$/, '') })}
      </p>
      {fitting.others.length > 0 && (
        <details>
          <summary>{t('{n} do not fit, and why', { n: fitting.others.length })}</summary>
          <ul>
            {fitting.others.map(({ algo: id, why }) => (
              <li key={id}>
                <b>{titleOf(id)}</b> {why.startsWith(`${titleOf(id)} `) ? why.slice(titleOf(id).length + 1) : `: ${why}`}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
