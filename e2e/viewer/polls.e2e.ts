/// <reference lib="dom" />

import { randomUUID } from 'node:crypto'
import { testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { type Browser, expect, type Page } from '@playwright/test'
import { violations } from '../support/accessibility.ts'
import { walkTo } from '../support/keys.ts'
import { signIn, signUp } from '../support/people.ts'
import { signInDirectly } from '../support/web-pages.ts'
import { test, useSharedStation } from '../support/web-station.ts'

const web = useSharedStation()

const poll = (page: Page) => page.getByRole('region', { name: 'Poll', exact: true })
const answer = (page: Page, name: string) => poll(page).getByRole('radio', { name })
const results = (page: Page) => page.getByRole('log', { name: 'Messages' }).getByRole('figure')

let admin: string
/** A channel of its own for each test. */
let channel: string
test.beforeAll(async () => {
  admin = await signIn(web.url, testAdmin.email, testAdmin.password)
})
test.beforeEach(async () => {
  const name = `Polls ${randomUUID().slice(0, 8)}`
  channel = (await clientOf(web.url, admin).call('POST /api/channels', { body: { name } })).id
  const chat = `${web.url}/api/chat/channels/${channel}/messages`
  await expect.poll(async () => (await fetch(chat)).ok).toBe(true)
})

const ask = (answers = ['Jazz', 'Soul'], durationS = 600) =>
  clientOf(web.url, admin).call('POST /api/channels/:id/polls', {
    params: { id: channel },
    body: { question: 'Jazz or soul?', answers, durationS },
  })

async function openChat(page: Page): Promise<void> {
  await page.goto(`${web.url}/live?channel=${channel}`)
  await page.getByRole('button', { name: 'Chat', exact: true }).click()
  await expect(page.getByRole('log', { name: 'Messages' })).toBeVisible()
}

async function arrive(browser: Browser, name: string, role?: 'moderator'): Promise<Page> {
  const page = await browser.newPage()
  const viewer = await signUp(web.url, name)
  if (role) {
    const input = { params: { id: viewer.id }, body: { role } }
    await clientOf(web.url, admin).call('PUT /api/users/:id/role', input)
  }
  await signInDirectly(page, web.url, viewer)
  await openChat(page)
  return page
}

test('a moderator asks, viewers vote with mouse and keys and see the votes, and the result stays in the chat', async ({
  browser,
}) => {
  const mona = await arrive(browser, 'mona', 'moderator')
  const hugo = await arrive(browser, 'hugo')
  await expect(hugo.getByRole('button', { name: 'Poll', exact: true })).toHaveCount(0)

  await mona.getByRole('button', { name: 'Poll', exact: true }).click()
  const dialog = mona.getByRole('dialog', { name: 'Poll' })
  await dialog.getByLabel('Question').fill('Jazz or <b>soul</b>?')
  await dialog.getByLabel('Answer 1').fill('Jazz')
  await dialog.getByLabel('Answer 2').fill('jazz ')
  await expect(dialog.getByText('This answer is there already.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Start poll' })).toBeDisabled()
  await dialog.getByLabel('Answer 2').fill('Soul')
  await dialog.getByRole('button', { name: 'Add an answer' }).click()
  await dialog.getByLabel('Answer 3').fill('Neither')
  expect(await violations(mona)).toEqual([])
  await dialog.getByRole('button', { name: 'Start poll' }).click()
  await expect(dialog).toHaveCount(0)

  await expect(poll(hugo).getByRole('heading', { name: 'Jazz or <b>soul</b>?' })).toBeVisible()
  expect(await violations(hugo)).toEqual([])
  await answer(hugo, 'Soul').click()
  await expect(answer(hugo, 'Soul')).toBeChecked()
  await expect(answer(mona, 'Soul')).toHaveAccessibleName('Soul 100 %')
  // One stop for Tab; arrows choose without voting, Space votes.
  await answer(mona, 'Jazz').focus()
  await mona.keyboard.press('ArrowDown')
  await mona.keyboard.press('ArrowDown')
  await expect(answer(mona, 'Neither')).toBeFocused()
  await expect(answer(mona, 'Neither')).not.toBeChecked()
  await mona.keyboard.press('Space')
  await expect(answer(hugo, 'Neither')).toHaveAccessibleName('Neither 50 %')
  await expect(poll(hugo).getByText('2 votes')).toBeVisible()
  await answer(hugo, 'Neither').click()
  await expect(answer(mona, 'Neither')).toHaveAccessibleName('Neither 100 %')

  await hugo.reload()
  await hugo.getByRole('button', { name: 'Chat', exact: true }).click()
  await expect(answer(hugo, 'Neither')).toBeChecked()

  await poll(mona).getByRole('button', { name: 'End now' }).click()
  await expect(results(hugo)).toContainText('Neither100 %')
  await expect(results(hugo)).toContainText('2 votes')
  await expect(poll(hugo)).toHaveCount(0)
  await hugo.reload()
  await hugo.getByRole('button', { name: 'Chat', exact: true }).click()
  await expect(results(hugo)).toContainText('Jazz or <b>soul</b>?')
  await Promise.all([mona.close(), hugo.close()])
})

test('a visitor sees the votes and how to vote, at 390 px too; a moderator deletes the poll', async ({
  browser,
}) => {
  const mona = await arrive(browser, 'mona', 'moderator')
  await ask(['A'.repeat(50), 'Soul'])
  const visitor = await browser.newPage({ viewport: { width: 390, height: 844 } })
  await visitor.goto(`${web.url}/live?channel=${channel}`)
  await expect(poll(visitor).getByRole('listitem')).toHaveCount(2)
  await expect(poll(visitor).getByRole('radio')).toHaveCount(0)
  await expect(poll(visitor).getByRole('link', { name: 'Please log in to vote' })).toBeVisible()
  const isTooWide = () =>
    visitor.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
  expect(await isTooWide()).toBe(false)
  expect(await violations(visitor)).toEqual([])

  await poll(mona).getByRole('button', { name: 'Delete' }).click()
  await mona.getByRole('button', { name: 'Delete poll' }).click()
  await expect(poll(visitor)).toHaveCount(0)
  await expect(poll(mona)).toHaveCount(0)
  await expect(results(mona)).toHaveCount(0)
  await Promise.all([mona.close(), visitor.close()])
})

test('a poll closes by itself, and a viewer without an open chat is notified of it', async ({ page }) => {
  await page.goto(`${web.url}/live?channel=${channel}`)
  await expect(page.getByRole('toolbar', { name: 'Reactions' })).toBeVisible()
  await ask(undefined, 10)
  const notice = page.getByRole('listitem').filter({ hasText: 'Poll: Jazz or soul?' })
  await notice.getByRole('button', { name: 'Open chat' }).click()
  await expect(poll(page)).toBeVisible()
  await expect(results(page)).toContainText('0 votes', { timeout: 15_000 })
  await expect(poll(page)).toHaveCount(0)
})

test('a television shows the poll and its votes; a signed-in one votes with OK', async ({ page }) => {
  const { id } = await ask()
  await signInDirectly(page, web.url, await signUp(web.url, 'tina'))
  await page.goto(`${web.url}/tv?channel=${channel}`)
  await expect(page.getByRole('status', { name: 'Message' })).toContainText('Poll: Jazz or soul?')
  await page.keyboard.press('Enter')
  await walkTo(page, page.getByRole('button', { name: 'Poll', exact: true }))
  await page.keyboard.press('Enter')
  const soul = poll(page).getByRole('button', { name: /^Soul/ })
  await walkTo(page, soul)
  await page.keyboard.press('Enter')
  await expect(soul).toHaveAccessibleName('Soul Your vote · 100 %')
  expect(await violations(page)).toEqual([])
  await clientOf(web.url, admin).call('POST /api/polls/:id/end', { params: { id } })
  await expect(poll(page)).toContainText('The poll is closed.')
})
