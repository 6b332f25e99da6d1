import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'

export function versionSuite(): void {
  describe('the client version and constants that the service supports', () => {
    const require = createRequire(import.meta.url)
    it('are 2.119.0, ticks of 30 s, three ticks, keys cached for ten minutes', () => {
      expect(require('@supabase/auth-js/package.json').version).toBe('2.119.0')
      expect(require('@supabase/auth-js/dist/main/lib/constants.js')).toMatchObject({
        AUTO_REFRESH_TICK_DURATION_MS: 30_000,
        AUTO_REFRESH_TICK_THRESHOLD: 3,
        JWKS_TTL: 600_000,
        REFRESH_FAILURE_COOLDOWN_MS: 60_000,
      })
    })
  })
}
