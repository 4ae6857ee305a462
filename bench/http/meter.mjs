/** Loaded before a server: tells its parent, when asked, the CPU time the process has used. */
import process from 'node:process';

process.on('message', () => process.send?.(process.cpuUsage()));
process.on('disconnect', () => process.exit()); // a parent that dies leaves no one behind
process.channel?.unref(); // a server that closes need not stay for us
