/** A plan as serve's page shows it to a person who has to sign nothing. */
import { tmpdir } from 'node:os';
import type { Plan } from '../../src/engine/plan/plan.ts';
import { planViewOf, type PlanView } from '../../src/serve/server/approvals/plan-view.ts';
import { openDesk } from '../../src/serve/server/desk.ts';
import { sandboxConfig } from './sandbox-config.ts';

const unsigned = { version: 1, record: '', challenge: '', passkeys: [], required: [] } as const;

/** @param page of its lines */
export function pageOf(plan: Plan, page = 1): PlanView {
  const folder = tmpdir();
  const config = sandboxConfig(folder);
  return planViewOf(openDesk({ name: 'desk', folder, config }), { ...unsigned, plan }, page);
}
