import { withClient } from '@looptide/backing/database/set-up'
import { connect, jetstream, jetstreamManager } from '@looptide/service-kit/events/nats-client'
import { Redis } from 'ioredis'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Backing } from '../src/backing.ts'
import { startNats } from '../src/nats.ts'
import { freshDatabase, startPostgres } from '../src/postgres.ts'
import { startRedis } from '../src/redis.ts'
import { until } from '../src/until.ts'

describe('freshDatabase', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>
  beforeAll(async () => {
    database = await freshDatabase()
  })
  afterAll(() => database.drop())

  const queryAs = <T extends pg.QueryResultRow>(service: 'auth' | 'chat', sql: string) =>
    withClient(database.urlFor(service), (client) => client.query<T>(sql))

  it('gives each service access to its own schema only', async () => {
    await queryAs('auth', 'CREATE TABLE secrets (id int)')
    const found = await queryAs<{ schema: string }>(
      'auth',
      "SELECT schemaname AS schema FROM pg_tables WHERE tablename = 'secrets'",
    )
    expect(found.rows).toEqual([{ schema: 'auth' }])
    await expect(queryAs('chat', 'SELECT * FROM auth.secrets')).rejects.toThrow(
      'permission denied for schema auth',
    )
    await expect(queryAs('chat', 'CREATE TABLE public.mine (id int)')).rejects.toThrow(
      'permission denied for schema public',
    )
    await expect(queryAs('chat', 'CREATE SCHEMA mine')).rejects.toThrow('permission denied for database')
  })

  it('offers the extensions without a schema prefix', async () => {
    await queryAs(
      'chat',
      'CREATE TABLE words (word text); CREATE INDEX ON words USING gin (word gin_trgm_ops)',
    )
    const { rows } = await queryAs<{ like: boolean }>('chat', "SELECT 'looptide' % 'looptid' AS like")
    expect(rows).toEqual([{ like: true }])
  })

  it('is not shared with the next caller', async () => {
    const other = await freshDatabase()
    try {
      await expect(
        withClient(other.adminUrl, (client) => client.query('SELECT * FROM auth.secrets')),
      ).rejects.toThrow('does not exist')
    } finally {
      await other.drop()
    }
  })
})

describe('killed servers keep acknowledged writes', () => {
  const started: Backing[] = []
  const stopAfterwards = async (starting: Promise<Backing>) => {
    const backing = await starting
    started.push(backing)
    return backing
  }
  afterAll(() => Promise.all(started.map((backing) => backing.stop())))

  it('Postgres', async () => {
    const postgres = await stopAfterwards(startPostgres())
    await withClient(postgres.url, (client) => client.query('CREATE TABLE kept AS SELECT 1 AS id'))
    postgres.kill()
    await until('Postgres is down', () => withClient(postgres.url, async () => false).catch(() => true))
    await postgres.restart()
    const { rows } = await withClient(postgres.url, (client) => client.query('SELECT id FROM kept'))
    expect(rows).toEqual([{ id: 1 }])
  })

  it('NATS', async () => {
    const nats = await stopAfterwards(startNats(undefined, { streams: false }))
    const before = await connect({ servers: nats.url, reconnect: false })
    await (await jetstreamManager(before)).streams.add({ name: 'KEPT', subjects: ['kept.>'] })
    await jetstream(before).publish('kept.one')
    nats.kill()
    await before.closed()
    await nats.restart()
    const after = await connect({ servers: nats.url, waitOnFirstConnect: true })
    const stream = await (await jetstreamManager(after)).streams.info('KEPT')
    expect(stream.state.messages).toBe(1)
    await after.close()
  })

  it('Redis', async () => {
    const redis = await stopAfterwards(startRedis())
    const before = new Redis(redis.url, { retryStrategy: () => null })
    before.on('error', () => {})
    await before.set('kept', 'yes')
    redis.kill()
    await until('the connection is closed', () => before.status === 'end')
    await redis.restart()
    const after = new Redis(redis.url)
    expect(await after.get('kept')).toBe('yes')
    after.disconnect()
  })
})
