import Bowser from 'bowser'

const MAX_LENGTH = 100

/** A readable name for a user agent: "Chrome on Windows". Null if it names neither a browser nor a system. */
export function deviceName(userAgent: string | null): string | null {
  if (userAgent === null || userAgent === '') return null
  const { browser, os, platform } = Bowser.parse(userAgent)
  const system = platform.type === 'tv' ? 'a TV' : os.name
  const name = [browser.name, system].filter((part) => part !== undefined && part !== '').join(' on ')
  return name === '' ? null : name.slice(0, MAX_LENGTH)
}
