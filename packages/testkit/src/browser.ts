import { findChromium } from '@looptide/backing/programs/chromium'
import { type Browser, chromium } from '@playwright/test'

/** Arguments for running Debian's Chromium headless and without background requests. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
]

/**
 * Allows playback with sound without a user gesture. Without it Chromium requires a gesture on the page, and does not
 * always count those from before a reload.
 */
export const ALLOW_AUTOPLAY = '--autoplay-policy=no-user-gesture-required'

/** Path of Chromium: `PLAYWRIGHT_CHROMIUM`, or the usual places on Linux and macOS. */
export function chromiumPath(): string {
  const found = findChromium(process.env.PLAYWRIGHT_CHROMIUM)
  if (found === undefined) {
    throw new Error(
      'No Chromium found: install the package `chromium`, or set PLAYWRIGHT_CHROMIUM to its path.',
    )
  }
  return found
}

/** A headless Chromium; the caller closes it. */
export function launchChromium(options: { args?: string[] } = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath(),
    headless: true,
    args: [...chromiumFlags, ...(options.args ?? [])],
  })
}
