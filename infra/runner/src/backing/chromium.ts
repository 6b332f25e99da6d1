import { existsSync } from 'node:fs'
import { Failure } from '../failure.ts'
import { installWithApt } from './apt.ts'

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The Chromium to test with: the one `PLAYWRIGHT_CHROMIUM` names, else one that is installed. */
export function findChromium(named: string | undefined): string | undefined {
  return [named, ...places].find((place) => place !== undefined && existsSync(place))
}

/**
 * Finds Chromium, or installs Debian's.
 *
 * @throws Failure with one sentence that says what to do when there is no way
 */
export async function obtainChromium(
  named: string | undefined,
  say: (text: string) => void,
): Promise<string> {
  const found = findChromium(named)
  if (found !== undefined) return found
  const cure = 'install the package "chromium", or set PLAYWRIGHT_CHROMIUM to the path of a Chromium.'
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new Failure(`The browser tests need Chromium, which is not on this machine: ${cure}`)
  }
  say('Chromium is not on this machine, installing the package chromium …')
  await installWithApt(['chromium'])
  const installed = findChromium(undefined)
  if (installed === undefined)
    throw new Failure(`The package was installed but no Chromium was found: ${cure}`)
  return installed
}
