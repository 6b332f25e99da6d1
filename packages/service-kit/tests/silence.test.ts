import type { Backing } from '@looptide/testkit/backing'
import { startNats } from '@looptide/testkit/nats'
import { startRedis } from '@looptide/testkit/redis'
import { TcpProxy } from '@looptide/testkit/tcp-proxy'
import { until } from '@looptide/testkit/until'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDb } from '../src/db/db.ts'
import { openRedis } from '../src/db/redis.ts'
import { connectNats } from '../src/events/nats.ts'
import { appendEvent } from '../src/events/outbox.ts'
import { isOutage } from '../src/http/errors.ts'
import { logger, type NotesDb, notesDatabase, relayFor } from './fixtures.ts'

/** Detecting a silent leader and taking over may each take seconds. */
const longWait = { timeoutMs: 40_000 }
const STATEMENT_MS = 500

let natsServer: Backing
let redisServer: Backing
let database: Awaited<ReturnType<typeof notesDatabase>>
const proxies: TcpProxy[] = []
const proxyTo = async (url: string): Promise<TcpProxy> => {
  const proxy = await TcpProxy.to(url)
  proxies.push(proxy)
  return proxy
}

beforeAll(async () => {
  ;[natsServer, redisServer, database] = await Promise.all([startNats(), startRedis(), notesDatabase()])
})
afterAll(async () => {
  await database.drop()
  await Promise.all([natsServer.stop(), redisServer.stop()])
  for (const proxy of proxies) await proxy.stop()
})

describe('when the network silently drops the connections to Postgres', () => {
  it('a query fails as an outage within its timeout, also in a transaction, and the next ones are answered', async () => {
    const proxy = await proxyTo(database.adminUrl)
    const db = createDb<NotesDb>(proxy.via(database.url), logger, 2, { statementMs: STATEMENT_MS })
    const selectOne = () => sql<{ one: number }>`select 1 as one`.execute(db)
    await until('both connections are open', () => Promise.all([selectOne(), selectOne()]))
    proxy.forget()
    const inTransaction = db.transaction().execute(async (trx) => sql`select 1`.execute(trx))
    const failed = await Promise.allSettled([selectOne(), inTransaction])
    for (const outcome of failed) {
      expect(outcome.status === 'rejected' && isOutage(outcome.reason)).toBe(true)
    }
    // On a busy machine, also these may take longer than the timeout.
    const answers = await until('queries are answered', () => Promise.all([selectOne(), selectOne()]))
    expect(answers.map(({ rows }) => rows)).toEqual([[{ one: 1 }], [{ one: 1 }]])
    await db.destroy()
  })

  it('a statement that exceeds its timeout is cancelled by Postgres, which counts as an outage as well', async () => {
    const db = createDb<NotesDb>(database.url, logger, 1, { statementMs: STATEMENT_MS })
    const error = await sql`select pg_sleep(60)`.execute(db).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: '57014' })
    expect(isOutage(error)).toBe(true)
    await until('the next one is answered', () => sql`select 1`.execute(db))
    await db.destroy()
  })
})

describe('when the network silently drops the connection', () => {
  it.concurrent('to Redis, it is opened again', async () => {
    const proxy = await proxyTo(redisServer.url)
    const redis = openRedis(proxy.via(redisServer.url), { commandTimeout: 300 })
    redis.on('error', () => undefined)
    await until('Redis answers', async () => (await redis.ping()) === 'PONG')
    proxy.forget()
    await until('a command times out', () =>
      redis.ping().then(
        () => false,
        () => true,
      ),
    )
    await until('Redis answers again', async () => (await redis.ping()) === 'PONG', longWait)
    redis.disconnect()
  })

  it.concurrent('to Postgres, the relay reconnects and continues', async () => {
    const proxy = await proxyTo(database.adminUrl)
    const url = proxy.via(database.url)
    const db = createDb<NotesDb>(url, logger, 3, { statementMs: STATEMENT_MS })
    const nats = await connectNats(natsServer.url, 'relay', logger)
    const relay = relayFor(url, db, nats)
    relay.start()
    const publishNote = async (note: string): Promise<void> => {
      await database.db
        .transaction()
        .execute(async (trx) => appendEvent(trx, 'stream.channel.deleted.v1', note, { channelId: note }))
      const outbox = database.db.selectFrom('outbox').select('seq')
      await until(`${note} is published`, async () => (await outbox.execute()).length === 0, longWait)
    }
    await publishNote('before')
    proxy.forget()
    await publishNote('after')
    await relay.stop()
    await Promise.all([db.destroy(), nats.close()])
  })

  it.concurrent('to NATS, it is opened again', async () => {
    const proxy = await proxyTo(natsServer.url)
    const nats = await connectNats(proxy.via(natsServer.url), 'test', logger)
    await nats.flush()
    proxy.forget()
    const received: string[] = []
    nats.subscribe('news', { callback: (_error, message) => void received.push(message.string()) })
    const other = await connectNats(natsServer.url, 'other', logger)
    await until(
      'messages arrive again',
      () => {
        other.publish('news', 'here')
        return received.length > 0
      },
      longWait,
    )
    await Promise.all([nats.close(), other.close()])
  })
})
