import { existsSync } from 'node:fs'
import { Failure } from '../failure.ts'
import { installWithApt } from './apt.ts'

/** Debian's headless Chromium: the same engine in half the time, since it draws no toolbars. */
const shell = '/usr/bin/chromium-headless-shell'
const places = [
  shell,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The Chromium for tests: that of `PLAYWRIGHT_CHROMIUM`, else an installed one. */
export function findChromium(named: string | undefined): string | undefined {
  return [named, ...places].find((place) => place !== undefined && existsSync(place))
}

/**
 * Finds Chromium or installs Debian's, headless if there is such a package.
 *
 * @throws Failure with a sentence that says what to do
 */
export async function obtainChromium(
  named: string | undefined,
  say: (text: string) => void,
): Promise<string> {
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  let reason = 'which is not installed'
  const install = async (name: string) => {
    say(`Installing the package ${name} …`)
    await installWithApt([name]).catch((error: Failure) => {
      reason = `which could not be installed (${error.message})`
    })
  }
  const isCheap = [named, shell].some((place) => place !== undefined && existsSync(place))
  if (mayInstall && !isCheap) await install('chromium-headless-shell')
  if (mayInstall && findChromium(named) === undefined) await install('chromium')
  const found = findChromium(named)
  if (found !== undefined) return found
  throw new Failure(
    `The browser tests need Chromium, ${reason}: install the package "chromium", or set PLAYWRIGHT_CHROMIUM to the path of a Chromium.`,
  )
}
