/** What of a paper's source stands here: each part that was read beside our line, or the searches that found nothing to read. */
import { isGuess, type ReadSource, ROW_STATES, type RowState, rowsIn, type Source, type SourceRow } from '#contract/papers/source.ts';
import { msg, t } from '#text/text.ts';
import styles from './AgainstSource.module.css';

const ID = 'against-source';
const STATES: { readonly [S in RowState]: string } = { kept: msg('kept'), changed: msg('changed'), 'left out': msg('left out') };

export function AgainstSource({ source }: { readonly source: Source }) {
  return (
    <section className={styles.section}>
      <h2>{t('Against the source')}</h2>
      <details id={ID} className={styles.fold}>
        <summary>{inShort(source)}</summary>
        {isGuess(source) ? <Searches searches={source.guess.searches} /> : <Table source={source} />}
      </details>
    </section>
  );
}

/** Opens the table and goes to it. */
export function ToSource({ source }: { readonly source: Source }) {
  const go = () => {
    const fold = document.getElementById(ID);
    fold?.setAttribute('open', '');
    fold?.scrollIntoView({ block: 'nearest' }); // the whole table, or its top where it is taller than the page
    fold?.querySelector('summary')?.focus({ preventScroll: true });
  };
  return (
    <button type="button" className={styles.to} onClick={go}>
      {t('Against the source')}: {inShort(source)}
    </button>
  );
}

/** "3 kept, 2 changed, 1 left out". */
function inShort(source: Source): string {
  if (isGuess(source)) return t('nothing to read was found');
  return ROW_STATES.filter((state) => rowsIn(source, state) > 0)
    .map((state) => `${rowsIn(source, state)} ${t(STATES[state])}`)
    .join(', ');
}

function Searches({ searches }: { readonly searches: readonly string[] }) {
  return (
    <>
      <p className={styles.read}>{t('Looked for, without finding equations or code of the paper:')}</p>
      <ul className={styles.searches}>
        {searches.map((search) => (
          <li key={search}>{search}</li>
        ))}
      </ul>
    </>
  );
}

function Table({ source: { read, table } }: { readonly source: ReadSource }) {
  const columns = [t('In the source'), t('Our line'), t('How it stands')] as const;
  return (
    <>
      <p className={styles.read}>
        {t('Read')}: {read}
      </p>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.map((row) => (
            <Row key={`${row.of} ${row.ours}`} row={row} columns={columns} />
          ))}
        </tbody>
      </table>
    </>
  );
}

function Row({
  row: { of, ours, state, note = '' },
  columns: [, line, stands],
}: {
  readonly row: SourceRow;
  readonly columns: readonly string[];
}) {
  return (
    <tr>
      <th scope="row">{of}</th>
      <td data-name={line}>{ours === '' ? '–' : <code>{ours}</code>}</td>
      <td data-name={stands}>
        <strong data-state={state}>{t(STATES[state])}</strong>
        {note !== '' && ` ${note}`}
      </td>
    </tr>
  );
}
