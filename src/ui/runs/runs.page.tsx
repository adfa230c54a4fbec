/** My runs: the table of all runs of this device, each one press from the laboratory. */
import { useStore } from 'zustand';
import { runsStore } from '#stores/runs.ts';
import { t } from '#text/text.ts';
import { PageFrame } from '#ui/frame/PageFrame.tsx';
import { FewRuns } from './FewRuns.tsx';
import { NoRuns } from './NoRuns.tsx';
import { RunsPanel } from './RunsPanel.tsx';

/** So many rows leave the page empty. */
const FEW = 4;

export default function RunsPage() {
  const count = useStore(runsStore, (state) => state.groups.length);
  return (
    <PageFrame title={t('My runs')} page="runs">
      {count > 0 ? (
        <>
          <RunsPanel open page onFold={null} />
          {count <= FEW && <FewRuns />}
        </>
      ) : (
        <NoRuns example>
          {t(
            'No runs on this device yet. Train an agent: its curves, its policy and its settings are then kept here, in this browser, and nowhere else.',
          )}
        </NoRuns>
      )}
    </PageFrame>
  );
}
