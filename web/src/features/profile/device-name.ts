import Bowser from 'bowser'

/** A readable name for a user agent: "Chrome on Windows". */
export function deviceName(userAgent: string | null): string {
  if (!userAgent) return 'Unknown device'
  const { browser, os, platform } = Bowser.parse(userAgent)
  const system = platform.type === 'tv' ? 'a TV' : os.name
  if (browser.name && system) return `${browser.name} on ${system}`
  return browser.name || system || 'Unknown device'
}
