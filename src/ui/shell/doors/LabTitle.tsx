/** Names the browser's tab while the laboratory is shown: what is open, and how far its run is. */
import { useTabTitle } from '#ui/frame/tab-title.ts';
import { useSetupName } from '#ui/kit/useTitle.ts';
import { useTransport } from '#ui/runs/useTransport.ts';
import { howFar } from './how-far.ts';

export function LabTitle() {
  const title = useSetupName();
  const { group, phase } = useTransport();
  useTabTitle(title, group !== null && (phase === 'running' || phase === 'paused') ? howFar(group) : undefined);
  return null;
}
