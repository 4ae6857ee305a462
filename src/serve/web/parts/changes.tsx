/** The differences of a plan, line by line. */
import type { JSX } from 'preact';
import type { Answer } from '../api.ts';
import { inZone } from '../zone.ts';
import { paged } from './pager.tsx';

export function Changes({
  changes,
}: {
  readonly changes: Answer<'GET /runs/{run}/plan-since'>['changes'];
}): JSX.Element | null {
  if (changes.length === 0) return null;
  const { shown, pager } = paged(changes, 'changes');
  return (
    <>
      <ul class="plain">
        {shown.map(({ sign, text, was }) => (
          <li>
            <b>{sign}</b> <code>{inZone(text)}</code>
            {was !== undefined && <div class="dim">was {inZone(was)}</div>}
          </li>
        ))}
      </ul>
      {pager}
    </>
  );
}
