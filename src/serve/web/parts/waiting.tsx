/** A job that waits for a worker: who queued it, why nobody takes it, and its removal. */
import type { JSX } from 'preact';
import { write, type Answer } from '../api.ts';
import { runPath } from '../router.ts';
import { useMayAct } from '../who.ts';
import { Copied } from './copy.tsx';
import { Action, type ActionListener } from './action.tsx';
import { Pill } from './pill.tsx';
import { Ago } from './time.tsx';

export type Job = Answer<'GET /home'>['waiting'][number];

export function Waiting({
  job,
  listener,
}: {
  readonly job: Job;
  readonly listener?: ActionListener;
}): JSX.Element {
  const { desk, kind, playbook, profiles, by, since, worker, unserved, waits } = job;
  const mayAct = useMayAct('operator');
  return (
    <div class="waiting">
      <p>
        <Pill
          tone={unserved === undefined ? 'idle' : 'warn'}
          text={worker === undefined ? 'queued' : 'taken'}
        />{' '}
        <b>{playbook}</b>{' '}
        {kind === 'plan' ? job.job : <a href={runPath(job.job, desk)}>{job.job}</a>}{' '}
        <span class="dim">
          {words[kind]} on {profiles.join(', ')}, queued by {by} <Ago at={since} />
          {worker !== undefined && `, taken by ${worker}`}
        </span>
      </p>
      {unserved !== undefined && (
        <p>
          It waits: {unserved}. <Copied text="deskhand worker" />
        </p>
      )}
      {waits !== undefined && <p>It waits: {waits}.</p>}
      {mayAct && (
        <Action
          label={worker === undefined ? 'Remove from the queue' : 'Stop'}
          does={worker === undefined ? 'Remove from the queue' : 'Stop it on its worker'}
          {...(listener && { listener })}
          act={async ({ press }) => {
            const which = { job: job.job, desk };
            return (await write('POST /jobs/{job}/stop', which, { press })).lines;
          }}
        >
          <p>
            {worker === undefined
              ? 'No worker starts it. If one has just taken it, it stops in order.'
              : 'The worker that has it sends nothing new and waits for responses.'}
          </p>
        </Action>
      )}
    </div>
  );
}

const words: Readonly<Record<Job['kind'], string>> = {
  plan: 'plan',
  run: 'run',
  resume: 'rest of a run',
};
