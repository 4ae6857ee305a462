/** Small drawings beside a word; they repeat it, so they are hidden from screen readers. */
import type { JSX } from 'preact';
import { drawings } from '../../../report/drawings.ts';

const paths = {
  ...drawings,
  running: 'M8 2a6 6 0 106 6',
  copy: 'M6 6h8v8H6zM10 6V2H2v8h4',
  approvals: 'M8 2l5 2v4c0 3-2 5-5 6-3-1-5-3-5-6V4zM6 8l1.6 1.6L10.5 6.5',
  playbooks: 'M4 2h8v12H4zM6 5h4M6 8h4',
  schedules: 'M8 2a6 6 0 100 12A6 6 0 108 2M8 4.5V8l2.5 1.5',
  accounts: 'M8 8a3 3 0 100-6 3 3 0 000 6M2.5 14c.5-3 3-4.5 5.5-4.5s5 1.5 5.5 4.5',
  sandbox: 'M6 2h4M7 2v4L3.2 12.4A1 1 0 004 14h8a1 1 0 00.8-1.6L9 6V2',
  trades: 'M5 13V3M2.5 5.5L5 3l2.5 2.5M11 3v10M8.5 10.5L11 13l2.5-2.5',
  events: 'M7 2a5 5 0 100 10A5 5 0 107 2M11 11l3.5 3.5',
  runs: 'M5 4h9M5 8h9M5 12h9M2 4h.1M2 8h.1M2 12h.1',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { readonly name: IconName }): JSX.Element {
  return (
    <svg class={`icon ${name}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
