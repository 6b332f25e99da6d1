import { createDb } from '@looptide/service-kit/db'
import { createLogger } from '@looptide/service-kit/logger'
import { env, loadConfig } from './config.ts'
import type { Database } from './db/schema.ts'
import { readTestCardFiles, seedDemo, untilPlanned } from './demo/demo-channels.ts'

/** A station without its services gets its plan when they start. */
const MOST_WAITED_MS = 15_000

/**
 * Puts the demo station's two channels on the air, and waits until something is on: who opens the door after this lets
 * nobody in before there is something to see. May be run at every start: what an admin changed stays.
 */
const config = loadConfig(env)
const logger = createLogger('stream-scheduler', config.logLevel)
const db = createDb<Database>(config.databaseUrl, logger, 1)
try {
  const files = await readTestCardFiles(new URL('../../../web/public/test-card/', import.meta.url))
  const started = await seedDemo(db, files)
  if (started.length === 0) logger.info('the demo channels are there')
  else if (await untilPlanned(db, started, MOST_WAITED_MS))
    logger.info({ channels: started }, 'the demo channels are on the air')
  else logger.warn({ channels: started }, 'the demo channels wait for the scheduler or the demo library')
} finally {
  await db.destroy()
}
