/// <reference lib="dom" />

/**
 * Pictures of the pages for the documentation: `pnpm screenshots` writes `docs/screenshots/<page>-<width>.jpg`. Starts
 * a station of its own on the Test Card; pictures of YouTube's videos show as they do without a way to it.
 */
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { launchChromium } from '@looptide/testkit/browser'
import { startTestStation, testAdmin } from '@looptide/testkit/station'
import type { BrowserContext, Page } from '@playwright/test'
import { signIn, signUp } from './support/people.ts'
import { signInByForm } from './support/web-pages.ts'

const FOLDER = fileURLToPath(new URL('../docs/screenshots/', import.meta.url))
const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
]
const QUALITY = 62

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).first().waitFor()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

async function openLive(page: Page, station: string): Promise<void> {
  await page.goto(`${station}/live?channel=test-card`)
  await page.locator('[data-testid="live-stage"][data-state="playing"]').waitFor({ timeout: 60_000 })
}

/** What each picture shows, and how one gets there. */
const VISITOR: Record<string, (page: Page, station: string) => Promise<void>> = {
  'sign-in': async (page, station) => {
    await page.goto(station)
    await heading(page)
  },
}
const MEMBER: typeof VISITOR = {
  home: async (page, station) => {
    await page.goto(station)
    await page.getByRole('heading', { name: 'All Videos' }).waitFor()
  },
  live: async (page, station) => {
    await openLive(page, station)
    const chat = page.getByRole('textbox', { name: /message/i })
    if (!(await chat.isVisible())) await press(page, 'Chat')
    await chat.waitFor()
    await page.mouse.move(200, 200)
  },
  guide: async (page, station) => {
    await openLive(page, station)
    await press(page, 'TV Guide')
    await page.getByRole('dialog').getByRole('heading', { level: 3 }).first().waitFor()
  },
  search: async (page, station) => {
    await page.goto(`${station}/search?q=a`)
    await page.getByText(/video\(s\) found/).waitFor()
  },
  videos: async (page, station) => {
    await page.goto(`${station}/videos`)
    await page.getByRole('listitem').first().waitFor()
  },
  history: async (page, station) => {
    await page.goto(`${station}/history?channel=test-card`)
    await heading(page)
  },
  profile: async (page, station) => {
    await page.goto(`${station}/members`)
    await page.getByLabel('Handle').waitFor()
  },
  player: async (page, station) => {
    await page.goto(`${station}/youtube-player`)
    await page.getByText('No videos loaded').waitFor()
  },
}
const ADMIN: typeof VISITOR = Object.fromEntries(
  ['video-library', 'home-screen', 'channels', 'user-management', 'theme-customizer'].map((tab) => [
    `admin-${tab}`,
    async (page: Page, station: string) => {
      await page.goto(`${station}/admin?tab=${tab}`)
      await page.getByRole('main').getByRole('heading', { level: 2 }).first().waitFor()
    },
  ]),
)

async function take(context: BrowserContext, station: string, shots: typeof VISITOR): Promise<void> {
  const page = context.pages()[0] ?? (await context.newPage())
  for (const size of SIZES) {
    await page.setViewportSize(size)
    for (const [name, open] of Object.entries(shots)) {
      await open(page, station)
      await page.waitForFunction(() => [...document.images].every(({ complete }) => complete))
      await page.screenshot({ path: `${FOLDER}${name}-${size.width}.jpg`, type: 'jpeg', quality: QUALITY })
    }
  }
}

async function say(station: string, token: string, message: string): Promise<void> {
  await fetch(`${station}/api/chat/channels/test-card/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message }),
  })
}

await mkdir(FOLDER, { recursive: true })
const station = await startTestStation({ fakeYoutube: 'http://127.0.0.1:9' })
const browser = await launchChromium()
try {
  const member = await signUp(station.url, 'Marlene')
  const friend = await signUp(station.url, 'Otis')
  const adminToken = await signIn(station.url, testAdmin.email, testAdmin.password)
  await say(station.url, friend.accessToken, 'Good evening from Lisbon')
  await say(station.url, member.accessToken, 'Is everybody at the same second?')
  await say(station.url, adminToken, 'To the tenth of it, I should hope.')
  await take(await browser.newContext(), station.url, VISITOR)
  for (const [person, shots] of [
    [member, MEMBER],
    [testAdmin, ADMIN],
  ] as const) {
    const context = await browser.newContext({ reducedMotion: 'reduce' })
    await signInByForm(await context.newPage(), station.url, person)
    await take(context, station.url, shots)
  }
} finally {
  await browser.close()
  await station.stop()
}
