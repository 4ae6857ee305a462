/** Restate as SharedRuns. */
import { sharedRunsContract } from '../state-store/shared/contract.ts';
import { restateWorld } from './world.ts';

sharedRunsContract('Restate', restateWorld, false);
