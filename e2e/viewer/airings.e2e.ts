/// <reference lib="dom" />

import { randomUUID } from 'node:crypto'
import type { AirLogEntry } from '@looptide/contracts/http/channels'
import { testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { say } from '@looptide/testkit/say'
import { until } from '@looptide/testkit/until'
import { expect } from '@playwright/test'
import { sidewaysScroll, violationsInThemes } from '../support/accessibility.ts'
import { addVideos, startChannel } from '../support/channels.ts'
import { Watcher } from '../support/crowd.ts'
import { walkTo } from '../support/keys.ts'
import { signIn, signUp } from '../support/people.ts'
import { outageOf, signInDirectly } from '../support/web-pages.ts'
import { test, useSharedStation } from '../support/web-station.ts'

const web = useSharedStation()
const NAME = 'Past Evenings'
let channel: string
let entry: AirLogEntry

/** A new channel, and its first programme, which has just started. */
async function startEvening(name: string, artists: readonly string[]) {
  const token = await signIn(web.url, testAdmin.email, testAdmin.password)
  const id = await startChannel(web.url, token, name, await addVideos(web.url, token, artists))
  const first = await until('the first programme is in the air log', async () => {
    const log = await clientOf(web.url).call('GET /api/channels/:id/air-log', { params: { id } })
    return log.items.at(-1)
  })
  return { id, first, admin: clientOf(web.url, token) }
}

/** Three viewers join a channel, and one of them leaves. A leave counts ten seconds later, while other tests run. */
async function startCrowd() {
  const evening = await startEvening('Evenings Counted', ['Tara'])
  const params = { id: evening.id }
  await until('the gateway knows what is on', async () => {
    const { programmes } = await evening.admin.call('GET /api/channels/:id/now', { params })
    return programmes[0]?.startsAtMs === evening.first.startedAtMs
  })
  const viewers = [1, 2, 3].map(() => new Watcher(web.url, evening.id))
  for (const viewer of viewers) viewer.start()
  await until('three are watching', async () => {
    const { counts } = await evening.admin.call('GET /api/viewers')
    return counts[evening.id] === 3
  })
  await viewers.pop()?.stop()
  return { ...evening, viewers }
}
let crowd: Awaited<ReturnType<typeof startCrowd>>

test.beforeAll(async () => {
  crowd = await startCrowd()
  const evening = await startEvening(NAME, ['Olga', 'Pavel'])
  channel = evening.id
  entry = evening.first
})
test.afterAll(async () => {
  for (const viewer of crowd.viewers) await viewer.stop()
})

test('a programme of the history has a page with the chat and the likes of its minutes', async ({ page }) => {
  const viewer = await signUp(web.url, 'past')
  const client = clientOf(web.url, viewer.accessToken)
  const params = { id: channel }
  for (const message of ['What a voice', 'https://example.org is a link'])
    await client.call('POST /api/chat/channels/:id/messages', {
      params,
      body: { clientId: randomUUID(), message },
    })
  await client.call('PUT /api/videos/:id/like', { params: { id: entry.videoId } })
  await until('the messages and the like are counted', async () => {
    const { items } = await client.call('GET /api/channels/:id/airings', {
      params,
      query: { fromMs: entry.startedAtMs, toMs: entry.startedAtMs + 1 },
    })
    return items[0]?.messages === 2 && items[0].likes === 1
  })

  await signInDirectly(page, web.url, viewer)
  await page.goto(`${web.url}/history?channel=${channel}`)
  const row = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: entry.title, exact: true }) })
  await expect(row.last()).toContainText('1 like')
  const title = row.last().getByRole('link', { name: entry.title, exact: true })
  await walkTo(page, title)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: entry.title, level: 1 })).toBeVisible()
  await expect(page).toHaveURL(`${web.url}/history/${channel}/${entry.startedAtMs}`)
  await expect(page.getByText(`on ${NAME}`)).toBeVisible()
  await expect(page.getByText('which had no schedule')).toBeVisible()
  const chat = page.getByRole('region', { name: 'Chat of these minutes' })
  await expect(chat.getByRole('listitem')).toHaveCount(2)
  await expect(chat).toContainText('What a voice')
  await expect(page.getByRole('definition')).toHaveText([/^(\d+|Not counted)$/, 'Not counted', '1', '2'])
  await expect(page.getByRole('link', { name: 'Play', exact: true })).toHaveAttribute('href', '/live')
  expect(await violationsInThemes(page)).toEqual([])
  for (const width of [390, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await sidewaysScroll(page)).toEqual([])
  }
})

test('a moderator’s removal is not in the past chat, and what was not on says so', async ({ page }) => {
  const viewer = await signUp(web.url, 'past')
  const admin = clientOf(web.url, await signIn(web.url, testAdmin.email, testAdmin.password))
  const { id } = await say(web.url, viewer.accessToken, { channelId: channel, message: 'Remove this' })
  await page.goto(`${web.url}/history/${channel}/${entry.startedAtMs}`)
  await expect(page.getByText('Remove this')).toBeVisible()
  await admin.call('DELETE /api/chat/channels/:id/messages/:messageId', {
    params: { id: channel, messageId: id },
  })
  await page.reload()
  await expect(page.getByRole('heading', { name: entry.title, level: 1 })).toBeVisible()
  await expect(page.getByRole('status', { name: 'Loading the chat' })).toBeHidden()
  await expect(page.getByText('Remove this')).toBeHidden()

  await page.goto(`${web.url}/history/${channel}/1000`)
  await expect(page.getByRole('heading', { name: 'Nothing was on at this time' })).toBeVisible()
  await page.getByRole('link', { name: 'What was on' }).last().click()
  await expect(page.getByRole('heading', { name: 'What was on', level: 1 })).toBeVisible()
  const outage = await outageOf(page, /air-log/)
  await page.goto(`${web.url}/history/${channel}/${entry.startedAtMs}`)
  await expect(page.getByText('The programme could not be loaded.')).toBeVisible()
  await outage.tryAgain()
  await expect(page.getByRole('heading', { name: entry.title, level: 1 })).toBeVisible()
})

test('an hour is played again with its chat, which follows the position of the player', async ({ page }) => {
  const viewer = await signUp(web.url, 'again')
  const client = clientOf(web.url, viewer.accessToken)
  const { id, first } = await startEvening('Evenings Again', ['Rosa'])
  // The advert is before each start: for three seconds the player has no position.
  await page.addInitScript(() => {
    window.fakeYouTubeOptions = { advertMs: 3000 }
  })
  const body = { clientId: randomUUID(), message: 'Here comes the chorus' }
  await client.call('POST /api/chat/channels/:id/messages', { params: { id }, body })

  await page.goto(`${web.url}/history/${id}/${first.startedAtMs}/again`)
  await expect(page.getByText('Please sign in to watch videos')).toBeVisible()
  await signInDirectly(page, web.url, viewer)
  await page.goto(`${web.url}/history/${id}/${first.startedAtMs}`)
  await page.getByRole('link', { name: 'Play this hour again' }).click()
  await expect(page.getByRole('heading', { name: 'Play this hour again', level: 1 })).toBeVisible()
  expect(await violationsInThemes(page)).toEqual([])
  await walkTo(page, page.getByRole('button', { name: 'Start' }))
  await page.keyboard.press('Enter')
  const player = page.getByRole('region', { name: 'Player' })
  await expect(player.getByRole('heading', { name: first.title })).toBeVisible()
  const line = page.getByRole('log', { name: 'Messages' }).getByText('Here comes the chorus')
  await expect(line).toBeVisible()
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  await expect(line).toBeVisible()
  // From its start again: what was not written yet is not shown.
  await page.getByRole('region', { name: 'Programmes' }).getByRole('button').first().click()
  await expect(line).toBeHidden()
  await expect(line).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await sidewaysScroll(page)).toEqual([])
})

test('an hour whose videos are gone says so', async ({ page }) => {
  const { id, first, admin } = await startEvening('Gone Evenings', ['Quentin'])
  await admin.call('DELETE /api/videos', { body: { ids: [first.videoId] } })
  await signInDirectly(page, web.url, await signUp(web.url, 'gone'))
  await page.goto(`${web.url}/history/${id}/${first.startedAtMs}/again`)
  await expect(page.getByText('Nothing of this hour can be played again')).toBeVisible()
  await expect(
    page.getByText('Its videos were deleted, are private, or may not be shown here.'),
  ).toBeVisible()
})

test('viewers who join and leave at the gateway are in the statistics of the airing', async () => {
  const { id, first, admin } = crowd
  const query = { fromMs: first.startedAtMs, toMs: first.startedAtMs + 1, by: 'airing' as const }
  const read = () => admin.call('GET /api/channels/:id/airings/statistics', { params: { id }, query })
  await until('the joins and the leave are counted', async () => {
    const [row] = (await read()).items
    return row?.joins === 3 && row.leaves === 1
  })
  const { items, totals } = await read()
  expect(items).toMatchObject([{ startedAtMs: first.startedAtMs, airing: { title: first.title } }])
  expect(totals).toMatchObject({ airings: 1, joins: 3, leaves: 1 })
})
