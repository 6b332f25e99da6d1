import type { CDPSession, Page } from '@playwright/test'

/** A browser's authenticator, simulated by Chromium. */
export interface Authenticator {
  cdp: CDPSession
  authenticatorId: string
}

interface AuthenticatorOptions {
  transport: 'internal' | 'usb'
  hasUserVerification: boolean
  isUserVerified: boolean
}

/** Adds a platform authenticator whose user verification always succeeds. */
export async function addScreenLock(page: Page): Promise<Authenticator> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  return plugIn(cdp, { transport: 'internal', hasUserVerification: true, isUserVerified: true })
}

/** Adds a further authenticator after {@link addScreenLock}. */
export async function plugIn(cdp: CDPSession, options: AuthenticatorOptions): Promise<Authenticator> {
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      hasResidentKey: options.hasUserVerification,
      automaticPresenceSimulation: true,
      ...options,
    },
  })
  return { cdp, authenticatorId }
}
