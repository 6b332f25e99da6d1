import { createDb } from '../src/db/db.ts'
import { connectNats } from '../src/events/nats.ts'
import { env } from './config.ts'
import { consumersFor, logger, type NotesDb } from './fixtures.ts'

// Kills itself after the commit of the first event and before its acknowledgement.
const db = createDb<NotesDb>(env.databaseUrl, logger)
consumersFor(
  db,
  await connectNats(env.natsUrl, 'consumer', logger),
  {
    'stream.channel.deleted.v1': async (trx, { data, aggregateVersion }) => {
      await trx.insertInto('steps').values({ note: data.channelId, version: aggregateVersion }).execute()
    },
  },
  () => process.kill(process.pid, 'SIGKILL'),
).start()
