import { afterAll, afterEach, beforeAll, vi } from 'vitest'
import type { TestAuth } from './_harness.ts'
import { PREVIOUS_SERVICE_KEY, SERVICE_KEY } from './auth-js/admin-client.ts'
import { adminLinksSuite } from './auth-js/admin-links.ts'
import { adminUsersSuite } from './auth-js/admin-users.ts'
import { factorsSuite } from './auth-js/factors.ts'
import { keysSuite } from './auth-js/keys.ts'
import { notOfferedSuite } from './auth-js/not-offered.ts'
import { refreshingSuite } from './auth-js/refreshing.ts'
import { securityKeysSuite } from './auth-js/security-keys.ts'
import { serviceKeySuite } from './auth-js/service-key.ts'
import { signingInSuite } from './auth-js/signing-in.ts'
import { signingUpSuite } from './auth-js/signing-up.ts'
import { userSuite } from './auth-js/user.ts'
import { versionSuite } from './auth-js/version.ts'

/** Tests the service with the client library of the web app, unmodified (docs/protocols/auth.md). */
export function authJsSuite(start: (env?: Record<string, string>) => Promise<TestAuth>): void {
  let open: TestAuth
  let confirming: TestAuth
  const services = {
    get open() {
      return open
    },
    get confirming() {
      return confirming
    },
  }
  beforeAll(async () => {
    open = await start({ AUTH_SERVICE_KEY: SERVICE_KEY, AUTH_SERVICE_KEY_PREVIOUS: PREVIOUS_SERVICE_KEY })
    confirming = await start({ AUTH_SERVICE_KEY: SERVICE_KEY, MAIL_CONFIRMATION: 'on' })
  })
  afterAll(async () => {
    await open.stop()
    await confirming.stop()
  })
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })

  versionSuite()
  signingUpSuite(services)
  signingInSuite(services)
  userSuite(services)
  refreshingSuite(services)
  factorsSuite(services)
  securityKeysSuite(services)
  notOfferedSuite(services)
  keysSuite(services)
  adminUsersSuite(services)
  adminLinksSuite(services)
  serviceKeySuite(services)
}
