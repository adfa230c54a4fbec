/** The messages of the shown frame, their causal influence on each choice, and the return of the team without them. */
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { explain } from '#client/explain/service.ts';
import { numberOf } from '#client/stage/number-of.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { CHANNEL_VALUE, type ChannelValue, COMMUNICATION, type MessageFrame } from '#contract/explain/communication.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { stageStore } from '#stores/stage.ts';
import { Button } from '#ui/kit/Button.tsx';
import { measure } from '#ui/kit/format/numbers.ts';
import styles from './Messages.module.css';
import { agentNames, depth, nats, tint, turns } from './words.ts';

const EVERY_MS = 150;
const EPISODES = 100;

interface Heard {
  readonly talk: MessageFrame | null;
  readonly t: number;
}

/** Messages of the frame on the stage; one request at a time, for the newest frame. */
function useTalk(): Heard | null {
  const [heard, setHeard] = useState<Heard | null>(null);
  useEffect(() => {
    let over = false;
    let busy = false;
    let asked = '';
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = (): void => {
      const { replay, policy, t } = stageStore.getState();
      const about = `${policy?.key}:${replay === null ? '' : numberOf(replay)}:${t}`;
      if (over || busy || about === asked) return;
      if (policy === null || replay === null) {
        asked = about;
        setHeard(null);
        return;
      }
      busy = true;
      asked = about;
      const done = (next: Heard | null): void => {
        if (!over) setHeard(next);
        timer = setTimeout(() => {
          busy = false;
          ask();
        }, EVERY_MS);
      };
      explain.ask(COMMUNICATION, {}).then(
        (answer) => done(answer === null ? null : { talk: answer.detail, t }),
        // a policy without a channel is refused; otherwise it has been let go meanwhile, and the next one is asked
        (error) => done(toFailure(error).id === 'incompatible' ? { talk: null, t } : null),
      );
    };
    const stop = stageStore.subscribe(ask);
    ask();
    return () => {
      over = true;
      stop();
      clearTimeout(timer);
    };
  }, []);
  return heard;
}

export function MessagesPanel({ env }: { readonly env: EnvCard }) {
  const heard = useTalk();
  const shown = useStore(stageStore, (state) => state.policy !== null);
  const talk = heard?.talk ?? null;
  return (
    <section className={styles.body} aria-label="Communication">
      {!shown && (
        <p className={styles.hint}>
          There is no learned channel yet. Train CommNet, DIAL or HAMMER, or any learner where actions are symbols (speaker and listener),
          and see here which messages are sent and which choices they change.
        </p>
      )}
      {shown && heard !== null && talk === null && (
        <p className={styles.hint}>
          This policy sends no messages. CommNet, DIAL and HAMMER have a channel of their own; in “speaker and listener” or “reference”
          symbols are actions.
        </p>
      )}
      {talk !== null && heard !== null && (
        <>
          <Said talk={talk} env={env} t={heard.t} />
          {talk.influence.length > 0 ? <Effects talk={talk} env={env} /> : <Silences talk={talk} env={env} />}
          <Minds talk={talk} env={env} />
          <Cut />
        </>
      )}
    </section>
  );
}

/** A strip per agent, a cell per number. */
function Said({ talk, env, t }: { readonly talk: MessageFrame; readonly env: EnvCard; readonly t: number }) {
  const most = talk.messages.reduce((top, value) => (Number.isFinite(value) ? Math.max(top, Math.abs(value)) : top), 1);
  const what = { peer: 'message each agent sends', central: 'message each agent receives', environment: 'symbols each agent receives' }[
    talk.kind
  ];
  return (
    <figure className={styles.figure}>
      <figcaption>
        Frame <span className="figures">{t}</span>: {what}
      </figcaption>
      <table className={styles.said}>
        <tbody>
          {agentNames(env).map((name, agent) => {
            const numbers = Array.from(talk.messages.subarray(agent * talk.size, (agent + 1) * talk.size));
            return (
              <tr key={name}>
                <th scope="row">
                  <span className={styles.dot} style={{ background: `var(--series-${agent % 8})` }} />
                  {name}
                </th>
                <td>
                  {numbers.every((value) => !Number.isFinite(value)) ? (
                    <span className={styles.small}>receives nothing</span>
                  ) : (
                    <span className={styles.strip} role="img" aria-label={numbers.map((value) => measure(value, 2)).join(', ')}>
                      {numbers.map((value, i) => (
                        // biome-ignore lint/suspicious/noArrayIndexKey: numbers of a message have no other name than their place
                        <i key={i} style={{ background: tint(value, most) }} title={`number ${i + 1}: ${measure(value, 3)}`} />
                      ))}
                    </span>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </figure>
  );
}

/** The choice of the column's agent with and without the message of the row's agent. */
function Effects({ talk, env }: { readonly talk: MessageFrame; readonly env: EnvCard }) {
  const names = agentNames(env);
  const most = Math.max(0.05, ...talk.influence);
  return (
    <figure className={styles.figure}>
      <figcaption>Causal influence of the message: KL(π || π without it), nats</figcaption>
      <div className={styles.wide}>
        <table className={styles.effects}>
          <thead>
            <tr>
              <td />
              {names.map((name, i) => (
                <th scope="col" key={name} title={name}>
                  <span className={styles.dot} style={{ background: `var(--series-${i % 8})` }} />
                  <span className="visually-hidden">{name}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {names.map((name, row) => (
              <tr key={name}>
                <th scope="row">
                  <span className={styles.dot} style={{ background: `var(--series-${row % 8})` }} />
                  {name} removed
                </th>
                {names.map((other, column) => {
                  const value = talk.influence[row * names.length + column]!;
                  return row === column ? (
                    <td key={other} className={styles.self} />
                  ) : (
                    <td key={other} className="figures" style={{ background: depth(value, most) }} title={`${name} to ${other}`}>
                      {nats(value)}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

/** The choice of each agent with and without all messages, where none of them has one sender. */
function Silences({ talk, env }: { readonly talk: MessageFrame; readonly env: EnvCard }) {
  const most = Math.max(0.05, ...talk.influenceOfAll);
  return (
    <figure className={styles.figure}>
      <figcaption>Causal influence of all messages: KL(π || π without them), nats</figcaption>
      <table className={styles.effects}>
        <tbody>
          {agentNames(env).map((name, agent) => (
            <tr key={name}>
              <th scope="row">
                <span className={styles.dot} style={{ background: `var(--series-${agent % 8})` }} />
                {name}
              </th>
              <td className="figures" style={{ background: depth(talk.influenceOfAll[agent]!, most) }}>
                {nats(talk.influenceOfAll[agent]!)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

function Minds({ talk, env }: { readonly talk: MessageFrame; readonly env: EnvCard }) {
  const sentences = turns(talk, env);
  const most = Math.max(...talk.influenceOfAll);
  return (
    <div>
      {sentences.length === 0 ? (
        <p className={styles.small}>
          {most < 0.001
            ? 'No choice depends on a message in this frame: without them every action stays as likely as it is.'
            : `Without messages every agent would still do the same; the largest influence is ${nats(most)} nats.`}
        </p>
      ) : (
        <ul className={styles.turns}>
          {sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Whole episodes with the channel and without. */
function Cut() {
  const [test, setTest] = useState<ChannelValue | null>(null);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState('');
  const key = useStore(stageStore, (state) => state.policy?.key ?? '');
  const [about, setAbout] = useState('');
  const run = async (): Promise<void> => {
    setBusy(true);
    setFailed('');
    try {
      setTest((await explain.ask(CHANNEL_VALUE, { episodes: EPISODES }))?.detail ?? null);
      setAbout(key);
    } catch (error) {
      const { message, fix } = toFailure(error);
      setFailed(`${message} ${fix}`);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={styles.cut}>
      <div className={styles.row}>
        <Button disabled={busy} onClick={() => void run()}>
          {busy ? 'Playing with and without messages' : 'Value of communication'}
        </Button>
        {test !== null && <Worth test={test} />}
      </div>
      {failed !== '' && (
        <p className={styles.failure} role="alert">
          {failed}
        </p>
      )}
      {test !== null && (
        <p className={styles.small}>
          Mean return of {test.episodes} episodes on the same seeds{about === key ? '' : ', of the policy shown before'}. Muted: the same
          policy, no message delivered. A team that never had a channel may do better than one that lost it.
        </p>
      )}
    </div>
  );
}

function Worth({ test }: { readonly test: ChannelValue }) {
  return (
    <dl className={styles.worth} aria-live="polite">
      <div>
        <dt>with messages</dt>
        <dd className="figures">{measure(test.withMessages)}</dd>
      </div>
      <div>
        <dt>muted</dt>
        <dd className="figures">{measure(test.muted)}</dd>
      </div>
      <div>
        <dt>difference</dt>
        <dd className="figures">
          {measure(test.withMessages - test.muted)} <small>± {measure(test.halfWidth, 2)}</small>
        </dd>
      </div>
    </dl>
  );
}
