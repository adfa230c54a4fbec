/** The world of a lesson as a picture. */
import { useStore } from 'zustand';
import type { JsonObject } from '#contract/kit/json.ts';
import { catalogStore } from '#stores/catalog.ts';
import { nearestPreset } from '#ui/kit/format/card-text.ts';
import { Picture } from '#ui/kit/picture/Picture.tsx';
import styles from './Lessons.module.css';
import type { ShownLesson } from './language.ts';

export function LessonPicture({ lesson }: { readonly lesson: ShownLesson }) {
  const { id, config = {} } = lesson.config.env as { readonly id: string; readonly config?: JsonObject };
  const env = useStore(catalogStore, (state) => state.catalog?.envs.find((card) => card.id === id));
  return env === undefined ? null : <Picture env={env} preset={nearestPreset(env, config)} config={config} />;
}

/** The picture that a step names. */
export function StepPicture({ of: { env: id, preset } }: { readonly of: { readonly env: string; readonly preset: string } }) {
  const env = useStore(catalogStore, (state) => state.catalog?.envs.find((card) => card.id === id));
  return (
    <span className={styles.stepPicture} data-step-picture="">
      <Picture id={id} env={env} preset={preset} config={{}} />
    </span>
  );
}
