/** My runs: the table of all runs of this device, each one press from the laboratory. */
import { useStore } from 'zustand';
import { laboratory } from '#client/address/laboratory.ts';
import { hashOf } from '#stores/route.ts';
import { runsStore } from '#stores/runs.ts';
import { PageFrame } from '#ui/frame/PageFrame.tsx';
import { Button } from '#ui/kit/Button.tsx';
import styles from './RunsPage.module.css';
import { RunsPanel } from './RunsPanel.tsx';

export default function RunsPage() {
  const some = useStore(runsStore, (state) => state.groups.length > 0);
  return (
    <PageFrame title="My runs" page="runs" wide>
      {some ? (
        <RunsPanel open page onFold={null} />
      ) : (
        <div className={styles.empty}>
          <p>
            No runs on this device yet. Train an agent: its curves, its policy and its settings are then kept here, in this browser, and
            nowhere else.
          </p>
          <p className={styles.ways}>
            <Button kind="solid" icon="play" big onClick={() => laboratory.back()}>
              Open the laboratory
            </Button>
            <a href={hashOf({ page: 'home', id: null, query: {} })}>Choose a world first</a>
          </p>
        </div>
      )}
    </PageFrame>
  );
}
