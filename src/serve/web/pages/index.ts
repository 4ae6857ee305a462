/** The pages: their addresses, their components, and their place in the navigation. */
import type { ComponentType } from 'preact';
import type { IconName } from '../parts/icon.tsx';
import { namesIn, type Names } from '../names.ts';
import { Events } from './events.tsx';
import { Home } from './home.tsx';
import { Orders } from './orders.tsx';
import { Passkeys } from './passkeys.tsx';
import { Plan } from './plan.tsx';
import { Plans } from './plans.tsx';
import { Playbook } from './playbook.tsx';
import { Playbooks } from './playbooks.tsx';
import { Run } from './run.tsx';
import { Accounts } from './accounts.tsx';
import { Sandbox } from './sandbox.tsx';
import { Schedules } from './schedules.tsx';

export interface Page {
  /** The path of the page. Parts in braces are passed to the view by their names. */
  readonly path: string;
  /** The entry of the navigation that is marked on this page. */
  readonly section: string;
  readonly nav?: { readonly label: string; readonly icon: IconName };
  readonly View: ComponentType<{ readonly names: Names }>;
}

export const pages: readonly Page[] = [
  { path: '/', section: 'runs', nav: { label: 'Runs', icon: 'runs' }, View: Home },
  { path: '/orders', section: 'orders', nav: { label: 'Orders', icon: 'trades' }, View: Orders },
  { path: '/events', section: 'events', nav: { label: 'Events', icon: 'events' }, View: Events },
  { path: '/runs/{run}', section: 'runs', View: Run },
  {
    path: '/plans',
    section: 'plans',
    nav: { label: 'Approvals', icon: 'approvals' },
    View: Plans,
  },
  { path: '/plans/{plan}', section: 'plans', View: Plan },
  { path: '/passkeys', section: 'plans', View: Passkeys },
  {
    path: '/playbooks',
    section: 'playbooks',
    nav: { label: 'Playbooks', icon: 'playbooks' },
    View: Playbooks,
  },
  { path: '/playbook', section: 'playbooks', View: Playbook },
  {
    path: '/schedules',
    section: 'schedules',
    nav: { label: 'Schedules', icon: 'schedules' },
    View: Schedules,
  },
  {
    path: '/accounts',
    section: 'accounts',
    nav: { label: 'Accounts', icon: 'accounts' },
    View: Accounts,
  },
  {
    path: '/sandbox',
    section: 'sandbox',
    nav: { label: 'Sandbox', icon: 'sandbox' },
    View: Sandbox,
  },
];

/** The page of an address, and the parts that it names. */
export function pageAt(path: string): {
  readonly page?: Page;
  readonly names: Names;
} {
  for (const page of pages) {
    const names = namesIn(page.path, path);
    if (names !== undefined) return { page, names };
  }
  return { names: {} };
}
