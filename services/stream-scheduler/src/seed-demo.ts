import { createDb } from '@looptide/service-kit/db'
import { createLogger } from '@looptide/service-kit/logger'
import { env, loadConfig } from './config.ts'
import type { Database } from './db/schema.ts'
import { readTestCardFiles, seedDemo } from './demo/demo-channels.ts'

/** Puts the demo station's two channels on the air. May be run at every start: what an admin changed stays. */
const config = loadConfig(env)
const logger = createLogger('stream-scheduler', config.logLevel)
const db = createDb<Database>(config.databaseUrl, logger, 1)
try {
  const files = await readTestCardFiles(new URL('../../../web/public/test-card/', import.meta.url))
  const started = await seedDemo(db, files)
  logger.info(
    { channels: started },
    started.length === 0 ? 'the demo channels are there' : 'the demo channels are on the air',
  )
} finally {
  await db.destroy()
}
