/** Environment of the programs that these tests kill. */
export const env = {
  databaseUrl: process.env.TEST_DATABASE_URL ?? '',
  natsUrl: process.env.TEST_NATS_URL ?? '',
}

/** What a program that a test starts has from us. */
export const inherited = process.env

/** The long form of what is tried at random. */
export const nightly = process.env.NIGHTLY === '1'
