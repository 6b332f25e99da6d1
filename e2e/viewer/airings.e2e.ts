/// <reference lib="dom" />

import { randomUUID } from 'node:crypto'
import type { AirLogEntry } from '@looptide/contracts/http/channels'
import { testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'
import { expect } from '@playwright/test'
import { sidewaysScroll, violationsInThemes } from '../support/accessibility.ts'
import { addVideos, startChannel } from '../support/channels.ts'
import { walkTo } from '../support/keys.ts'
import { signIn, signUp } from '../support/people.ts'
import { outageOf, signInDirectly } from '../support/web-pages.ts'
import { test, useSharedStation } from '../support/web-station.ts'

const web = useSharedStation()
const NAME = 'Past Evenings'
let channel: string
let entry: AirLogEntry

test.beforeAll(async () => {
  const token = await signIn(web.url, testAdmin.email, testAdmin.password)
  channel = await startChannel(web.url, token, NAME, await addVideos(web.url, token, ['Olga', 'Pavel']))
  const params = { id: channel }
  entry = await until('the first programme is in the air log', async () => {
    const log = await clientOf(web.url).call('GET /api/channels/:id/air-log', { params })
    return log.items.at(-1)
  })
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
  const viewer = clientOf(web.url, (await signUp(web.url, 'past')).accessToken)
  const admin = clientOf(web.url, await signIn(web.url, testAdmin.email, testAdmin.password))
  const params = { id: channel }
  const body = { clientId: randomUUID(), message: 'Remove this' }
  const { id } = await viewer.call('POST /api/chat/channels/:id/messages', { params, body })
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
