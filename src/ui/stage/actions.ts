/** What can be done with the episode on the stage. */
import { stageStore } from '#stores/stage.ts';
import type { StageState } from '#stores/types.ts';
import { msg } from '#text/text.ts';
import type { Action } from '#ui/kit/action.ts';

const SPEEDS: readonly number[] = [0.25, 0.5, 1, 2, 4, 8, 16];

function moveFrame(by: 1 | -1): void {
  const stage = stageStore.getState();
  stage.setPlaying(false);
  stage.seek(Math.min(stage.length - 1, Math.max(0, stage.t + by)));
}

function moveSpeed(by: 1 | -1): void {
  const stage = stageStore.getState();
  const at = SPEEDS.findIndex((speed) => speed >= stage.speed);
  stage.setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at + by))]!);
}

const onStage = (name: string, code: string, label: string, perform: () => void): Action => ({
  name,
  label,
  key: { shown: code.toUpperCase(), code },
  where: 'lab',
  perform,
});

const camera = (code: string, preset: StageState['camera'], label: string): Action =>
  onStage(`camera-${preset}`, code, label, () => stageStore.getState().setCamera(preset));

export const playEpisode = onStage('play-episode', 'p', msg('Play or hold the episode'), () => {
  const stage = stageStore.getState();
  stage.setPlaying(!stage.playing);
});

export const stageActions: readonly Action[] = [
  onStage('next-frame', '.', msg('Next frame of the episode'), () => moveFrame(1)),
  onStage('previous-frame', ',', msg('Previous frame of the episode'), () => moveFrame(-1)),
  onStage('slower', '[', msg('Slower playback'), () => moveSpeed(-1)),
  onStage('faster', ']', msg('Faster playback'), () => moveSpeed(1)),
  playEpisode,
  onStage('follow', 'f', msg('Camera follows the agent'), () => {
    const stage = stageStore.getState();
    stage.setCamera(stage.camera === 'follow' ? 'home' : 'follow');
  }),
  camera('1', 'home', msg('Camera: home')),
  camera('2', 'top', msg('Camera: top')),
  camera('3', 'side', msg('Camera: side')),
  camera('4', 'follow', msg('Camera: follow')),
];
