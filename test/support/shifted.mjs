/** Loaded before a program, whose clock is then CLOCK_AHEAD_MS ahead. */
import process from 'node:process';

const now = Date.now;
const ahead = Number(process.env.CLOCK_AHEAD_MS);

Date.now = () => now() + ahead;
