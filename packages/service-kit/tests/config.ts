/** Settings of the child processes of these tests, from their environment. */
export const env = {
  databaseUrl: process.env.TEST_DATABASE_URL ?? '',
  natsUrl: process.env.TEST_NATS_URL ?? '',
}

/** Environment that child processes inherit. */
export const inherited = process.env

/** Whether the property tests use their large number of runs. */
export const isNightly = process.env.NIGHTLY === '1'
