/** A population of policies: how its shares move, who beats whom, what each is worth over time, which mixture the method aims at. */
import { type ReactNode, useState } from 'react';
import { useStore } from 'zustand';
import { populations, populationsStore } from '#stores/populations.ts';
import type { RunGroup } from '#stores/types.ts';
import { compact } from '#ui/kit/format/numbers.ts';
import { SeedSelect } from '../SeedSelect.tsx';
import { EloChart } from './EloChart.tsx';
import { FlowPlot } from './FlowPlot.tsx';
import { MixtureMap } from './MixtureMap.tsx';
import { PayoffTable } from './PayoffTable.tsx';
import styles from './Population.module.css';

export function PopulationRoom({ group }: { readonly group: RunGroup }) {
  useStore(populationsStore, (state) => state.version);
  const [wanted, setWanted] = useState<number | null>(null);
  const seeds = group.seeds.filter(({ seed }) => populations.of(group.id, seed) !== null);
  const seed = seeds.find((s) => s.seed === wanted) ?? seeds[0];
  const history = seed === undefined ? null : populations.of(group.id, seed.seed);
  if (history === null || seed === undefined) {
    return <p className={styles.empty}>The population appears here as soon as the run has one.</p>;
  }
  const { newest, ratings } = history;
  const roles = [...new Set(newest.members.map(({ role }) => role))];
  const rated = newest.members.some(({ elo }) => elo !== null);
  const met = newest.payoffs.some((row) => row.some((value) => value !== null));
  return (
    <div className={styles.room}>
      <header className={styles.facts}>
        {newest.members.length > 0 && (
          <span>
            <b className="figures">{newest.members.length}</b> members
          </span>
        )}
        <span className="figures">{`step ${compact(newest.step)}`}</span>
        {rated &&
          roles.map((role, i) => (
            <span key={role} className={styles.role}>
              <i style={{ background: `var(--series-${i % 8})` }} />
              {role}
            </span>
          ))}
        <SeedSelect seeds={seeds} value={seed.seed} onChange={setWanted} />
      </header>
      {newest.shares !== undefined && (
        <Section title="Shares" about="Where they started, how they went, and where they would go from anywhere; squares: equilibria.">
          <FlowPlot shares={newest.shares} />
        </Section>
      )}
      {met && (
        <Section title="Win rates" about="">
          <PayoffTable report={newest} />
        </Section>
      )}
      {rated && ratings.length > 0 && (
        <Section
          title="Rating"
          about="Elo: the mean of the population is 0, and 400 points are odds of ten to one. Broken lines: frozen members."
        >
          <EloChart members={newest.members} ratings={ratings} roles={roles} />
        </Section>
      )}
      {newest.meta.length > 1 && newest.shares === undefined && (
        <Section title="Mixture" about="What the method aims at: the darker, the larger a member's share.">
          <MixtureMap report={newest} />
        </Section>
      )}
    </div>
  );
}

function Section({ title, about, children }: { readonly title: string; readonly about: string; readonly children: ReactNode }) {
  return (
    <section className={styles.section}>
      <h3>{title}</h3>
      {children}
      {about !== '' && <p className={styles.about}>{about}</p>}
    </section>
  );
}
