import { type SentinelSet, startSentinelSet } from '@looptide/testkit/redis-sentinel'
import { until } from '@looptide/testkit/until'
import type { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openRedis } from '../src/db/redis.ts'

let set: SentinelSet
let redis: Redis

beforeAll(async () => {
  set = await startSentinelSet()
  redis = openRedis(set.url, { maxRetriesPerRequest: null })
  redis.on('error', () => undefined)
})

afterAll(async () => {
  redis?.disconnect()
  await set?.stop()
})

it('follows the sentinels to the new primary, with what the old one had handed on', async () => {
  await redis.set('before', 'kept')
  // One replica has it: what is not handed on is lost with its server.
  await until('the replica has it', async () => (await redis.wait(1, 1000)) === 1)
  const first = await redis.config('GET', 'port')

  await set.killPrimary()

  await redis.set('after', 'kept too')
  expect(await redis.config('GET', 'port')).not.toEqual(first)
  expect(await redis.mget('before', 'after')).toEqual(['kept', 'kept too'])
})

it('says what is missing in an address without a primary', () => {
  expect(() => openRedis('redis+sentinel://127.0.0.1', {})).toThrow('the name of the primary')
})
