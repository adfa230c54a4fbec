/** Everything that makes a run: environment, algorithm, seeds and budget, evaluation. All of it is generated from the catalogue. */
import { useStore } from 'zustand';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { CODE_SETTING, isOwnWorld } from '#contract/run/own-world.ts';
import { catalogStore } from '#stores/catalog.ts';
import { draftStore, isOpen } from '#stores/draft.ts';
import { wantFitting } from '#stores/fitting.ts';
import { layoutStore } from '#stores/layout.ts';
import { hashOf, routeStore } from '#stores/route.ts';
import { t } from '#text/text.ts';
import { clearAllBad } from '#ui/form/invalid.ts';
import { pressable } from '#ui/kit/action.ts';
import { Button } from '#ui/kit/Button.tsx';
import { langOf } from '#ui/kit/format/fact.ts';
import { failureText } from '#ui/kit/format/failure.ts';
import { Picture } from '#ui/kit/picture/Picture.tsx';
import { useStageEnv } from '#ui/stage/useStageEnv.ts';
import { redoChange, undoChange } from './actions.ts';
import { Changes } from './Changes.tsx';
import { chooseEnv } from './choose-env.ts';
import { Fits, useFitting } from './Fits.tsx';
import { chooseMine, editCopy, editMine, MINE, type Mine, useMine } from './mine.ts';
import { Picker } from './Picker.tsx';
import { RewardShares } from './RewardShares.tsx';
import { belongs, Section } from './Section.tsx';
import styles from './Setup.module.css';
import { StopFields } from './StopFields.tsx';
import { allLeaves, useSetup } from './useSetup.ts';

/** Fields beside whose choice it is said why the two do not fit. */
const ELSEWHERE = ['env.id', 'algo.id'];

export function SetupPanel({ onFold }: { readonly onFold: (() => void) | null }) {
  const setup = useSetup();
  const catalog = useStore(catalogStore, (state) => state.catalog);
  const failure = useStore(catalogStore, (state) => state.failure);
  const opened = useStore(draftStore, isOpen);
  const depth = useStore(layoutStore, (state) => state.depth);
  const past = useStore(draftStore, (state) => state.past.length);
  const future = useStore(draftStore, (state) => state.future.length);
  const fitting = useFitting();
  const mine = useMine(useStore(routeStore, ({ route }) => route));
  const { terms } = useStageEnv() ?? {};
  const weighed =
    terms === undefined
      ? undefined
      : { paths: terms.flatMap(({ weights }) => weights.map((name) => `env.${name}`)), view: <RewardShares terms={terms} /> };
  const { setAlgo } = draftStore.getState();
  // What is wrong with a setting that has no field here stands where it is read: training waits for it.
  const lost = useStore(draftStore, ({ problems }) =>
    problems.find(({ field = '' }) => !ELSEWHERE.includes(field) && !allLeaves(setup).some((leaf) => belongs(leaf, field))),
  );

  return (
    <section className={styles.panel} aria-labelledby="setup-title">
      <header className={styles.head}>
        <h2 id="setup-title" tabIndex={-1} className={styles.title}>
          {depth === 'teach' ? t('The world') : t('Set up')}
        </h2>
        {(depth !== 'teach' || past + future > 0) && (
          <>
            <Button kind="bare" icon="undo" {...pressable(undoChange)} label={t('Undo')} disabled={past === 0} />
            <Button kind="bare" icon="redo" {...pressable(redoChange)} label={t('Redo')} disabled={future === 0} />
          </>
        )}
        {onFold && <Button kind="bare" icon="panel" label={t('Fold the configuration panel')} onClick={onFold} />}
      </header>
      <div className={styles.body}>
        {failure && (
          <p className={styles.failure} role="alert">
            {failureText(failure)}
          </p>
        )}
        {failure === null && catalog === null && <p className={styles.quiet}>{t('Loading environments and algorithms.')}</p>}
        {failure === null && catalog !== null && !opened && <p className={styles.quiet}>{t('Opening the configuration.')}</p>}
        {catalog !== null && opened && (
          <>
            {lost !== undefined && (
              <p className={styles.failure} role="alert">
                {failureText(lost)}
              </p>
            )}
            <Section id="env" title={t('Environment')} leaves={setup.envLeaves} beside={weighed}>
              {depth === 'teach' && (
                <p className={styles.about} lang={langOf(setup.env?.summary ?? '')}>
                  {setup.env === null ? '' : t(setup.env.summary)}
                </p>
              )}
              {depth === 'teach' && <EditCode env={setup.env} mine={mine} />}
              {depth !== 'teach' && (
                <Picker
                  label={t('Environment')}
                  cards={catalog.envs.filter(({ id }) => !isOwnWorld(id) || id === setup.env?.id)}
                  chosen={setup.env}
                  room="env"
                  fits={() => ''}
                  extra={<EnvButtons env={setup.env} mine={mine} />}
                  picture={(card, preset) =>
                    PICTURES.includes(`${card.id}-${preset}`) ? <Picture env={card} preset={preset} config={card.defaults} /> : null
                  }
                  onChoose={chooseEnv}
                  beside={{
                    family: MINE,
                    items: mine.flatMap((each) =>
                      each.id === setup.env?.id ? [] : [{ key: String(each.at), title: each.title, open: () => void chooseMine(each) }],
                    ),
                  }}
                />
              )}
            </Section>
            <Section id="algo" title={t('Algorithm')} leaves={setup.algoLeaves}>
              {depth !== 'teach' && (
                <Picker
                  label={t('Algorithm')}
                  cards={catalog.algos}
                  chosen={setup.algo}
                  room="algo"
                  fits={(card) => (fitting !== null || setup.env === null ? '' : misfit(card.action, setup.env.action.kind))}
                  onNear={wantFitting}
                  order={fitting?.fits.map(({ algo }) => algo)}
                  note={setup.algo !== null && <Fits algo={setup.algo.id} />}
                  extra={setup.algo !== null && <AlgoButton algo={setup.algo.id} />}
                  onChoose={(id, preset) => {
                    clearAllBad();
                    setAlgo(id, preset ?? fitting?.fits.find(({ algo }) => algo === id)?.preset);
                  }}
                />
              )}
            </Section>
            <Section id="budget" title={t('Seeds and budget')} leaves={setup.budgetLeaves} after={<StopFields />} />
            <Section id="evaluation" title={t('Evaluation')} leaves={setup.evaluationLeaves} />
          </>
        )}
      </div>
      <Changes setup={setup} />
    </section>
  );
}

interface OwnProps {
  readonly env: EnvCard | null;
  /** What was written here. */
  readonly mine: readonly Mine[];
}

/** The way to the code of an own world: the version that was written here, or a copy of what came from elsewhere. */
function EditCode({ env, mine }: OwnProps) {
  const code = env?.defaults[CODE_SETTING];
  const own = mine.find(({ id }) => id === env?.id);
  if (env === null || typeof code !== 'string') return null;
  return own === undefined ? (
    <Button kind="bare" icon="pencil" label={t('Edit a copy of its code')} onClick={() => void editCopy(env.title, code)} />
  ) : (
    <Button kind="bare" icon="pencil" label={t('Edit its code')} onClick={() => editMine(own)} />
  );
}

function EnvButtons({ env, mine }: OwnProps) {
  const show = (dialog: 'environment' | 'environments') => layoutStore.getState().set('dialog', dialog);
  return (
    <>
      <EditCode env={env} mine={mine} />
      <Button kind="bare" icon="info" label={t('About this environment')} onClick={() => show('environment')} />
      <Button kind="bare" icon="gallery" label={t('All environments')} onClick={() => show('environments')} />
    </>
  );
}

function AlgoButton({ algo }: { readonly algo: string }) {
  const open = (): void => {
    location.hash = hashOf({ page: 'methods', id: algo, query: {} });
  };
  return <Button kind="bare" icon="info" label={t('About this method')} onClick={open} />;
}

function misfit(wanted: 'discrete' | 'box' | 'any', has: 'discrete' | 'box'): string {
  if (wanted === 'any' || wanted === has) return '';
  return has === 'box' ? 'needs discrete actions' : 'needs continuous actions';
}
