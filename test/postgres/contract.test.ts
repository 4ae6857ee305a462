/** Postgres as SharedRuns. */
import { sharedRunsContract } from '../state-store/shared/contract.ts';
import { postgresWorld } from './world.ts';

sharedRunsContract('Postgres', postgresWorld);
