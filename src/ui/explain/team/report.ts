/** Gathers what has been explained on this page into a report: values, lines over training, curve, the frame and its picture. */
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { Json } from '#contract/kit/json.ts';
import { type ReportData, reportPage } from '#report/report.ts';
import { curves } from '#stores/curves.ts';
import { draftStore } from '#stores/draft.ts';
import { explainStore } from '#stores/explain.ts';
import { findGroup, runsStore } from '#stores/runs.ts';
import { stageStore } from '#stores/stage.ts';
import { verdict } from '../what-if/histogram.ts';

const PICTURE = { width: 560, height: 380 } as const;
const CURVE = 'episodicReturn';

export async function makeReport(env: EnvCard): Promise<Blob> {
  const { latest, envId, about, training, matters, whatIf } = explainStore.getState();
  const group = findGroup(runsStore.getState().activeId);
  const { config } = draftStore.getState();
  const lines = (group?.seeds ?? []).flatMap(({ seed }) => {
    const series = group === null ? null : curves.series(group.id, seed, CURVE);
    return series === null ? [] : [{ name: `seed ${seed}`, x: series.steps, y: series.values }];
  });
  const data: ReportData = {
    title: group === null ? env.title : group.name,
    made: new Date().toISOString(),
    about: about === '' ? env.title : `${env.title}, ${about}`,
    config: (group?.config ?? config) as unknown as Json,
    curve: lines.length === 0 ? null : { title: 'return of training episodes', lines },
    agents: envId === env.id ? latest : null,
    training: training !== null && training.runId === group?.id ? training.points : [],
    features: matters?.envId === env.id ? matters : null,
    whatIf: whatIf?.envId === env.id ? { ...whatIf, verdict: verdict(whatIf.of) } : null,
    picture: await picture(),
  };
  return new Blob([reportPage(data)], { type: 'text/html' });
}

/** The shown frame, drawn flat; null where it cannot be. */
async function picture(): Promise<ReportData['picture']> {
  const { source, t, message } = stageStore.getState();
  if (source === null) return null;
  const { createFlatScene } = await import('#scenes/flat.ts');
  const canvas = document.createElement('canvas');
  canvas.style.cssText = `position:fixed;inset-inline-start:-9999px;inline-size:${PICTURE.width}px;block-size:${PICTURE.height}px`;
  document.body.append(canvas);
  try {
    const scene = await createFlatScene(canvas, { reducedMotion: true, lean: true });
    scene.setSource(source);
    scene.resize(PICTURE.width, PICTURE.height, 2);
    scene.show(t, 0);
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    const url = canvas.toDataURL('image/png');
    scene.dispose();
    return { url, words: `Frame ${t}. ${message}` };
  } finally {
    canvas.remove();
  }
}
