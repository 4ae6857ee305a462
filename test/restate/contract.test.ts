/** Restate as SharedRuns. */
import { sharedRunsContract } from '../stores/shared/contract.ts';
import { restateWorld } from './world.ts';

sharedRunsContract('Restate', restateWorld, false);
