/** How long a test may take: for a hang, not for a slow machine. */
export const limits = {
  testTimeout: 900_000,
  hookTimeout: 900_000,
  expect: { poll: { timeout: 120_000 } },
} as const;
