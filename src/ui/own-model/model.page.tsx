/**
 * A small language model that a person brings, in the form of llama2.c: it writes here, each token is tinted by its probability and says at a press what
 * else could have stood there. It is computed in this tab and neither stored nor sent.
 */
import { useRef, useState } from 'react';
import { useStore } from 'zustand';
import { llamaText } from '#contract/foreign/llama2c.ts';
import { t } from '#text/text.ts';
import { Sheet } from '#ui/frame/Sheet.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { compact, measure, percent, bytes as sizeText } from '#ui/kit/format/numbers.ts';
import { heldModel, takeFile, type Written, write } from './held.ts';
import styles from './Model.module.css';

const MOST = 120;
const latin = new TextDecoder('utf-8');

export default function ModelPage() {
  const { name, bytes, model, tokenizer, waiting, rows, problem } = useStore(heldModel);
  const [prompt, setPrompt] = useState('Once upon a time');
  const [temperature, setTemperature] = useState(0.8);
  const [seed, setSeed] = useState(1);
  const [picked, setPicked] = useState<number | null>(null);
  const [writing, setWriting] = useState<AbortController | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const pieces = textsOf(rows, (id, first) => (tokenizer === null ? `${id} ` : llamaText(tokenizer, id, first)));
  const begin = (): void => {
    writing?.abort();
    const own = new AbortController();
    setWriting(own);
    setPicked(null);
    void write({ prompt, temperature, seed, most: MOST }, own.signal).finally(() => setWriting((now) => (now === own ? null : now)));
  };
  const nameOf = (id: number): string => (tokenizer === null ? String(id) : JSON.stringify(decoded(llamaText(tokenizer, id, false))));
  const shown = picked === null ? null : (rows[picked] ?? null);
  return (
    <Sheet
      title={t('A model of your own')}
      page="model"
      narrow
      actions={
        <>
          <Button kind={model === null ? 'solid' : 'quiet'} icon="open" onClick={() => input.current?.click()}>
            {t('Choose files')}
          </Button>
          <input
            ref={input}
            type="file"
            accept=".bin"
            multiple
            hidden
            aria-label={t('Model and tokenizer')}
            onChange={({ target }) => {
              const files = [...(target.files ?? [])];
              target.value = '';
              void files.reduce((before, file) => before.then(() => takeFile(file).then(() => {})), Promise.resolve());
            }}
          />
        </>
      }
    >
      <p>
        {t(
          'Drop a small language model in the form of llama2.c here (a .bin of up to 16.8 MB, such as stories260K.bin), and its tokenizer. It stays in this tab: nothing is stored or sent.',
        )}
      </p>
      {problem !== '' && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      {model === null ? (
        <p>{waiting === null ? t('There is no model yet.') : t('The tokenizer waits for its model.')}</p>
      ) : (
        <>
          <p role="status">
            {t(
              '{name}: {size}, {parameters} parameters; {dim} wide, {layers} layers, {heads} heads, {vocabulary} tokens, rows of {places}.',
              {
                name,
                size: sizeText(bytes),
                parameters: compact(model.parameters),
                dim: model.shape.dim,
                layers: model.shape.layers,
                heads: model.shape.heads,
                vocabulary: model.shape.vocabulary,
                places: model.shape.places,
              },
            )}{' '}
            {tokenizer === null && t('Without its tokenizer tokens are numbers, and nothing can be given to go on from.')}
          </p>
          <form
            className={styles.form}
            onSubmit={(event) => {
              event.preventDefault();
              begin();
            }}
          >
            <label className={styles.prompt}>
              {t('Text to go on from')}
              <input value={prompt} maxLength={200} disabled={tokenizer === null} onChange={({ target }) => setPrompt(target.value)} />
            </label>
            <label>
              {t('Temperature')} {measure(temperature, 2)}
              <input
                type="range"
                min={0}
                max={2}
                step={0.1}
                value={temperature}
                onChange={({ target }) => setTemperature(Number(target.value))}
              />
            </label>
            <label>
              {t('Seed')}
              <input
                type="number"
                min={1}
                max={9999}
                value={seed}
                onChange={({ target }) => setSeed(Math.min(9999, Math.max(1, Math.round(Number(target.value)) || 1)))}
              />
            </label>
            {writing === null ? (
              <Button kind="solid" onClick={begin}>
                {t('Write')}
              </Button>
            ) : (
              <Button onClick={() => writing.abort()}>{t('Stop')}</Button>
            )}
          </form>
          <section className={styles.text} aria-label={t('What it writes')} aria-busy={writing !== null}>
            {rows.map((row, i) => (
              <button
                // biome-ignore lint/suspicious/noArrayIndexKey: places of a text are what they are
                key={i}
                type="button"
                aria-pressed={picked === i}
                data-given={row.given || undefined}
                style={{ '--p': `${(100 * (row.probability ?? 0)).toFixed(0)}%` } as object}
                title={row.given ? t('given') : percent(measure(100 * (row.probability ?? 0), 2))}
                onClick={() => setPicked(picked === i ? null : i)}
              >
                {pieces[i]}
              </button>
            ))}
          </section>
          {shown !== null && (
            <table className={styles.likely}>
              <caption>{t('What could have stood there')}</caption>
              <tbody>
                {shown.likely.map(({ id, probability }) => (
                  <tr key={id} data-own={id === shown.id || undefined}>
                    <th scope="row">{nameOf(id)}</th>
                    <td>{percent(measure(100 * probability, 2))}</td>
                    <td className={styles.bar}>
                      <i style={{ inlineSize: `${100 * probability}%` }} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          <p className={styles.quiet}>
            {t(
              'It is looked at, not trained: worlds on tokens have letters or words of their own, and none is written in the {vocabulary} pieces of text of this model. For that a world with its tokenizer and a judge of such texts are missing.',
              { vocabulary: model.shape.vocabulary },
            )}
          </p>
        </>
      )}
    </Sheet>
  );
}

const decoded = (bytes: string): string => latin.decode(Uint8Array.from(bytes, (one) => one.charCodeAt(0)));

/** Texts of tokens; characters whose bytes are several tokens stand with the last of them. */
function textsOf(rows: readonly Written[], textOf: (id: number, first: boolean) => string): readonly string[] {
  const stream = new TextDecoder('utf-8');
  return rows.map(({ id }, i) =>
    stream.decode(
      Uint8Array.from(textOf(id, i === 0), (one) => one.charCodeAt(0)),
      { stream: true },
    ),
  );
}
