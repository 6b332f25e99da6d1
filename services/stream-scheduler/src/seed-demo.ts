import { createDb, PROGRAM_TIMEOUTS } from '@looptide/service-kit/db/db'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { env, loadConfig } from './config.ts'
import type { Database } from './db/schema.ts'
import { readTestCardFiles, seedDemo, waitUntilPlanned } from './demo/demo-channels.ts'
import { readDemoSchedule, seedNightAndDay } from './demo/night-and-day.ts'

/** Longest wait for the timelines (ms). If the services do not run yet, the channels are planned when they start. */
const MAX_WAIT_MS = 15_000

/**
 * Starts the default channel and the demo channels (`DEMO_CHANNELS`) and waits for their timelines, so that the gateway,
 * which starts afterwards, has programmes to show. It may run at every start: what admins have
 * changed or deleted stays so.
 */
const config = loadConfig(env)
const logger = createLogger('stream-scheduler', config.logLevel)
const db = createDb<Database>(config.databaseUrl, logger, 1, PROGRAM_TIMEOUTS)
try {
  const files = await readTestCardFiles(new URL('../../../web/public/test-card/', import.meta.url))
  const started = await seedDemo(db, files, config.demoChannels)
  if (config.demoChannels === 'all')
    started.push(...(await seedNightAndDay(db, files, await readDemoSchedule(Date.now()))))
  if (started.length === 0) logger.info('demo channels unchanged')
  else if (await waitUntilPlanned(db, started, MAX_WAIT_MS))
    logger.info({ channels: started }, 'demo channels started')
  // The scheduler does not run yet, or the demo videos have not arrived.
  else logger.warn({ channels: started }, 'demo channels not planned')
} finally {
  await db.destroy()
}
