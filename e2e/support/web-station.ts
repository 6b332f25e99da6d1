import type { Station } from '@looptide/runner/station/station'
import { startTestStation } from '@looptide/test-station/station'
import { type FakeYoutube, startFakeYoutube } from '@looptide/testkit/fake-youtube/server'
import { until } from '@looptide/testkit/until'
import { type Browser, test as base, type TestInfo } from '@playwright/test'
import { letAnHourPass } from './guarded-actions.ts'

const START_TIMEOUT_MS = 300_000

type Settings = Record<string, string>

export interface WebStation {
  /** Origin of the station. */
  readonly url: string
  readonly station: Station
  readonly youtube: FakeYoutube
  /** Waits for a mail to an address that this function has not returned before. */
  nextMail: (to: string) => Promise<ReceivedMail>
}

interface ReceivedMail {
  subject: string
  text: string
  /** URL of the mail's link. */
  link: string
  /** The 6-digit code. */
  code: string
}

interface StoredMail {
  id: string
  subject: string
  text?: string
  to: { address: string }[]
}

/** A started station, and its end. */
interface RunningStation extends WebStation {
  stop: () => Promise<void>
}

/**
 * Playwright's `test` for all browser tests. Files that import the same one share the worker processes, and with them the
 * browser and the station of {@link useSharedStation}.
 */
export const test = base.extend<object, { sharedStation: WebStation }>({
  sharedStation: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires the pattern.
    async ({}, use) => {
      const web = await startWebStation(SHARED_SETTINGS)
      await use(web)
      await web.stop()
    },
    { scope: 'worker', timeout: START_TIMEOUT_MS },
  ],
})

/** Settings of the shared station that some of its files need and the others do not notice. */
export const SHARED_SETTINGS = {
  FIRESTICK_APK_URL: 'https://downloads.example/looptide.apk',
  FIRESTICK_GUIDE_URL: 'https://downloads.example/guide',
  YOUTUBE_API_KEY: 'key',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
} as const

/**
 * The station that the files of a worker process share, with a fake YouTube and two channels, the default one and the Test
 * Card. Starting a station takes as long as several tests. A file that uses it has its own accounts, channels and titles,
 * leaves both channels as they are, and changes nothing that others see: theme, home page, settings.
 */
export function useSharedStation(): WebStation {
  let shared: WebStation | undefined
  test.afterEach(keepPictures)
  test.beforeAll(async ({ sharedStation }) => {
    shared = sharedStation
    // Guarded actions are limited by the hour, and the admin is the same in all files.
    await letAnHourPass(sharedStation.station)
  })
  return later(() => shared)
}

/**
 * A station of the file's own, with a fake YouTube and two channels, the default one and the Test Card; `env` are further
 * settings, or a function that returns them before the station starts.
 */
export function useOwnStation(env: Settings | (() => Promise<Settings>) = {}): WebStation {
  let own: RunningStation | undefined
  test.afterEach(keepPictures)
  test.beforeAll(async () => {
    test.setTimeout(START_TIMEOUT_MS)
    own = await startWebStation(typeof env === 'function' ? await env() : env)
  })
  test.afterAll(async () => {
    test.setTimeout(START_TIMEOUT_MS)
    await own?.stop()
  })
  return later(() => own)
}

/**
 * Attaches pictures of the open pages to a failed test; for `afterEach`. Playwright's own `only-on-failure` also takes one
 * of each page of a test that passes, before its context is closed, for half the processor time of a page load.
 */
export async function keepPictures({ browser }: { browser: Browser }, testInfo: TestInfo): Promise<void> {
  if (testInfo.status === testInfo.expectedStatus) return
  const pages = browser.contexts().flatMap((context) => context.pages())
  for (const [index, page] of pages.entries()) {
    const path = testInfo.outputPath(`failed-${index + 1}.png`)
    // A page that has crashed or waits for a dialog has none.
    const picture = await page.screenshot({ path, timeout: 5_000 }).catch(() => undefined)
    if (picture) testInfo.attachments.push({ name: 'screenshot', path, contentType: 'image/png' })
  }
}

/** The station that `get` returns while tests run. */
function later(get: () => WebStation | undefined): WebStation {
  const there = (): WebStation => {
    const web = get()
    if (web === undefined) throw new Error('The station is up only while tests run.')
    return web
  }
  return {
    get url() {
      return there().url
    },
    get station() {
      return there().station
    },
    get youtube() {
      return there().youtube
    },
    nextMail: (to) => there().nextMail(to),
  }
}

async function startWebStation(env: Settings): Promise<RunningStation> {
  const youtube = await startFakeYoutube()
  const station = await startTestStation({
    fakeYoutube: youtube.url,
    env: { DEMO_CHANNELS: 'test-card', SCHEDULE_APPROVAL: 'required', ...env },
  })
  const readMails = new Set<string>()
  const unreadMail = async (to: string): Promise<StoredMail | undefined> => {
    const response = await fetch(`${station.mailUrl}/api/email`)
    const mails = (await response.json()) as StoredMail[]
    return mails.find((mail) => !readMails.has(mail.id) && mail.to.some(({ address }) => address === to))
  }
  return {
    url: station.url,
    station,
    youtube,
    nextMail: async (to) => {
      const mail = await until(`there is a mail to ${to}`, () => unreadMail(to))
      readMails.add(mail.id)
      const text = mail.text ?? ''
      return {
        subject: mail.subject,
        text,
        link: /https?:\/\/\S+\/auth\/confirm\?\S+/.exec(text)?.[0] ?? '',
        code: /\b\d{6}\b/.exec(text)?.[0] ?? '',
      }
    },
    stop: async () => {
      await station.stop()
      await youtube.stop()
    },
  }
}
