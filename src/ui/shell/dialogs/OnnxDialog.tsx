/** The policy of a run or of a file as an ONNX model, for programs outside the browser: whose policy, the file, what goes in and out, five lines of Python. */
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { files } from '#client/files/service.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { type OnnxFile, onnxPython, portText } from '#contract/session/onnx.ts';
import { layoutStore } from '#stores/layout.ts';
import { runsStore } from '#stores/runs.ts';
import type { Exported } from '#stores/types.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { failureText } from '#ui/kit/format/failure.ts';
import { bytes as sizeText } from '#ui/kit/format/numbers.ts';
import { copy, fileName, save } from '#ui/kit/save.ts';
import { toast } from '#ui/kit/toasts.ts';
import styles from './Dialogs.module.css';

export function OnnxDialog({ onClose }: { readonly onClose: () => void }) {
  const of = useStore(layoutStore, (state) => state.exported);
  const groups = useStore(runsStore, (state) => state.groups);
  const name = of === null ? 'run' : 'name' in of ? of.name : (groups.find(({ id }) => id === of.runId)?.name ?? 'run');
  const [agent, setAgent] = useState(0);
  /** The model that was written last, and whose policy it holds. */
  const [written, setWritten] = useState<{ readonly of: number; readonly model: OnnxFile } | null>(null);
  const [problem, setProblem] = useState('');

  useEffect(() => {
    if (of === null) return;
    let live = true;
    setProblem('');
    files.onnx(of, agent).then(
      (model) => live && setWritten({ of: agent, model }),
      (error: unknown) => live && setProblem(failureText(toFailure(error))),
    );
    return () => {
      live = false;
    };
  }, [of, agent]);

  const model = written?.model ?? null;
  /** Until the chosen agent's is written, the model of the one before stands here and is not handed out. */
  const other = written?.of !== agent;
  const several = model !== null && model.agents.length > 1;
  const file = `${fileName(name)}${several ? `-agent-${agent}` : ''}.onnx`;
  const python = model === null ? '' : onnxPython(model, file);

  return (
    <Dialog title={t('Policy as ONNX')} onClose={onClose}>
      <p>
        {of !== null && 'policy' in of
          ? t(
              'The policy of {name} as one file that other programs run: the observation’s normaliser, the network and the distribution of its actions.',
              { name },
            )
          : t(
              'The newest policy of {name} as one file that other programs run: the observation’s normaliser, the network and the distribution of its actions.',
              { name },
            )}
      </p>
      {problem !== '' && (
        <p className={styles.callout} data-tone="caution">
          {problem}
        </p>
      )}
      {problem === '' && model === null && <p className={styles.quiet}>{t('Writing the model …')}</p>}
      {model !== null && (
        <>
          {several && (
            <label className={styles.row}>
              {t('Agent')}
              <select className={styles.input} value={agent} onChange={(event) => setAgent(Number(event.target.value))}>
                {model.agents.map((title, i) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: agents are known by their numbers
                  <option key={i} value={i}>
                    {title}
                  </option>
                ))}
              </select>
            </label>
          )}
          <dl className={styles.facts}>
            <dt>{t('Inputs')}</dt>
            <dd>{model.inputs.map(portText).join(', ')}</dd>
            <dt>{t('Outputs')}</dt>
            <dd>{model.outputs.map(portText).join(', ')}</dd>
          </dl>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
          <section className={styles.code} tabIndex={0} aria-label={t('Python that runs the model')}>
            <pre>{python}</pre>
          </section>
          <div className={styles.row}>
            <Button kind="solid" icon="download" disabled={other} onClick={() => void save(blobOf(model), file)}>
              {t('Download {n}', { n: sizeText(model.bytes.length) })}
            </Button>
            <Button icon="copy" disabled={other} onClick={() => void copy(python, 'Python')}>
              {t('Copy the Python')}
            </Button>
            <Button icon="download" onClick={() => of && void saveLayers(of, agent)}>
              {t('As TensorFlow.js layers')}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}

/** model.json and weights.bin, which it names. */
async function saveLayers(of: Exported, agent: number): Promise<void> {
  try {
    const { model, weights } = await files.layers(of, agent);
    await save(new Blob([model], { type: 'application/json' }), 'model.json');
    await save(new Blob([weights.slice()]), 'weights.bin');
  } catch (error) {
    toast(failureText(toFailure(error)), { tone: 'caution' });
  }
}

const blobOf = ({ bytes }: OnnxFile): Blob => new Blob([bytes.slice()], { type: 'application/octet-stream' });
