/// <reference lib="dom" />

import { testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'
import { expect, type Page } from '@playwright/test'
import { violations } from '../support/accessibility.ts'
import { addVideos, startChannel, youtubeIdFor } from '../support/channels.ts'
import { signIn, signUp } from '../support/people.ts'
import { expectToast, signInDirectly } from '../support/web-pages.ts'
import { test, useOwnStation } from '../support/web-station.ts'

// Its own station: requests, and with them reminders, are off on the shared one.
const web = useOwnStation({ REQUESTS: 'on' })
/** Short ones, so that the next one starts within seconds: the test waits for a real start. */
const SHORT_S = 8
let channel: string
let shortChannel: string

test.beforeAll(async () => {
  const token = await signIn(web.url, testAdmin.email, testAdmin.password)
  for (const artist of ['Later', 'Sooner']) {
    web.youtube.set(youtubeIdFor(artist), { title: `${artist} Song`, durationS: 3000 })
  }
  for (const artist of ['Brief', 'Briefer']) {
    web.youtube.set(youtubeIdFor(artist), { title: `${artist} Song`, durationS: SHORT_S })
  }
  const long = await addVideos(web.url, token, ['Sooner', 'Later'])
  channel = await startChannel(web.url, token, 'Long Channel', long)
  const short = await addVideos(web.url, token, ['Brief', 'Briefer'])
  shortChannel = await startChannel(web.url, token, 'Short Channel', short)
})

async function arrive(page: Page, name: string) {
  const viewer = await signUp(web.url, name)
  await signInDirectly(page, web.url, viewer)
  return clientOf(web.url, viewer.accessToken)
}

/** The details of the next programme of the channel in the guide. */
async function openNextProgramme(page: Page) {
  await page.goto(`${web.url}/live?channel=${channel}`)
  await page.getByRole('button', { name: 'TV Guide' }).click()
  const row = page.getByRole('region', { name: 'Programmes' }).getByRole('list', { name: 'Long Channel' })
  await row
    .getByRole('button', { name: /Later Song/ })
    .first()
    .click()
}

const remind = (page: Page) => page.getByRole('button', { name: 'Remind Me', exact: true })

test('a viewer sets a reminder in the guide, changes and removes it in the profile, and undoes that', async ({
  page,
}) => {
  const client = await arrive(page, 'reminded')
  await openNextProgramme(page)
  await expect(remind(page)).toHaveAttribute('aria-pressed', 'false')
  await remind(page).press('Enter')
  await expectToast(page, 'Reminder set', 'You are reminded before Later Song starts.')
  await expect(remind(page)).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('button', { name: 'Remind Me of This Artist' }).click()
  await expectToast(page, 'Reminder set', 'You are reminded when Later is on this channel.')

  await page.goto(`${web.url}/members/my-reminders`)
  const list = page.getByRole('list', { name: 'Reminders', exact: true })
  await expect(list.getByRole('listitem')).toHaveCount(2)
  await expect(list).toContainText('Later Song – Later')
  expect(await violations(page)).toEqual([])
  const when = page.getByRole('combobox', { name: 'When to remind of Later Song – Later' })
  await when.selectOption('At the start')
  await until('the reminder is at the start', async () => {
    const { items } = await client.call('GET /api/me/reminders')
    return items.some(({ kind, minutesBefore }) => kind === 'programme' && minutesBefore === 0)
  })
  await page.getByRole('button', { name: 'Remove the reminder of Later Song – Later' }).click()
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(list.getByRole('listitem')).toHaveCount(2)
  await expect(when).toHaveValue('0')

  await page.getByRole('switch', { name: 'Quiet hours' }).click()
  const hours = page.getByRole('form', { name: 'Quiet hours' })
  await hours.getByLabel('From').fill('23:30')
  await hours.getByRole('button', { name: 'Save' }).click()
  await until('the quiet hours are stored', async () => {
    const { quietHours } = await client.call('GET /api/me/reminders/settings')
    return quietHours?.from === '23:30' && quietHours.to === '07:00'
  })
  await page.getByRole('switch', { name: 'Email me if no device receives notifications' }).click()
  await until('mails are off', async () => !(await client.call('GET /api/me/reminders/settings')).mail)
})

test('a visitor is asked to sign in', async ({ page }) => {
  await openNextProgramme(page)
  await remind(page).click()
  await expectToast(page, 'Sign In Required', 'Please sign in to be reminded')
})

test('an open page shows a reminder when the programme starts, with the way to it, and ends pushes with the session', async ({
  page,
}) => {
  const client = await arrive(page, 'punctual')
  await page.goto(`${web.url}/members/my-reminders`)
  await expect(page.getByText('No reminders')).toBeVisible()
  const { programmes, serverNowMs } = await client.call('GET /api/channels/:id/guide', {
    params: { id: shortChannel },
  })
  const next = programmes.find(
    ({ startsAtMs, kind }) => kind === 'video' && startsAtMs > serverNowMs + (SHORT_S * 1000) / 2,
  )
  await client.call('PUT /api/me/reminders', {
    body: { kind: 'programme', channelId: shortChannel, ref: next!.id, minutesBefore: 0 },
  })
  await expectToast(page, next!.video!.title, 'Starts now on Short Channel.')
  await page.getByRole('button', { name: 'Watch' }).click()
  await expect(page).toHaveURL(`${web.url}/live?channel=${shortChannel}`)

  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/push-worker.js')
    await navigator.serviceWorker.ready
    localStorage.setItem('push-subscription', 'of this browser')
  })
  await client.call('POST /auth/v1/logout', { query: { scope: 'global' } })
  await until('this browser receives no more pushes', () =>
    page.evaluate(async () => {
      const workers = await navigator.serviceWorker.getRegistrations()
      return workers.length === 0 && localStorage.getItem('push-subscription') === null
    }),
  )
})

// Chromium without a window has no notifications: the worker's own code runs in it, and what it asks the browser for is noted.
test('the service worker shows a push under its tag, opens only pages of the station, and answers no request', async ({
  page,
  context,
}) => {
  const source = await (await fetch(`${web.url}/push-worker.js`)).text()
  expect(source).not.toMatch(/'fetch'|caches|importScripts/)
  await page.goto(web.url)
  const starting = context.waitForEvent('serviceworker')
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/push-worker.js')
    await navigator.serviceWorker.ready
  })
  const running = await starting
  const asked = await running.evaluate(async (siteUrl) => {
    const scope = globalThis as unknown as WorkerScope
    const noted: unknown[] = []
    let shown: { body: string }[] = []
    scope.registration.getNotifications = async ({ tag }) => (tag === 'one' ? shown : [])
    scope.registration.showNotification = async (title, { body, tag, renotify, data }) => {
      noted.push([title, body, tag, renotify, data])
      shown = [{ body }]
    }
    scope.clients.openWindow = async (url) => void noted.push(url)
    const dispatch = async (type: string, fields: object) => {
      const pending: Promise<unknown>[] = []
      const waitUntil = (work: Promise<unknown>) => void pending.push(work)
      scope.dispatchEvent(Object.assign(new Event(type), fields, { waitUntil }))
      await Promise.all(pending)
    }
    const [own, foreign] = [`${siteUrl}/live?channel=rock`, 'https://elsewhere.example/']
    for (const body of ['Starts soon.', 'Starts soon.', 'Starts now.']) {
      const notification = { title: 'Song', body, tag: 'one', navigate: own, timestamp: 1 }
      await dispatch('push', { data: { json: () => ({ web_push: 8030, notification }) } })
    }
    for (const navigate of [foreign, own]) {
      await dispatch('notificationclick', { notification: { close: () => undefined, data: { navigate } } })
    }
    return noted
  }, web.url)
  const own = `${web.url}/live?channel=rock`
  const data = { navigate: own }
  expect(asked, 'a repeat does not alert again').toEqual([
    ['Song', 'Starts soon.', 'one', true, data],
    ['Song', 'Starts soon.', 'one', false, data],
    ['Song', 'Starts now.', 'one', true, data],
    own,
  ])
})

/** What the test replaces in the worker. */
interface WorkerScope extends EventTarget {
  registration: {
    getNotifications: (filter: { tag: string }) => Promise<{ body: string }[]>
    showNotification: (
      title: string,
      options: { body: string; tag: string; renotify: boolean; data: object },
    ) => Promise<void>
  }
  clients: { openWindow: (url: string) => Promise<void> }
}
