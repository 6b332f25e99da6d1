/// <reference lib="dom" />

import { randomUUID } from 'node:crypto'
import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { say } from '@looptide/testkit/say'
import { until } from '@looptide/testkit/until'
import { expect } from '@playwright/test'
import { violationsInThemes } from '../support/accessibility.ts'
import { addVideos, startChannel } from '../support/channels.ts'
import { signIn, signUp } from '../support/people.ts'
import { signInDirectly } from '../support/web-pages.ts'
import { test, useSharedStation } from '../support/web-station.ts'

const web = useSharedStation()
/** Time until the special starts: as long as publishing and opening the page take, in ms. */
const AHEAD_MS = 15_000

/** A channel with a programme on the air, and its messages. */
async function startEvening(name: string) {
  const token = await signIn(web.url, testAdmin.email, testAdmin.password)
  const admin = clientOf(web.url, token)
  const id = await startChannel(web.url, token, name, await addVideos(web.url, token, ['Wanda', 'Xaver']))
  const first = await until('the first programme is in the air log', async () => {
    const log = await admin.call('GET /api/channels/:id/air-log', { params: { id } })
    return log.items.at(-1)
  })
  const viewer = await signUp(web.url, 'then')
  const post = (message: string, author = viewer) =>
    say(web.url, author.accessToken, { channelId: id, message })
  const remove = (messageId: string) =>
    admin.call('DELETE /api/chat/channels/:id/messages/:messageId', { params: { id, messageId } })
  return { id, first, admin, viewer, post, remove }
}

const list: ScheduleDocument = {
  timeZone: 'UTC',
  freezeMinutes: 0,
  defaultSource: 'list',
  sources: { list: { kind: 'playlist' } },
}

test('the chat of then appears beside the chat of now, without removed messages', async ({
  page,
  browser,
}) => {
  const { id, first, admin, viewer, post, remove } = await startEvening('Evenings Together')
  await remove((await post('Removed then')).id)
  await post('What a chorus')
  const leaver = await signUp(web.url, 'leaver')
  await post('Deleted with the account', leaver)
  const removedLater = await post('Removed now')
  const params = { id }
  await admin.call('POST /api/channels/:id/stream', { params, body: { action: 'stop' } })
  const { videoId, startedAtMs, endedAtMs } = first
  const airings = [{ id: randomUUID(), videoId, startedAtMs, endedAtMs }]
  const at = new Date(Date.now() + AHEAD_MS).toISOString().slice(0, 19)
  const body: ScheduleDocument = {
    ...list,
    sources: { ...list.sources, evening: { kind: 'airings', channelId: id, airings } },
    specials: [{ id: 'again', name: 'Again', at, durationMs: 600_000, start: 'hard', source: 'evening' }],
  }
  await admin.call('PUT /api/channels/:id/schedule/draft', { params, body })
  await admin.call('POST /api/channels/:id/schedule/publish', { params, body: {} })
  await admin.call('POST /api/channels/:id/stream', { params, body: { action: 'start' } })

  const other = await (await browser.newContext()).newPage()
  await signInDirectly(page, web.url, viewer)
  await signInDirectly(other, web.url, await signUp(web.url, 'now'))
  const logs = []
  for (const one of [page, other]) {
    await one.goto(`${web.url}/live?channel=${id}`)
    await one.getByRole('button', { name: 'Chat', exact: true }).press('Enter')
    const then = one.getByRole('log', { name: /^Chat of / })
    await expect(then.getByText('What a chorus')).toBeVisible({ timeout: 60_000 })
    await expect(then.getByText('Removed now')).toBeVisible()
    await expect(then.getByText('Deleted with the account')).toBeVisible()
    await expect(then.getByText('Removed then')).toBeHidden()
    logs.push(then)
  }
  await remove(removedLater.id)
  await clientOf(web.url, leaver.accessToken).call('DELETE /api/me', {
    body: { password: leaver.password, deleteMessages: true },
  })
  for (const then of logs) {
    await expect(then.getByText('Removed now')).toBeHidden()
    await expect(then.getByText('Deleted with the account')).toBeHidden()
    await expect(then.getByText('What a chorus')).toBeVisible()
  }
  await page.getByText(/^Chat of /).click()
  await expect(page.getByRole('log', { name: /^Chat of / })).toBeHidden()
  await page.reload()
  await page.getByRole('button', { name: 'Chat', exact: true }).press('Enter')
  await expect(page.getByText(/^Chat of /)).toBeVisible()
  await expect(page.getByRole('log', { name: /^Chat of / })).toBeHidden()

  await other.getByRole('button', { name: 'TV Guide' }).click()
  const guide = other.getByRole('dialog', { name: 'TV Guide' })
  await guide
    .getByRole('list', { name: 'Evenings Together' })
    .getByRole('button', { name: /Again/ })
    .first()
    .click()
  const tracks = guide.getByRole('list', { name: 'Tracks' })
  await tracks.getByRole('button', { name: first.title }).first().click()
  await expect(guide.getByText(/^Again from /)).toBeVisible()
  expect(await violationsInThemes(other, '[role=dialog]')).toEqual([])
  await guide
    .getByText(/^Again from /)
    .getByRole('link')
    .click()
  await expect(other).toHaveURL(`${web.url}/history/${id}/${startedAtMs}`)
  await expect(other.getByRole('heading', { name: first.title, level: 1 })).toBeVisible()
  await other.context().close()
})

test('staff add a past evening to the schedule, and viewers have no button for it', async ({
  page,
  browser,
}) => {
  const { id, first, admin, viewer } = await startEvening('Evenings Planned')
  const address = `${web.url}/history/${id}/${first.startedAtMs}`
  const guest = await (await browser.newContext()).newPage()
  await signInDirectly(guest, web.url, viewer)
  await guest.goto(address)
  await expect(guest.getByRole('link', { name: 'Play this hour again' })).toBeVisible()
  await expect(guest.getByRole('button', { name: 'Watch together again' })).toBeHidden()
  await guest.context().close()

  await signInDirectly(page, web.url, { email: testAdmin.email, password: testAdmin.password })
  await page.goto(address)
  await page.getByRole('button', { name: 'Watch together again' }).click()
  const dialog = page.getByRole('dialog', { name: 'Watch together again' })
  await expect(dialog.getByText('This channel has no schedule')).toBeVisible()
  await admin.call('PUT /api/channels/:id/schedule/draft', { params: { id }, body: list })
  await page.reload()
  await page.getByRole('button', { name: 'Watch together again' }).click()
  await expect(dialog.getByLabel('Title')).toHaveValue(/^Again: /)
  expect(await violationsInThemes(page)).toEqual([])
  const day = dialog.getByLabel('Day', { exact: true })
  const chosen = await day.inputValue()
  await day.fill('')
  await dialog.getByRole('button', { name: 'Add to the schedule' }).click()
  await expect(dialog).toContainText('Enter a day, a time and a length')
  await day.press('Escape')
  const question = page.getByRole('dialog', { name: 'Discard changes?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(day).toHaveValue('')
  await day.fill(chosen)
  await day.press('Escape')
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Watch together again' }).click()
  await dialog.getByLabel('Title').fill('The same again')
  await dialog.getByRole('button', { name: 'Add to the schedule' }).click()
  await expect(page).toHaveURL(/admin\/schedule/)

  await page.goto(address)
  await page.getByRole('button', { name: 'Watch together again' }).click()
  await expect(dialog.getByRole('region', { name: 'Already in the draft' })).toContainText(
    'The same again on ',
  )
  expect(await violationsInThemes(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Add to the schedule' }).click()
  await expect(dialog).toContainText('The draft airs this evening at this time already')
  await dialog.getByLabel('Date').fill(new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10))
  await dialog.getByRole('button', { name: 'Add to the schedule' }).click()
  await expect(page).toHaveURL(/admin\/schedule/)
  const { document } = await admin.call('GET /api/channels/:id/schedule/draft', { params: { id } })
  expect(document?.specials).toHaveLength(2)
  const [special] = document?.specials ?? []
  const source = document?.sources?.[special?.source ?? '']
  expect(source).toMatchObject({
    ...{ kind: 'airings', channelId: id },
    airings: [{ videoId: first.videoId, startedAtMs: first.startedAtMs }],
  })
})
