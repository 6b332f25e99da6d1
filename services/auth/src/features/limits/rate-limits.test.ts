import { Counter } from 'prom-client'
import { expect, it } from 'vitest'
import { Vault } from '../../crypto/vault.ts'
import { RateLimits } from './rate-limits.ts'
import { rulesFor } from './rules.ts'

const station = { signUpsPerMinute: 60, mailsPerMinute: 120, mailsPerDay: 10_000 }
/** One attempt for most rules. */
const FACTOR = 0.001

const limits = new RateLimits({
  vault: new Vault('a secret for tests, long enough to pass'),
  redisUrl: undefined,
  factor: FACTOR,
  station,
  refusals: new Counter({ name: 'refusals', help: 'Refusals.', labelNames: ['rule'], registers: [] }),
  warn: () => undefined,
})

const byNetwork = [...rulesFor(station, FACTOR)].filter(([, rule]) => rule.byNetwork)

it.each(byNetwork)(
  '%s: a new /64 each time gets four times the limit in an IPv6 /48',
  async (rule, { points }) => {
    const attempt = (ip: string) => limits.tryConsume([rule, 'an account', ip])
    let allowed = 0
    while ((await attempt(`2001:db8:1:${allowed.toString(16)}::1`)) === undefined && allowed < 100)
      allowed += 1
    expect(allowed).toBe(points * 4)
    expect(await attempt('2001:db8:2::1')).toBeUndefined()
  },
)
