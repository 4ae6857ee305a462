/** The occurrences of a schedule on a line: past ones left of now, the next ones right of it. */
import type { JSX } from 'preact';
import type { Answer } from '../api.ts';
import { inZone, momentText } from '../zone.ts';
import { stateWord } from '../../../report/states.ts';

type Schedule = Answer<'GET /schedules'>['schedules'][number];
type Past = Schedule['past'][number];

interface Window {
  readonly now: number;
  readonly span: number;
}

export function Occurrences({
  schedule: { past, next, pauses, delayMs },
  window,
}: {
  readonly schedule: Schedule;
  readonly window: Window;
}): JSX.Element {
  const { now, span } = window;
  const coming = next.map((at) => at + delayMs).filter((at) => at <= now + span);
  return (
    <div class="occurrences">
      <span class="unseen">{reading(past, coming.length)}</span>
      <div class="track" aria-hidden="true">
        {pauses.map(({ at, until = now }) => (
          <i class="pause" style={place(at, until, window)} title="paused" />
        ))}
        {past.map(({ kind, from, to, text }) => (
          <i
            class={kind}
            style={place(from, to, window)}
            title={`${momentText(from)}: ${inZone(text)}`}
          />
        ))}
        {coming.map((at) => (
          <i class="next" style={place(at, at, window)} title={momentText(at)} />
        ))}
        <b style={{ left: '50%' }} />
      </div>
      <div class="ends dim" aria-hidden="true">
        <span>{momentText(now - span)}</span>
        <span>now</span>
        <span>{momentText(now + span)}</span>
      </div>
    </div>
  );
}

/** The occurrences in words: `12 done, 1 missed; 3 to come`. */
function reading(past: readonly Past[], coming: number): string {
  const counts = new Map<string, number>();
  for (const { kind } of past) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const words = [...counts].map(([kind, n]) => `${n} ${stateWord(kind)}`);
  return `${words.length === 0 ? 'none yet' : words.join(', ')}; ${coming} to come`;
}

function place(from: number, to: number, { now, span }: Window): { left: string; width: string } {
  const share = (at: number): number =>
    Math.min(100, Math.max(0, ((at - now + span) / (2 * span)) * 100));
  return { left: `${share(from)}%`, width: `${share(to) - share(from)}%` };
}
