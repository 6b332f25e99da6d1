import { type SentinelSet, startSentinelSet } from '@looptide/testkit/redis-sentinel'
import { until } from '@looptide/testkit/until'
import type { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openRedis } from '../src/db/redis.ts'

let sentinels: SentinelSet
let redis: Redis

beforeAll(async () => {
  sentinels = await startSentinelSet()
  redis = openRedis(sentinels.url, { maxRetriesPerRequest: null })
  redis.on('error', () => undefined)
})

afterAll(async () => {
  redis?.disconnect()
  await sentinels?.stop()
})

it('connects to the new primary, which has the data that the old one had replicated', async () => {
  await redis.set('before', 'kept')
  // Data that is not replicated is lost with the primary.
  await until('a replica has the data', async () => (await redis.wait(1, 1000)) === 1)
  const oldPort = await redis.config('GET', 'port')

  await sentinels.killPrimary()

  await redis.set('after', 'kept too')
  expect(await redis.config('GET', 'port')).not.toEqual(oldPort)
  expect(await redis.mget('before', 'after')).toEqual(['kept', 'kept too'])
})

it('names what is missing in a URL without a primary', () => {
  expect(() => openRedis('redis+sentinel://127.0.0.1', {})).toThrow('the name of the primary')
})
