/** What can be done with one run. */
import { files } from '#client/files/service.ts';
import { runs } from '#client/runs/service.ts';
import { draftStore } from '#stores/draft.ts';
import { exportPolicy, layoutStore } from '#stores/layout.ts';
import type { RunGroup } from '#stores/types.ts';
import { askVerify } from '#stores/verify.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Icon } from '#ui/kit/Icon.tsx';
import { Popover } from '#ui/kit/Popover.tsx';
import { phaseOf } from '#ui/kit/progress.ts';
import { copy, fileName, save } from '#ui/kit/save.ts';
import { toast } from '#ui/kit/toasts.ts';
import { citation } from './bundle.ts';
import styles from './Runs.module.css';

const EXPORTS = [
  { what: 'csv', words: 'Curves as CSV', extension: 'csv' },
  { what: 'json', words: 'Run as JSON', extension: 'json' },
  { what: 'policy', words: 'Policy', extension: 'policy.json' },
  { what: 'project', words: 'Project file', extension: 'lab' },
  { what: 'backup', words: 'Project, all states', extension: 'lab' },
] as const;

interface Props {
  readonly group: RunGroup;
  /** Name of the run beside the others. */
  readonly name: string;
  readonly onRename: () => void;
}

export function RowMenu({ group, name, onRename }: Props) {
  const phase = phaseOf(group);
  const running = phase === 'running';
  const here = group.elsewhere !== true;
  const own = group.imported === undefined;
  const open = here && (running || phase === 'paused' || phase === 'interrupted');
  const canResume = open || (here && (phase === 'failed' || phase === 'stopped'));

  const remove = async () => {
    const undo = files.remove(group.id);
    toast(`${name} deleted.`, { action: { label: 'Undo', run: undo } });
  };

  return (
    <Popover align="end" width={220} label={t('Actions for {name}', { name })} trigger={<Icon name="more" />}>
      {(close) => {
        const then = (run: () => void) => () => {
          close();
          run();
        };
        return (
          <div className={styles.menu}>
            {own && (
              <Button kind="bare" icon="open" onClick={then(() => runs.open(group.id))}>
                {t('Open in the configuration')}
              </Button>
            )}
            {own && (
              <Button kind="bare" icon="fork" onClick={then(() => fork(group, name))}>
                {t('Fork its config')}
              </Button>
            )}
            {canResume && (
              <Button
                kind="bare"
                icon={running ? 'pause' : 'play'}
                onClick={then(() => (running ? runs.pause(group.id) : runs.resume(group.id)))}
              >
                {running ? t('Pause') : t('Resume')}
              </Button>
            )}
            {open && (
              <Button kind="bare" icon="stop" onClick={then(() => runs.stop(group.id))}>
                {t('Stop')}
              </Button>
            )}
            {own && group.seeds.some(({ result }) => result !== null) && (
              <Button kind="bare" icon="check" onClick={then(() => verify(group))}>
                {t('Run again and compare')}
              </Button>
            )}
            <Button kind="bare" icon="sliders" onClick={then(onRename)}>
              {t('Rename')}
            </Button>
            <hr />
            {EXPORTS.filter(({ what }) => own || ['csv', 'project'].includes(what)).map((entry) => (
              <Button
                key={entry.what}
                kind="bare"
                icon="download"
                onClick={then(() => void save(files.export(group.id, entry.what), `${fileName(name)}.${entry.extension}`))}
              >
                {entry.words}
              </Button>
            ))}
            {own && (
              <Button kind="bare" icon="download" onClick={then(() => exportPolicy({ runId: group.id }))}>
                {t('Policy as ONNX')}
              </Button>
            )}
            {own && (
              <Button kind="bare" icon="copy" onClick={then(() => void copy(citation(group, name), 'Citation'))}>
                {t('Cite this run')}
              </Button>
            )}
            {here && <hr />}
            {here && (
              <Button kind="danger" icon="trash" onClick={then(() => void remove())}>
                {t('Delete')}
              </Button>
            )}
          </div>
        );
      }}
    </Popover>
  );
}

/** Its config as a new draft, to be changed and trained beside it. */
function fork(group: RunGroup, name: string): void {
  draftStore.getState().open(group.config);
  toast(`The configuration is now a copy of ${name}. Change something and train it beside the first.`);
}

/** Trains it again, to see that it learns the same. */
function verify(group: RunGroup): void {
  askVerify(group.id);
  layoutStore.getState().set('dialog', 'verify');
}
