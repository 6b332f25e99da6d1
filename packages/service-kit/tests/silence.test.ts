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
const patient = { timeoutMs: 40_000 }
const STATEMENT_MS = 500

let natsServer: Backing
let redisServer: Backing
let database: Awaited<ReturnType<typeof notesDatabase>>
const lines: TcpProxy[] = []
const lineTo = async (url: string): Promise<TcpProxy> => {
  const line = await TcpProxy.to(url)
  lines.push(line)
  return line
}

beforeAll(async () => {
  ;[natsServer, redisServer, database] = await Promise.all([startNats(), startRedis(), notesDatabase()])
})
afterAll(async () => {
  await database.drop()
  await Promise.all([natsServer.stop(), redisServer.stop()])
  for (const line of lines) await line.stop()
})

describe('when the network has forgotten the connections to Postgres', () => {
  it('a query is an outage within its time, also in a transaction, and the next ones are answered', async () => {
    const line = await lineTo(database.adminUrl)
    const db = createDb<NotesDb>(line.via(database.url), logger, 2, STATEMENT_MS)
    const ask = () => sql<{ one: number }>`select 1 as one`.execute(db)
    await Promise.all([ask(), ask()])
    line.forget()
    const inTransaction = db.transaction().execute(async (trx) => sql`select 1`.execute(trx))
    const failed = await Promise.allSettled([ask(), inTransaction])
    for (const outcome of failed) {
      expect(outcome.status === 'rejected' && isOutage(outcome.reason)).toBe(true)
    }
    expect((await ask()).rows).toEqual([{ one: 1 }])
    expect((await Promise.all([ask(), ask()])).map(({ rows }) => rows)).toEqual([[{ one: 1 }], [{ one: 1 }]])
    await db.destroy()
  })

  it('a statement that takes too long is ended by Postgres, which is an outage as well', async () => {
    const db = createDb<NotesDb>(database.url, logger, 1, STATEMENT_MS)
    const error = await sql`select pg_sleep(60)`.execute(db).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: '57014' })
    expect(isOutage(error)).toBe(true)
    expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
    await db.destroy()
  })
})

describe('when the network has forgotten the connection', () => {
  it.concurrent('to Redis, it is opened again', async () => {
    const line = await lineTo(redisServer.url)
    const redis = openRedis(line.via(redisServer.url), { commandTimeout: 300 })
    redis.on('error', () => undefined)
    expect(await redis.ping()).toBe('PONG')
    line.forget()
    await until('it is silent', () =>
      redis.ping().then(
        () => false,
        () => true,
      ),
    )
    await until('it answers again', async () => (await redis.ping()) === 'PONG', patient)
    redis.disconnect()
  })

  it.concurrent('to Postgres, the relay notices and goes on', async () => {
    const line = await lineTo(database.adminUrl)
    const url = line.via(database.url)
    const db = createDb<NotesDb>(url, logger, 3, STATEMENT_MS)
    const nats = await connectNats(natsServer.url, 'relay', logger)
    const relay = relayFor(url, db, nats)
    relay.start()
    const isTold = async (note: string): Promise<void> => {
      await database.db
        .transaction()
        .execute(async (trx) => appendEvent(trx, 'stream.channel.deleted.v1', note, { channelId: note }))
      const left = database.db.selectFrom('outbox').select('seq')
      await until(`${note} is told`, async () => (await left.execute()).length === 0, patient)
    }
    await isTold('before')
    line.forget()
    await isTold('after')
    await relay.stop()
    await Promise.all([db.destroy(), nats.close()])
  }, 60_000)

  it.concurrent('to NATS, it is opened again', { timeout: 60_000 }, async () => {
    const line = await lineTo(natsServer.url)
    const nats = await connectNats(line.via(natsServer.url), 'test', logger)
    await nats.flush()
    line.forget()
    const heard: string[] = []
    nats.subscribe('news', { callback: (_error, message) => void heard.push(message.string()) })
    const other = await connectNats(natsServer.url, 'other', logger)
    await until(
      'news arrive again',
      () => {
        other.publish('news', 'here')
        return heard.length > 0
      },
      patient,
    )
    await Promise.all([nats.close(), other.close()])
  })
})
