/** The plan that tests of approvals decide about, and the time and environment of their decisions. */
import { tmpdir } from 'node:os';
import process from 'node:process';
import { hour } from '../../../src/base/clock.ts';
import { sealed } from '../../../src/engine/plan/digest.ts';
import { samplePlan } from '../../support/plans.ts';

const { id: _id, digest: _digest, ...unsealed } = samplePlan();

/** The parts of the plan that its digest binds. */
export const bound = unsealed;
export const plan = sealed(bound);
export const now = plan.observedAt + hour;
/** Programs write into TMPDIR, the temporary folder of the tests. */
export const env = { PATH: process.env['PATH'], TMPDIR: tmpdir() };
