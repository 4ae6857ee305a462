/** Tests of a playbook, and their last results. */
import type { JSX } from 'preact';
import { write, type Answer } from '../api.ts';
import { Action } from './action.tsx';
import { Empty } from './panel.tsx';
import { Pill } from './pill.tsx';
import { Ago } from './time.tsx';

type View = Answer<'GET /playbook'>['tests'];

const tones = { passed: 'good', failed: 'bad', broken: 'warn' } as const;

export function Tests({
  tests: { files, last },
  which,
  mayRun,
  onRun,
}: {
  readonly tests: View;
  readonly which: { readonly file: string; readonly desk?: string };
  readonly mayRun: boolean;
  readonly onRun: () => void;
}): JSX.Element {
  if (files.length === 0) {
    return <Empty text="No test names it. See" command="deskhand test --help" />;
  }
  return (
    <>
      <p class="dim">{files.join(', ')}</p>
      {last !== undefined && (
        <>
          <p>
            Run <Ago at={last.at} /> by {last.who}
            {last.isOlder && ', before the playbook or its tests were changed'}
          </p>
          <ul class="plain">
            {last.results.map(({ name, verdict, because }) => (
              <li>
                <Pill tone={tones[verdict]} text={verdict} /> {name}
                {because.map((line) => (
                  <div class="dim">{line}</div>
                ))}
              </li>
            ))}
          </ul>
        </>
      )}
      {mayRun && (
        <Action
          label="Run the tests"
          act={async ({ press }) => {
            await write('POST /playbook/test', {}, { ...which, press });
            onRun();
            return [];
          }}
        >
          <p>Each runs on a private sandbox; no account is used.</p>
        </Action>
      )}
    </>
  );
}
