/** The middle of the page: the picture, what lies over it, who acts (a policy, you, or no one while the map is edited), and two timelines. */
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { game, stage } from '#client/stage/service.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { heldPoints, isGrid, type PointsLayout } from '#contract/game/frames.ts';
import { spoken } from '#contract/game/seats.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { takesAnyTeam } from '#contract/run/any-team.ts';
import { catalogStore } from '#stores/catalog.ts';
import { datasetsStore } from '#stores/datasets.ts';
import { draftStore } from '#stores/draft.ts';
import { layoutStore } from '#stores/layout.ts';
import { inLesson, routeStore } from '#stores/route.ts';
import { runsStore } from '#stores/runs.ts';
import { stageStore } from '#stores/stage.ts';
import { inSight } from '#stores/stage-machine.ts';
import type { StageState } from '#stores/types.ts';
import { msg, t } from '#text/text.ts';
import { policyTitle } from '#ui/form/env-words.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Icon } from '#ui/kit/Icon.tsx';
import { late } from '#ui/kit/late.tsx';
import { Popover } from '#ui/kit/Popover.tsx';
import { Segmented } from '#ui/kit/Segmented.tsx';
import { isTeam } from './agents.ts';
import { BeforeAfter } from './BeforeAfter.tsx';
import { comingStore, lessonOf } from './coming.ts';
import { isPlayable, whyNotPlayable } from './controls.ts';
import { askedInWords } from './describe.ts';
import { groupStore } from './group/shown.ts';
import { GameResult, HumanPlay } from './HumanPlay.tsx';
import { LineUp } from './LineUp.tsx';
import { MarkLegend } from './MarkLegend.tsx';
import { Poster } from './Poster.tsx';
import { pairStore } from './pair.ts';
import { SceneView } from './SceneView.tsx';
import styles from './Stage.module.css';
import { Legends, StageBar } from './StageBar.tsx';
import { StageEnv } from './StageEnv.tsx';
import type { HostedScene } from './scene-host.ts';
import { placeSlot, slotStore } from './slot.ts';
import { TeachIt, TeachPath } from './Teach.tsx';
import { Timelines } from './Timelines.tsx';
import { aimed } from './team/aim.ts';
import { TokenStrip } from './tokens/TokenStrip.tsx';
import { useStageEnv } from './useStageEnv.ts';
import { Welcome } from './Welcome.tsx';

interface Props {
  /** Below the scene: how the run stands. */
  readonly moment?: ReactNode;
  /** On the scene of a team: asks what each agent contributes. */
  readonly who?: (env: EnvCard) => ReactNode;
}

export function Stage({ moment, who }: Props) {
  const mode = useStore(stageStore, (state) => state.mode);
  const message = useStore(stageStore, (state) => state.message);
  const told = useStore(stageStore, (state) => state.told);
  const partners = useStore(stageStore, ({ replay, mode }) => (mode === 'play' ? undefined : replay?.partners));
  const env = useStageEnv();
  /** The world of a game: of more agents than the draft's where a person has a seat of players. */
  const played = useStore(stageStore, ({ machine }) => inSight(machine).env);
  const slotted = useStore(slotStore, ({ asked }) => asked > 0);
  const pair = useStore(pairStore, ({ open }) => open);
  /** Something stands over the scene, and what is said of it waits meanwhile. */
  const paired = pair || slotted;
  const [hosted, setHosted] = useState<HostedScene | null>(null);
  const onScene = useCallback((ready: HostedScene) => setHosted(ready), []);
  /** The environment whose frame is on the canvas. */
  const [drawn, setDrawn] = useState('');
  const onShown = useCallback(() => setDrawn(stageStore.getState().replay?.env.id ?? draftStore.getState().config.env.id), []);
  const { env: announced, config: itsSettings, lesson } = useStore(comingStore);
  /** A lesson is being loaded: its world is another than the one on the stage, and is not known yet. */
  const unknown = useStore(routeStore, (state) => inLesson(state) && state.route !== null && lessonOf(state.route) !== lesson);
  const coming = unknown ? '' : announced;
  const catalog = useStore(catalogStore, (state) => state.catalog);
  const waits = coming !== null && coming !== drawn;
  const settings = useStore(draftStore, ({ config }) => config.env.config);
  const next = waits ? (catalog?.envs.find(({ id }) => id === coming) ?? null) : env;
  const asksWho = useAsksWho(env);
  const lessonOpen = useStore(routeStore, inLesson);
  const grouped = useGrouped(env);
  const resized = useResized();
  const holds = useHolds();
  const aims = useStore(stageStore, aimed);
  const carded = useStore(stageStore, ({ source }) => isGrid(source?.layout) && source.layout.ruleCard !== undefined) && !paired;
  const watches = env !== null && watchesAny(env);
  const onCamera = (camera: StageState['camera']): void => {
    stageStore.getState().setCamera(camera);
    // The same preset again means: back to it after turning by hand.
    hosted?.scene.setCamera(camera);
  };
  return (
    <div className={styles.stage}>
      <div className={styles.scene} data-scene="" data-waits={waits || undefined}>
        <Poster env={next} config={waits ? itsSettings : settings} drawn={drawn} coming={coming} />
        <SceneView covered={grouped || paired} onScene={onScene} onShown={onShown} />
        {grouped && env !== null && (
          <Suspense fallback={null}>
            <GroupStage env={env} />
          </Suspense>
        )}
        <div className={styles.over}>
          <ModeSwitch mode={mode} env={env} />
          <StageBar onCamera={onCamera} flat={hosted?.flat ?? false} />
        </div>
        <Computing />
        <GameResult />
        <BeforeAfter env={env} />
        {slotted && <div className={styles.slot} ref={placeSlot} />}
        <div className={styles.under}>
          <div className={styles.keys}>
            {resized && env !== null && (
              <Suspense fallback={null}>
                <TeamSize env={env} />
              </Suspense>
            )}
            {watches && env !== null && (
              <Suspense fallback={null}>
                <Watching env={env} />
              </Suspense>
            )}
            {holds !== null && env !== null && (
              <Suspense fallback={null}>
                <Hold key={env.id} env={env} layout={holds} />
              </Suspense>
            )}
            {aims !== null && env !== null && (
              <Suspense fallback={null}>
                <Aim key={env.id} env={env} layout={aims} />
              </Suspense>
            )}
            <MarkLegend />
            <Legends />
          </div>
          {env !== null && KEPT_POLICIES.includes(env.id) && !waits && !lessonOpen && (
            <Suspense fallback={null}>
              <Kept env={env} />
            </Suspense>
          )}
          {asksWho && env !== null && who !== undefined && <Suspense fallback={null}>{who(env)}</Suspense>}
          {told !== '' && <p className={styles.told}>“{askedInWords(told)}”</p>}
          {partners !== undefined && (
            <p className={styles.told}>
              {t('drawn for this episode: {who}', {
                who: partners.map(({ seat, player }) => `${spoken(seat)} ${policyTitle(player)}`).join(', '),
              })}
            </p>
          )}
        </div>
      </div>
      <Welcome env={env} />
      {moment}
      {carded && (
        <Suspense fallback={null}>
          <RuleCard />
        </Suspense>
      )}
      {env?.tokens !== undefined && mode !== 'play' && <TokenStrip env={env} />}
      {!paired && (
        <p className={styles.message} title={message} data-scrub="">
          <WhoPlays />
          {message}
        </p>
      )}
      {mode === 'play' && env !== null && <HumanPlay env={played ?? env} />}
      {!paired && <Timelines />}
    </div>
  );
}

/** A learned policy of a team plays, at the simple depth: what each agent contributes is one press away. Two sides of a game are no team. */
function useAsksWho(env: EnvCard | null): boolean {
  const simple = useStore(layoutStore, ({ depth }) => depth === 'teach');
  const lesson = useStore(routeStore, inLesson);
  const learned = useStore(stageStore, ({ policy, mode }) => policy !== null && (mode === 'live' || mode === 'replay'));
  return simple && !lesson && learned && env !== null && isTeam(env);
}

const GroupStage = lazy(() => import('./group/GroupStage.tsx'));

/** A learned policy writes: a group of its answers is shown in place of one episode, until the other is chosen. */
function useGrouped(env: EnvCard | null): boolean {
  const on = useStore(groupStore, (state) => state.on);
  const paired = useStore(pairStore, ({ open }) => open);
  const lesson = useStore(routeStore, inLesson);
  const asked = useStore(layoutStore, (state) => state.lesson?.group === true);
  const learned = useStore(stageStore, ({ policy, mode }) => policy !== null && (mode === 'live' || mode === 'replay'));
  return on && learned && !paired && (!lesson || asked) && env?.tokens !== undefined;
}

/** The policy that was trained here before, and the learner beside it. */
const Kept = late(() => import('./kept/Kept.tsx'));

const RuleCard = late(() => import('./rules/RuleCard.tsx'));

const TeamSize = lazy(() => import('./team/TeamSize.tsx'));

const Hold = lazy(() => import('./team/Hold.tsx'));

const Aim = lazy(() => import('./team/Aim.tsx'));

const Watching = lazy(() => import('./team/Watching.tsx'));

/** Its settings say how often one player sees another. */
const watchesAny = ({ schema }: EnvCard): boolean => Object.values(schema.properties ?? {}).some(({ watching }) => watching === true);

/** What is shown, where a person may put its things elsewhere; null: nothing, or not now. */
function useHolds(): PointsLayout | null {
  const layout = useStore(stageStore, (state) => (state.mode === 'edit' ? undefined : state.source?.layout));
  return layout?.kind === 'points' && heldPoints(layout).length > 0 ? layout : null;
}

/** The policy that plays takes teams of any size. */
function useResized(): boolean {
  const runId = useStore(stageStore, ({ policy, mode }) => (mode === 'live' || mode === 'replay' ? policy?.runId : undefined));
  return useStore(runsStore, ({ groups }) => {
    const settings = groups.find(({ id }) => id === runId)?.config.algo.config;
    return settings !== undefined && takesAnyTeam(settings as JsonObject);
  });
}

/** The colour of the run whose policy plays, as its curve has it. */
function WhoPlays() {
  const runId = useStore(stageStore, ({ policy }) => policy?.runId);
  const colour = useStore(runsStore, ({ groups }) => groups.find(({ id }) => id === runId)?.colour);
  return colour === undefined ? null : <i className={styles.who} style={{ background: `var(--series-${colour % 8})` }} />;
}

/** Crowds and long limits take a while to play out: said after half a second, and it can be cut short. */
function Computing() {
  const computing = useStore(stageStore, (state) => state.computing);
  if (!computing) return null;
  return (
    <p className={styles.computing} role="status">
      {t('Computing the next episode.')}{' '}
      <Button icon="stop" onClick={() => void stage.stopComputing()}>
        {t('Stop here')}
      </Button>
    </p>
  );
}

const WAYS = [
  { value: 'watch', label: msg('Watch') },
  { value: 'play', label: msg('Play yourself') },
  { value: 'over', label: msg('Take over') },
] as const;

function ModeSwitch({ mode, env }: { readonly mode: StageState['mode']; readonly env: EnvCard | null }) {
  const playable = isPlayable(env);
  // After a game its result offers this beside the scores.
  const scored = useStore(stageStore, (state) => state.mode === 'replay' && state.game !== null && state.game.score !== null);
  const played = useStore(datasetsStore, (state) => state.games.length > 0);
  const editable = Object.values(env?.schema.properties ?? {}).some((field) => field.editor === 'grid-map');
  // The answer to a choice takes a moment; the switch shows the choice at once.
  const [chosen, setChosen] = useState<'watch' | 'play' | 'over' | null>(null);
  const shared = useStore(stageStore, (state) => state.takeover !== null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new mode is the answer
  useEffect(() => setChosen(null), [mode]);
  const choose = (next: 'watch' | 'play' | 'over'): void => {
    setChosen(next);
    if (next === 'play') void game.open().finally(() => setChosen(null));
    else if (next === 'over') void game.takeOver().finally(() => setChosen(null));
    else if (mode === 'play') void game.end();
    else if (mode === 'edit') void stage.editMap(false);
  };
  return (
    <div className={styles.modes} data-tour="modes">
      <Segmented
        label={t('Who acts')}
        value={chosen ?? (mode !== 'play' ? 'watch' : shared ? 'over' : 'play')}
        options={(playable ? WAYS : WAYS.slice(0, 1)).map(({ value, label }) => ({ value, label: t(label) }))}
        onChange={choose}
      />
      {mode !== 'play' && mode !== 'edit' && !scored && <TeachIt short />}
      {mode !== 'play' && mode !== 'edit' && played && (
        <Popover width={360} trigger={<Icon name="rows" />} title={t('Teach it yourself')} label={t('Teach it yourself: where you stand')}>
          {(close) => <TeachPath onAct={close} />}
        </Popover>
      )}
      {env !== null && !playable && (
        <Popover width={280} trigger={t('Play yourself?')} label={t('Why you cannot play here')}>
          {() => <p>{whyNotPlayable(env)}</p>}
        </Popover>
      )}
      {editable && (
        <span data-from="lab">
          <Button kind="bare" pressed={mode === 'edit'} onClick={() => void stage.editMap(mode !== 'edit')}>
            {mode === 'edit' ? t('Done editing') : t('Edit map')}
          </Button>
        </span>
      )}
      {mode !== 'edit' && (
        <span data-from="lab">
          <LineUp env={env} />
        </span>
      )}
      <StageEnv env={env} />
    </div>
  );
}
