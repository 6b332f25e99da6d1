import Bowser from 'bowser'

/** What a user agent is to a person: "Chrome on Windows". */
export function deviceName(userAgent: string | null): string {
  if (!userAgent) return 'Unknown device'
  const { browser, os, platform } = Bowser.parse(userAgent)
  const system = platform.type === 'tv' ? 'a TV' : os.name
  if (browser.name && system) return `${browser.name} on ${system}`
  return browser.name || system || 'Unknown device'
}
