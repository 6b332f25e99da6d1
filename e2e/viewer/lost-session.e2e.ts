/// <reference lib="dom" />

import { testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'
import { expect, type Page, type WebSocketRoute } from '@playwright/test'
import { looptide } from '../support/commands.ts'
import { kidOf } from '../support/key-revocation.ts'
import { signIn, signUp, type Viewer } from '../support/people.ts'
import { expectToast, ownTopicJoined, signInDirectly } from '../support/web-pages.ts'
import { test, useSharedStation } from '../support/web-station.ts'

const web = useSharedStation()

/** docs/product/viewer.md §4: playback stops within this time after the session has ended (ms). */
const STOP_WITHIN_MS = 2_000
const VIDEO = { id: 'lostsession', title: 'Slow Train' } as const

let adminToken: string

test.beforeAll(async () => {
  web.youtube.set(VIDEO.id, { title: VIDEO.title, channel: 'The Commuters', durationS: 600 })
  adminToken = await signIn(web.url, testAdmin.email, testAdmin.password)
  const client = clientOf(web.url, adminToken)
  await client.call('POST /api/videos', { body: { urls: [`https://www.youtube.com/watch?v=${VIDEO.id}`] } })
  const query = { q: VIDEO.title }
  await until('the video is found by its title', async () => {
    const found = await client.call('GET /api/videos', { query })
    return found.total > 0
  })
})

/** Ways in which a session is ended by others, and the message on the page. */
const ENDINGS = [
  {
    name: 'a site ban',
    end: (person: Viewer) =>
      clientOf(web.url, adminToken).call('POST /api/users/:id/restrictions', {
        params: { id: person.id },
        body: {
          restrictionType: 'site_banned',
          reason: 'a test',
        },
      }),
    text: 'Your account has been banned: a test',
  },
  {
    name: 'a sign-out on another device',
    end: async (person: Viewer) => {
      const elsewhere = await signIn(web.url, person.email, person.password)
      return clientOf(web.url, elsewhere).call('POST /auth/v1/logout', { query: { scope: 'others' } })
    },
    text: 'Your session has ended. Please sign in again.',
  },
] as const

/** Ways to watch a catalogue video. */
const PLACES = [
  {
    name: 'the video dialog on /videos',
    open: async (page: Page) => {
      await page.goto(`${web.url}/videos`)
      await page.getByRole('button', { name: new RegExp(VIDEO.title) }).click()
      await page.getByRole('button', { name: 'Play Now' }).click()
      await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
    },
  },
  {
    name: 'the video dialog on the home page',
    open: async (page: Page) => {
      await page.goto(web.url)
      await page
        .getByRole('region', { name: 'Recently Added' })
        .getByRole('button', { name: new RegExp(VIDEO.title) })
        .first()
        .click()
      await page.getByRole('button', { name: 'Play Now' }).click()
      await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
    },
  },
  {
    name: 'a chosen video on /live',
    open: async (page: Page) => {
      await page.goto(`${web.url}/search?q=Slow+Train`)
      await page.getByRole('link', { name: `Play Now: ${VIDEO.title}` }).click()
      await expect(page.getByRole('button', { name: 'Back to live' })).toBeVisible()
    },
  },
  {
    name: 'the playlist player',
    open: async (page: Page) => {
      await page.goto(`${web.url}/youtube-player?tab=add`)
      await page.getByLabel('YouTube URL').fill(`https://www.youtube.com/watch?v=${VIDEO.id}`)
      await page.getByRole('button', { name: 'Add Video', exact: true }).click()
      await page.getByRole('tab', { name: 'Player', exact: true }).press('Enter')
      await page.getByRole('button', { name: `Play ${VIDEO.title}` }).click()
    },
  },
] as const

/** Whether any video on the page plays with sound. Visitors may watch a channel, but muted. */
const isHeard = (page: Page) =>
  page.evaluate(() => [...document.querySelectorAll('video')].some((video) => !video.paused && !video.muted))

for (const place of PLACES) {
  for (const ending of ENDINGS) {
    test(`${ending.name} stops ${place.name} and says why`, { tag: '@clock' }, async ({ page }) => {
      const person = await signUp(web.url, 'watcher')
      await signInDirectly(page, web.url, person)
      const joined = ownTopicJoined(page)
      await place.open(page)
      await joined
      await expect.poll(() => isHeard(page), { message: 'the video plays with sound' }).toBe(true)

      await ending.end(person)
      await expect
        .poll(() => isHeard(page), {
          message: 'the video is silent',
          timeout: STOP_WITHIN_MS,
          intervals: [50],
        })
        .toBe(false)
      await expect(page.getByRole('button', { name: 'Back to live' })).toBeHidden()
      await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeHidden()
      await expectToast(page, 'You have been signed out', ending.text)
    })
  }
}

test('a session that ended while the socket was disconnected stops playback after the reconnect', async ({
  page,
}) => {
  const sockets = new Set<WebSocketRoute>()
  let isCut = false
  await page.routeWebSocket(/realtime/, (socket) => {
    if (isCut) void socket.close()
    else {
      socket.connectToServer()
      sockets.add(socket)
    }
  })
  const person = await signUp(web.url, 'traveller')
  await signInDirectly(page, web.url, person)
  await PLACES[0].open(page)
  await expect.poll(() => isHeard(page), { message: 'the video plays with sound' }).toBe(true)
  isCut = true
  for (const socket of sockets) await socket.close()
  await ENDINGS[0].end(person)
  isCut = false
  await expect.poll(() => isHeard(page), { message: 'the video is silent', timeout: 30_000 }).toBe(false)
  await expectToast(page, 'You have been signed out', 'Your account has been banned.')
})

/** The access token that the page holds. */
const tokenOf = (page: Page): Promise<string> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('looptide-session') ?? '{}').access_token ?? '')

test('a revoked signing key ends no session: the page refreshes its token', async ({ page }) => {
  const person = await signUp(web.url, 'keyholder')
  await signInDirectly(page, web.url, person)
  await page.goto(web.url)
  const kid = kidOf(await tokenOf(page))
  expect(await looptide(web.station.dataDir, 'keys', 'revoke', kid)).toMatchObject({ code: 0, err: '' })
  await expect.poll(async () => kidOf(await tokenOf(page))).not.toBe(kid)
  await page.goto(`${web.url}/members`)
  await expect(page.getByRole('button', { name: 'Account', exact: true })).toBeVisible()
})
