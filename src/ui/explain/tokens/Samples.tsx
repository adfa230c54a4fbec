/**
 * What the shown policy answers when it is sampled: one group side by side, as the method that trained it compares answers, and a table of
 * several groups. Drawn on request, so that training pays nothing for it.
 */
import { useState } from 'react';
import { useStore } from 'zustand';
import { tokens } from '#client/stage/service.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { toFailure } from '#contract/kit/errors.ts';
import type { AnswerGroup, AnswerToken, GroupAnswer } from '#contract/run/tokens.ts';
import { stageStore } from '#stores/stage.ts';
import { Button } from '#ui/kit/Button.tsx';
import { save } from '#ui/kit/save.ts';
import { lasting, useLasting } from '#ui/stage/lasting.ts';
import { lessonOf, meanReward, plain, rightOf, weightOf } from '#ui/stage/tokens/weighed.ts';
import { glyphOf, glyphsOf, nameOf } from '#ui/stage/tokens/words.ts';
import styles from './Samples.module.css';
import { FILTERS, type Filter, judged, linesOf, partsOf, passes, samplesCsv } from './samples.ts';

/** Answers of the group to the prompt on the stage; groups of the table and answers of each. */
const [GROUP, TABLE_GROUPS, TABLE_SIZE] = [16, 8, 8];

/** At which of its updates the policy was sampled, so that an older answer is not taken for one of now. */
interface Drawn {
  readonly groups: readonly AnswerGroup[];
  readonly one: boolean;
  readonly step: number | null;
}

interface Chosen {
  readonly drawn: Drawn | null;
  readonly draws: number;
  /** Of the table. */
  readonly filter: Filter;
}

const choices = lasting<Chosen>({ drawn: null, draws: 0, filter: 'all' });

export function Samples({ env }: { readonly env: EnvCard }) {
  const policy = useStore(stageStore, (state) => state.policy);
  const replay = useStore(stageStore, (state) => state.replay);
  const [{ drawn, draws, filter }, choose] = useLasting(choices, env.id);
  const [failed, setFailed] = useState('');
  const [busy, setBusy] = useState(false);
  const draw = async (one: boolean): Promise<void> => {
    if (policy === null || replay === null) return;
    setBusy(true);
    setFailed('');
    try {
      const size = one ? GROUP : TABLE_SIZE;
      const from = one ? replay : null;
      const groups = await tokens.sample({
        policy: policy.key,
        env: replay.env,
        from,
        groups: one ? 1 : TABLE_GROUPS,
        size,
        seed: draws + 1,
      });
      choose({ drawn: { groups, one, step: policy.step }, draws: draws + 1 });
    } catch (error) {
      const { message, fix } = toFailure(error);
      setFailed(`${message} ${fix}`);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className={styles.samples} aria-labelledby="samples-title">
      <h3 id="samples-title">Sampled answers</h3>
      <div className={styles.draw}>
        <Button disabled={policy === null || replay === null || busy} onClick={() => void draw(true)}>
          {GROUP} to this prompt
        </Button>
        <Button disabled={policy === null || replay === null || busy} onClick={() => void draw(false)}>
          {TABLE_SIZE} to each of {TABLE_GROUPS} prompts
        </Button>
      </div>
      {failed !== '' && (
        <p className={styles.failed} role="alert">
          {failed}
        </p>
      )}
      {drawn !== null && (
        <div aria-busy={busy}>
          {drawn.one ? (
            <Group env={env} group={drawn.groups[0]!} />
          ) : (
            <Table env={env} groups={drawn.groups} filter={filter} onFilter={(id) => choose({ filter: id })} />
          )}
          {drawn.step !== null && <p className={styles.note}>Of the policy after {drawn.step.toLocaleString('en')} tokens of training.</p>}
        </div>
      )}
    </section>
  );
}

/** What was written, the world's replies set apart. */
function Said({ env, tokens: said }: { readonly env: EnvCard; readonly tokens: readonly AnswerToken[] }) {
  return (
    <code>
      {said.map(({ id, written: own, advantage }, place) => {
        const told = `${own ? '' : ', the world’s reply'}${advantage === undefined ? '' : `, advantage ${plain(advantage)}`}`;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: places of a row are what they are
          <span key={place} data-reply={own ? undefined : ''} title={`${nameOf(env, id)}${told}`}>
            {glyphOf(env, id)}
          </span>
        );
      })}
    </code>
  );
}

function Group({ env, group }: { readonly env: EnvCard; readonly group: AnswerGroup }) {
  const lines = linesOf(group);
  const mean = meanReward(group);
  const weight = ({ advantage, dropped }: GroupAnswer): number => (dropped ? 0 : (advantage ?? 0));
  const most = Math.max(...group.answers.map((answer) => Math.abs(weight(answer))), 1e-9);
  const parts = partsOf(env);
  const uniform = new Set(group.answers.map(({ reward }) => reward)).size === 1;
  const compared = group.comparison !== null;
  const above = lines.filter(({ answer }) => answer.reward > mean);
  const rest = lines.filter(({ answer }) => answer.reward <= mean);
  const line = ({ answer, count }: (typeof lines)[number], place: number) => (
    <tr key={place} data-sign={Math.sign(weight(answer))}>
      <td className={styles.bar} style={{ '--long': `${(50 * Math.abs(weight(answer))) / most}%` } as object} aria-hidden="true" />
      <td className={styles.said}>
        <Said env={env} tokens={answer.tokens} />
      </td>
      <td>{count === 1 ? '' : `× ${count}`}</td>
      <td>{judged(answer)}</td>
      <td title={parts.map((part, k) => `${part} ${plain(answer.terms[k] ?? 0)}`).join(', ')}>{plain(answer.reward)}</td>
      {compared && <td>{weightOf(group.comparison, answer)}</td>}
    </tr>
  );
  return (
    <>
      <p role="status">
        {group.asked !== '' && `${group.asked} `}
        <strong>
          {rightOf(group.answers)} of {group.answers.length} answers are right
        </strong>
        ; mean reward {plain(mean)}. {lessonOf(group)}
      </p>
      <div className={styles.scroller}>
        <table className={styles.group}>
          <caption className="visually-hidden">Answers of the group, the best paid first</caption>
          <thead>
            <tr>
              <td aria-hidden="true" />
              <th scope="col">answer</th>
              <th scope="col">
                <span className="visually-hidden">times</span>
              </th>
              <th scope="col">
                <span className="visually-hidden">right or wrong</span>
              </th>
              <th scope="col">reward</th>
              {compared && (
                <th scope="col" title="As the method that trained the policy weighs it, by its own settings">
                  {group.comparison === 'pairs' ? 'in its pair' : group.comparison === 'tokens' ? 'mean advantage' : 'advantage'}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {above.map(line)}
            {!uniform && (
              <tr className={styles.mean}>
                <td colSpan={compared ? 6 : 5}>
                  <span>mean {plain(mean)}</span>
                </td>
              </tr>
            )}
            {rest.map(line)}
          </tbody>
        </table>
      </div>
    </>
  );
}

interface TableProps {
  readonly env: EnvCard;
  readonly groups: readonly AnswerGroup[];
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
}

function Table({ env, groups, filter, onFilter }: TableProps) {
  const all = groups.flatMap(({ answers }) => answers);
  const parts = partsOf(env);
  const shown = groups.flatMap(({ prompt, asked, answers, comparison }, group) =>
    answers.filter((answer) => passes(answer, filter)).map((answer) => ({ prompt, asked, answer, group, comparison })),
  );
  return (
    <>
      <p role="status">
        <strong>
          {rightOf(all)} of {all.length} answers are right
        </strong>
        , to {groups.length} prompts.
      </p>
      <div className={styles.draw}>
        <select aria-label="Show" value={filter} onChange={(event) => onFilter(event.target.value as Filter)}>
          {(Object.keys(FILTERS) as Filter[]).map((id) => (
            <option key={id} value={id}>
              {FILTERS[id]} ({all.filter((answer) => passes(answer, id)).length})
            </option>
          ))}
        </select>
        <Button onClick={() => void save(new Blob([samplesCsv(env, groups)], { type: 'text/csv' }), `samples-${env.id}.csv`)}>CSV</Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reached by keyboard */}
      <section className={styles.scroller} data-tall="" tabIndex={0} aria-label="Table of samples">
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">prompt</th>
              <th scope="col">completion</th>
              <th scope="col">
                <span className="visually-hidden">right or wrong</span>
              </th>
              <th scope="col">reward</th>
              {parts.map((part) => (
                <th key={part} scope="col">
                  {part}
                </th>
              ))}
              <th scope="col">advantage</th>
              <th scope="col" title="Of all tokens that the policy wrote, together; nats">
                log-prob
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ prompt, asked, answer, group, comparison }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: answers of one draw stay where they are
              <tr key={place} data-sign={Math.sign(answer.advantage ?? 0)} data-first={shown[place - 1]?.group === group ? undefined : ''}>
                <td className={styles.said} title={asked}>
                  <code>{glyphsOf(env, prompt)}</code>
                </td>
                <td className={styles.said}>
                  <Said env={env} tokens={answer.tokens} />
                </td>
                <td>{judged(answer)}</td>
                <td>{plain(answer.reward)}</td>
                {parts.map((part, k) => (
                  <td key={part}>{plain(answer.terms[k] ?? 0)}</td>
                ))}
                <td>{weightOf(comparison, answer)}</td>
                <td>{answer.logProb === null ? '' : plain(answer.logProb)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}
