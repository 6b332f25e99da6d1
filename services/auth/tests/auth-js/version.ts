import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'

export function versionSuite(): void {
  describe('the version and constants we are built for', () => {
    const require = createRequire(import.meta.url)
    it('is 2.119.0: a tick of 30 s, three ticks, keys for ten minutes', () => {
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
