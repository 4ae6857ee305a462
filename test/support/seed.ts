/** Property tests play the same cases every time, so that no commit fails by chance; `FC_SEED=random` tries others. */
import process from 'node:process';
import fc from 'fast-check';

const wanted = process.env['FC_SEED'] ?? '20261123';
if (wanted !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(wanted) });
