/** Postgres as SharedRuns. */
import { sharedRunsContract } from '../stores/shared/contract.ts';
import { postgresWorld } from './world.ts';

sharedRunsContract('Postgres', postgresWorld);
