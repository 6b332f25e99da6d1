import { createDb } from '../src/db/db.ts'
import { connectNats } from '../src/events/nats.ts'
import { env } from './config.ts'
import { logger, type NotesDb, relayFor } from './fixtures.ts'

const db = createDb<NotesDb>(env.databaseUrl, logger)
relayFor(env.databaseUrl, db, await connectNats(env.natsUrl, 'relay', logger)).start()
