import type { Backing } from '@looptide/testkit/backing'
import { until } from '@looptide/testkit/until'
import { Redis } from 'ioredis'
import { type Answer, call, newEmail, VERSION } from './_harness.ts'

/** Resolves when each replica counts attempts in Redis. Before it is connected it counts them in its memory. */
export async function limitsAreShared(redis: Backing, replicas: readonly { url: string }[]): Promise<void> {
  const client = new Redis(redis.url)
  let attempts = 0
  for (const { url } of replicas) {
    await until('the replica counts in Redis', async () => {
      const before = await client.dbsize()
      attempts += 1
      await signInFrom(url, `198.51.100.${attempts}`)
      return (await client.dbsize()) > before
    })
  }
  client.disconnect()
}

const signInFrom = (url: string, ip: string): Promise<Answer> =>
  call(
    `${url}/token?grant_type=password`,
    'POST',
    { email: newEmail(), password: 'Summer2026!' },
    { ...VERSION, 'x-forwarded-for': ip },
  )
