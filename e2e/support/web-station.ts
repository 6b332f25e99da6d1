import type { Station } from '@looptide/runner/station/station'
import { type FakeYoutube, startFakeYoutube } from '@looptide/testkit/fake-youtube/server'
import { startTestStation } from '@looptide/testkit/station'
import { until } from '@looptide/testkit/until'
import { test } from '@playwright/test'

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

/**
 * A station with a fake YouTube and two channels, the default one and the Test Card, for all tests of the file; `env`
 * are further settings, or a function that returns them before the station starts.
 */
export function useWebStation(env: Settings | (() => Promise<Settings>) = {}): WebStation {
  let station: Station | undefined
  let youtube: FakeYoutube | undefined
  const readMails = new Set<string>()
  const there = <T>(thing: T | undefined): T => {
    if (thing === undefined) throw new Error('The station is up only while tests run.')
    return thing
  }

  test.beforeAll(async () => {
    test.setTimeout(START_TIMEOUT_MS)
    youtube = await startFakeYoutube()
    station = await startTestStation({
      fakeYoutube: youtube.url,
      env: { DEMO_CHANNELS: 'test-card', ...(typeof env === 'function' ? await env() : env) },
    })
  })
  test.afterAll(async () => {
    test.setTimeout(START_TIMEOUT_MS)
    await station?.stop()
    await youtube?.stop()
  })

  const unreadMail = async (to: string): Promise<StoredMail | undefined> => {
    const response = await fetch(`${there(station).mailUrl}/api/email`)
    const mails = (await response.json()) as StoredMail[]
    return mails.find((mail) => !readMails.has(mail.id) && mail.to.some(({ address }) => address === to))
  }

  return {
    get url() {
      return there(station).url
    },
    get station() {
      return there(station)
    },
    get youtube() {
      return there(youtube)
    },
    nextMail: async (to) => {
      const mail = await until(`there is a mail to ${to}`, () => unreadMail(to), { timeoutMs: 15_000 })
      readMails.add(mail.id)
      const text = mail.text ?? ''
      return {
        subject: mail.subject,
        text,
        link: /https?:\/\/\S+\/auth\/confirm\?\S+/.exec(text)?.[0] ?? '',
        code: /\b\d{6}\b/.exec(text)?.[0] ?? '',
      }
    },
  }
}
