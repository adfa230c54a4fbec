/**
 * What an environment is, generated from its card, from the header of its file and from measurements: presets to open, who may be
 * watched, tables of observation, action and state, reward, settings, reference returns, speed.
 */

import facts from 'virtual:env-facts';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { laboratory } from '#client/address/laboratory.ts';
import { workers } from '#client/workers/service.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { SWARM_MODELS } from '#contract/run/swarm.ts';
import { hashOf } from '#stores/route.ts';
import { stageStore } from '#stores/stage.ts';
import {
  actionInWords,
  actionLines,
  detailsOf,
  learnsIn,
  namesInWords,
  obsInWords,
  obsLines,
  policyTitle,
  presetInWords,
  settingsOf,
} from '#ui/form/env-words.ts';
import { freshInWords } from '#ui/form/fresh-words.ts';
import { KeepHere } from '#ui/frame/KeepHere.tsx';
import { keepable } from '#ui/frame/keepable.ts';
import { Button } from '#ui/kit/Button.tsx';
import { compact, measure, percent } from '#ui/kit/format/numbers.ts';
import { Prose } from '#ui/kit/Prose.tsx';
import { Picture } from '#ui/kit/picture/Picture.tsx';
import { Cite } from '#ui/setup/Picker.tsx';
import { isPlayable, whyNotPlayable } from '#ui/stage/controls.ts';
import { CiteThing } from '../CiteThing.tsx';
import styles from './EnvPage.module.css';
import { openEnv, play, watch } from './stage.ts';

interface Props {
  readonly env: EnvCard;
  /** It is the environment of the draft. */
  readonly open: boolean;
  /** After a choice that belongs to the stage. */
  readonly onLeave: () => void;
}

export function EnvPage({ env, open, onLeave }: Props) {
  const scripted = useStore(stageStore, (state) => (open ? state.scripted : null));
  const fact = facts[env.id];
  const playable = isPlayable(env);
  const act = (what: Promise<void>) => {
    void what;
    onLeave();
    laboratory.show(); // from the front page, too
  };
  return (
    <article className={styles.page}>
      <p className={styles.lead}>
        {env.summary} <Cite source={env.source} />
      </p>
      <div className={styles.actions}>
        {!open && (
          <Button kind="solid" onClick={() => act(openEnv(env.id))}>
            Use this environment
          </Button>
        )}
        <KeepHere name={env.title} thing={keepable([env.id], [], [])} />
        <Button icon="play" pressed={scripted === 'random'} onClick={() => act(watch(env.id, 'random'))}>
          Watch random play
        </Button>
        {env.policies.map((name) => (
          <Button key={name} icon="play" pressed={scripted === name} onClick={() => act(watch(env.id, name))}>
            Watch {policyTitle(name)}
          </Button>
        ))}
        {playable && <Button onClick={() => act(play(env.id))}>Play yourself</Button>}
        <CiteThing of={{ ...env, kind: 'environment' }} />
        {SWARM_MODELS.some((model) => model === env.id) && (
          <a href={hashOf({ page: 'swarm', id: null, query: { model: env.id } })} onClick={onLeave}>
            100,000 of them on the graphics card
          </a>
        )}
      </div>
      <ul className={styles.presets} aria-label="Presets">
        {env.presets.map((preset) => (
          <li key={preset.id}>
            <button type="button" className={styles.card} onClick={() => act(openEnv(env.id, preset.id))}>
              <Picture env={env} preset={preset.id} config={{ ...env.defaults, ...preset.config }} />
              <span className={styles.cardTitle}>{preset.title}</span>
              <span className={styles.summary}>{presetInWords(preset.config, env.schema)}</span>
            </button>
          </li>
        ))}
      </ul>
      <dl className={styles.facts}>
        <Fact name="agents">
          {env.agents === 1 ? 'one' : env.agents} {env.agents > 1 && <>({env.groups.map(({ names }) => namesInWords(names)).join('; ')})</>}
        </Fact>
        {!playable && <Fact name="by hand">{whyNotPlayable(env)}</Fact>}
        <Fact name="observation">{[...new Set(env.groups.map(({ obs }) => obsInWords(obs)))].join('; ')}</Fact>
        <Fact name="action">
          {[...new Set(env.groups.map(({ action }) => actionInWords(action)))].join('; ')}
          {env.masked ? ', some forbidden at times' : ''}
        </Fact>
        <Fact name="reward">
          {env.rewards.length === 1 ? 'one number' : `a vector: ${env.rewards.join(', ')}`}
          {env.agents > 1 ? `; the return of a team is the ${env.score}` : ''}
          {env.costs.length > 0 ? `; costs apart: ${env.costs.join(', ')}` : ''}
        </Fact>
        <Fact name="episode">
          {env.maxSteps > 0
            ? `at most ${compact(env.maxSteps)} steps, then cut`
            : `no limit of its own; evaluation stops after ${compact(env.evalMaxSteps)}`}
        </Fact>
        <Fact name="discount">{measure(env.gamma)}</Fact>
        <Fact name="version">
          <code>
            {env.id}@{env.version}
          </code>
          ; a link keeps the version it was made with
        </Fact>
        <Fact name="checked by">
          {fact === undefined || fact.goldenCases === 0
            ? 'tests of every rule; its reference has no golden data'
            : `${fact.goldenCases} golden ${fact.goldenCases === 1 ? 'case' : 'cases'} of its reference`}
        </Fact>
        {fact?.learned != null && (
          <Fact name="learns">
            {[
              `${fact.learned.algo}, ${compact(fact.learned.steps)} steps`,
              learnsIn(fact.learned, workers.parallel()),
              fact.learned.fraction === null
                ? ''
                : `${percent(Math.round(100 * fact.learned.fraction))} of the way from random to the best known play`,
              fact.learned.bands.reached && `expect ${measure(fact.learned.bands.reached[0])} to ${measure(fact.learned.bands.reached[1])}`,
              env.learnNote,
            ]
              .filter(Boolean)
              .join('; ')}
          </Fact>
        )}
        {fact?.fresh != null && (
          <Fact name="on fresh seeds">
            {freshInWords(fact.fresh)} <a href={hashOf({ page: 'zoo', id: null, query: { q: env.id } })}>its policy</a>
          </Fact>
        )}
        {fact?.learned == null && env.learnNote !== undefined && <Fact name="learns">{env.learnNote}</Fact>}
        <Fact name="speed">
          {fact?.rates == null
            ? 'not measured yet'
            : Object.entries(fact.rates)
                .map(([batch, rate]) => `${compact(rate)} steps/s at batch ${batch}`)
                .join(', ')}
        </Fact>
      </dl>
      {env.references.length > 0 && (
        <Part title="What is reached">
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">who</th>
                <th scope="col" className={styles.figure}>
                  return
                </th>
                <th scope="col">source</th>
              </tr>
            </thead>
            <tbody>
              {env.references.map(({ name, value, source }) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td className={styles.figure}>{measure(value)}</td>
                  <td>{source}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Part>
      )}
      {fact !== undefined && fact.about.length > 0 && (
        <Part title="In detail">
          <dl className={styles.details}>
            {detailsOf(fact.about).map(({ label, text }) => (
              <Fact key={text} name={label}>
                <Prose text={text} />
              </Fact>
            ))}
          </dl>
        </Part>
      )}
      {env.groups.map(({ names, obs, action }) => (
        <div key={names.join()} className={styles.two}>
          <Part title={env.groups.length > 1 ? `Observation of ${namesInWords(names)}` : 'Observation'}>
            <Rows lines={obsLines(obs)} last="range" />
          </Part>
          <Part title={env.groups.length > 1 ? `Actions of ${namesInWords(names)}` : 'Actions'}>
            <Rows lines={actionLines(action, env.keys)} last={action.kind === 'discrete' ? 'keys' : 'range'} />
          </Part>
        </div>
      ))}
      <Part title="Settings" fold>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">setting</th>
              <th scope="col">default</th>
              <th scope="col">allowed</th>
              <th scope="col">what it does</th>
            </tr>
          </thead>
          <tbody>
            {settingsOf(env.schema, env.defaults).map(({ key, title, value, range, text }) => (
              <tr key={key}>
                <th scope="row">
                  {title} <code>{key}</code>
                </th>
                <td>{value}</td>
                <td>{range}</td>
                <td>{text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Part>
      <Part title="State" fold>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">field</th>
              <th scope="col">shape</th>
              <th scope="col">what it holds</th>
            </tr>
          </thead>
          <tbody>
            {env.state.map(({ name, shape, unit, doc }) => (
              <tr key={name}>
                <th scope="row">
                  <code>{name}</code>
                </th>
                <td>{shape.length === 0 ? 'one number' : shape.join(' × ')}</td>
                <td>
                  {doc}
                  {unit === undefined ? '' : `, ${unit}`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Part>
    </article>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Part({ title, fold = false, children }: { readonly title: string; readonly fold?: boolean; readonly children: ReactNode }) {
  if (fold)
    return (
      <details className={styles.part}>
        <summary>
          <h3>{title}</h3>
        </summary>
        <div className={styles.scroll}>{children}</div>
      </details>
    );
  return (
    <section className={styles.part}>
      <h3>{title}</h3>
      <div className={styles.scroll}>{children}</div>
    </section>
  );
}

const LONGEST = 24;

function Rows({
  lines,
  last,
}: {
  readonly lines: readonly { readonly what: string; readonly meaning: string; readonly range: string; readonly keys?: string }[];
  readonly last: 'range' | 'keys';
}) {
  const shown = lines.slice(0, LONGEST);
  const any = lines.some((line) => (last === 'keys' ? line.keys : line.range));
  return (
    <>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">number</th>
            <th scope="col">meaning</th>
            {any && <th scope="col">{last}</th>}
          </tr>
        </thead>
        <tbody>
          {shown.map((line) => (
            <tr key={line.what}>
              <th scope="row" className="figures">
                {line.what}
              </th>
              <td>{line.meaning}</td>
              {any && <td className="figures">{last === 'keys' ? line.keys : line.range}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {lines.length > LONGEST && <p className={styles.quiet}>and {lines.length - LONGEST} more</p>}
    </>
  );
}
