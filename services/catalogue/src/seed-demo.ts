import { readFile } from 'node:fs/promises'
import { createDb, PROGRAM_TIMEOUTS } from '@looptide/service-kit/db/db'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { Parse } from 'typebox/value'
import { env, loadConfig } from './config.ts'
import type { Database } from './db/schema.ts'
import { seedLibrary, TestCardIndex } from './demo/seed-library.ts'
import { VideoService } from './features/videos/video-service.ts'

// The events stay in the outbox until the service starts and publishes them.
const config = loadConfig(env)
const logger = createLogger('catalogue', config.logLevel)
const db = createDb<Database>(config.databaseUrl, logger, 1, PROGRAM_TIMEOUTS)
try {
  const index = new URL('../../../web/public/test-card/index.json', import.meta.url)
  const clips = Parse(TestCardIndex, JSON.parse(await readFile(index, 'utf8')))
  const added = await seedLibrary(new VideoService(db, config), clips)
  logger.info({ added }, added === 0 ? 'demo library unchanged' : 'demo library seeded')
} finally {
  await db.destroy()
}
