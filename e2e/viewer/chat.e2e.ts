/// <reference lib="dom" />

import { randomUUID } from 'node:crypto'
import { testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { type Browser, expect, type Page } from '@playwright/test'
import { signIn, signUp } from '../support/people.ts'
import { resting } from '../support/resting.ts'
import { expectToast, holdToast, signInDirectly } from '../support/web-pages.ts'
import { test, useSharedStation } from '../support/web-station.ts'

const web = useSharedStation()

const chat = (page: Page) => page.getByRole('log', { name: 'Messages' })
const line = (page: Page, text: string) => chat(page).getByRole('listitem').filter({ hasText: text })
const field = (page: Page) => page.getByLabel('Message', { exact: true })
const chatButton = (page: Page) => page.getByRole('button', { name: 'Chat', exact: true })
/** Time limit for the effect of a moderator's action, in ms. */
const withinASecond = { timeout: 1_000 }

// A separate chat for each test.
let channel: string
let admin: string
test.beforeAll(async () => {
  admin = await signIn(web.url, testAdmin.email, testAdmin.password)
})
test.beforeEach(async () => {
  const made = await clientOf(web.url, admin).call('POST /api/channels', {
    body: { name: `Chat ${randomUUID().slice(0, 8)}` },
  })
  channel = made.id
  await expect
    .poll(async () => (await fetch(`${web.url}/api/chat/channels/${channel}/messages`)).ok)
    .toBe(true)
})

const post = (token: string, message: string): Promise<Response> =>
  clientOf(web.url, token).send('POST /api/chat/channels/:id/messages', {
    params: { id: channel },
    body: { clientId: randomUUID(), message },
  })

async function openChat(page: Page): Promise<void> {
  await page.goto(`${web.url}/live?channel=${channel}`)
  await chatButton(page).click()
  await expect(chat(page)).toBeVisible()
}

/** A new signed-in user with an open chat, in a separate browser context. */
async function arrive(browser: Browser, name: string): Promise<{ page: Page; id: string; token: string }> {
  const page = await browser.newPage()
  const viewer = await signUp(web.url, name)
  await signInDirectly(page, web.url, viewer)
  await openChat(page)
  await expect(field(page)).toBeVisible()
  return { page, id: viewer.id, token: viewer.accessToken }
}

async function say(page: Page, text: string): Promise<void> {
  await field(page).fill(text)
  await field(page).press('Enter')
  await expect(field(page)).toHaveValue('')
}

test('two viewers chat: markup is not interpreted, links are safe, and a closed chat counts unread messages', async ({
  browser,
}) => {
  const [{ page: ann }, { page: bob }] = [await arrive(browser, 'ann'), await arrive(browser, 'bob')]
  await expect(ann.getByRole('heading', { name: 'Live Chat' })).toBeVisible()
  await expect(chat(ann)).toContainText('No messages yet. Say hello!')
  await expect(ann.getByRole('region', { name: 'Chat' }).getByText('2 watching')).toBeVisible()

  await say(ann, 'Does anybody hear me?')
  await expect(line(bob, 'Does anybody hear me?')).toHaveCount(1)
  await say(bob, `Loud & clear <b>really</b>, see https://example.com/a_(b), ${'x'.repeat(300)}`)
  await expect(line(ann, 'Loud & clear <b>really</b>')).toHaveCount(1)
  const link = chat(ann).getByRole('link')
  await expect(link).toHaveAttribute('href', 'https://example.com/a_(b)')
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow ugc')
  await expect(link).toHaveAttribute('target', '_blank')
  // A long word wraps instead of making the list scroll sideways.
  expect(await chat(ann).evaluate((list) => list.scrollWidth <= list.clientWidth)).toBe(true)

  // With the keys of a remote control: into the list, to the link, and back.
  await chat(ann).focus()
  await ann.keyboard.press('Enter')
  await expect(link).toBeFocused()
  await ann.keyboard.press('Escape')
  await expect(chat(ann)).toBeFocused()

  await bob.getByRole('button', { name: 'Close chat' }).click()
  await expect(chatButton(bob)).not.toHaveAccessibleDescription(/new message/)
  await say(ann, 'Where are you?')
  await say(ann, 'Come back')
  await expect(chatButton(bob)).toHaveAccessibleDescription('2 new messages')
  await chatButton(bob).click()
  await expect(chat(bob).getByText('New', { exact: true })).toBeVisible()
  await expect(chatButton(bob)).not.toHaveAccessibleDescription(/new message/)
  await Promise.all([ann.close(), bob.close()])
})

test('composer: lines, maximum length, a failed attempt, and a draft that survives closing the panel and a reload', async ({
  browser,
}) => {
  const { page } = await arrive(browser, 'carl')
  const send = page.getByRole('button', { name: 'Send', exact: true })
  await field(page).fill('   ')
  await expect(send).toBeDisabled()
  await field(page).fill('x'.repeat(450))
  await expect(page.getByText('50 left')).toBeVisible()
  await field(page).fill('x'.repeat(500))
  await field(page).pressSequentially('yyy')
  await expect(page.getByText('3 over the limit')).toBeVisible()
  await expect(send).toBeDisabled()

  await field(page).fill('one')
  await field(page).press('Shift+Enter')
  await field(page).pressSequentially('two')
  await expect(field(page)).toHaveValue('one\ntwo')
  await page.getByRole('button', { name: 'Close chat' }).click()
  await chatButton(page).click()
  await expect(field(page)).toHaveValue('one\ntwo')

  let answer: () => void = () => undefined
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/api/chat/channels/*/messages', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    await isAnswered
    return route.abort()
  })
  await field(page).press('Enter')
  await expect(field(page)).toBeDisabled()
  answer()
  await expectToast(page, 'Error', 'Failed to send message.')
  await expect(field(page)).toHaveValue('one\ntwo')
  await expect(field(page)).toBeFocused()
  await page.unroute('**/api/chat/channels/*/messages')
  await field(page).press('Enter')
  await expect(line(page, 'one two')).toHaveCount(1)
  await expect(field(page)).toHaveValue('')

  // A long word wraps, and a paste above the limit is cut.
  await page.setViewportSize({ width: 390, height: 844 })
  await field(page).fill(`https://example.com/${'x'.repeat(480)}`)
  await expect(send).toBeInViewport({ ratio: 1 })
  expect(await field(page).evaluate((area) => area.scrollWidth <= area.clientWidth)).toBe(true)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  // As a keyboard inserts its clipboard, or an extension a text.
  await field(page).fill('Keyboard: ')
  await page.keyboard.insertText('z'.repeat(1_000_000))
  await expect(field(page)).toHaveValue(`Keyboard: ${'z'.repeat(490)}`)
  await expect(page.getByText('Too long: 999,510 characters were cut off.')).toBeVisible()
  await field(page).fill('Paste: ')
  await page.evaluate(() => navigator.clipboard.writeText('y'.repeat(1_000_000)))
  await field(page).press('Control+V')
  await expect(field(page)).toHaveValue(`Paste: ${'y'.repeat(493)}`)
  await expect(page.getByText('Too long: 999,507 characters were cut off.')).toBeVisible()
  await expect(page.getByText('0 left')).toBeVisible()
  await page.reload()
  await expect(field(page)).toHaveValue(`Paste: ${'y'.repeat(493)}`)
  await page.close()
})

test('a reconnected viewer receives missed messages in order and once', async ({ browser }) => {
  const { page: dora } = await arrive(browser, 'dora')
  const erik = await browser.newPage()
  let isCut = false
  const sockets: { close: () => Promise<void> }[] = []
  await erik.routeWebSocket(/\/realtime\/v1\/websocket/, (socket) => {
    if (isCut) return void socket.close()
    const server = socket.connectToServer()
    sockets.push({
      close: async () => {
        await server.close()
        await socket.close()
      },
    })
  })
  // A signed-out viewer can read and is asked to sign in.
  await openChat(erik)
  const logIn = erik.getByRole('link', { name: 'Please log in to chat' })
  await expect(logIn).toHaveAttribute('href', `/?next=${encodeURIComponent(`/live?channel=${channel}`)}`)
  await expect(field(erik)).toBeHidden()
  await say(dora, 'before')
  await expect(line(erik, 'before')).toHaveCount(1)

  isCut = true
  for (const socket of sockets) await socket.close()
  for (const text of ['missed 1', 'missed 2', 'missed 3']) await say(dora, text)
  await expect(
    erik.getByText('Connection lost. Missed messages will appear when you reconnect.'),
  ).toBeVisible()
  await expect(line(erik, 'missed')).toHaveCount(0)
  isCut = false
  await expect(line(erik, 'missed 3')).toHaveCount(1, { timeout: 30_000 })
  await say(dora, 'after')
  await expect(line(erik, 'after')).toHaveCount(1)
  const seen = await chat(erik).locator('p[dir]').allTextContents()
  expect(seen).toEqual(['before', 'missed 1', 'missed 2', 'missed 3', 'after'])
  await Promise.all([dora.close(), erik.close()])
})

test('reading back: older messages load, the position is kept, and a button jumps to the newest', async ({
  browser,
}) => {
  const fred = await signUp(web.url, 'fred')
  for (let n = 1; n <= 120; n += 1) await post(fred.accessToken, `message ${n}.`)
  const { page } = await arrive(browser, 'gina')
  await expect(line(page, 'message 120.')).toBeInViewport()
  await expect(line(page, 'message 70.')).toHaveCount(0)

  await chat(page).hover()
  await page.mouse.wheel(0, -10_000)
  await expect(line(page, 'message 21.')).toHaveCount(1)
  const topOf71 = () =>
    line(page, 'message 71.').evaluate((element) => Math.round(element.getBoundingClientRect().top))
  await expect(line(page, 'message 71.')).toBeInViewport()
  const place = await resting(topOf71)
  await post(fred.accessToken, 'meanwhile 1.')
  await post(fred.accessToken, 'meanwhile 2.')
  const newest = page.getByRole('button', { name: '2 new messages' })
  await expect(newest).toBeVisible()
  expect(Math.abs((await topOf71()) - place)).toBeLessThanOrEqual(1)
  await newest.click()
  await expect(line(page, 'meanwhile 2.')).toBeInViewport()
  await expect(newest).toBeHidden()
  await expect(chat(page)).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect
    .poll(() => chat(page).evaluate((list) => list.scrollTop + list.clientHeight < list.scrollHeight))
    .toBe(true)

  // On a phone with an open keyboard, the field and some messages are visible.
  await field(page).click()
  await page.setViewportSize({ width: 390, height: 500 })
  await expect(field(page)).toBeInViewport({ ratio: 1 })
  await expect(line(page, 'meanwhile 2.')).toBeInViewport()
  await page.close()
})

test('a moderator deletes, times out and sets slow mode, effective everywhere within a second', {
  tag: '@clock',
}, async ({ browser }) => {
  const { page: mona, id } = await arrive(browser, 'mona')
  await clientOf(web.url, admin).call('PUT /api/users/:id/role', {
    params: { id },
    body: { role: 'moderator' },
  })
  const { page: hugo, id: hugoId, token } = await arrive(browser, 'hugo')
  await say(hugo, 'something rude')
  await expect(hugo.getByRole('button', { name: /^Moderate/ })).toHaveCount(0)

  await line(mona, 'something rude')
    .getByRole('button', { name: /^Moderate hugo/ })
    .click()
  await expect(mona.getByRole('dialog')).toContainText('something rude')
  await expect(mona.getByRole('dialog').getByRole('button', { name: /^Ban/ })).toHaveCount(0)
  await mona.getByRole('button', { name: 'Delete message' }).click()
  await expect(line(hugo, 'something rude')).toHaveCount(0, withinASecond)
  await expectToast(mona, 'Message Deleted')
  await expect(line(mona, 'something rude')).toHaveCount(0)
  await expect(chat(mona)).toBeFocused()

  await mona.getByRole('button', { name: 'Slow mode' }).click()
  await mona.getByRole('button', { name: '5 minutes' }).click()
  await expect(hugo.getByText(/^Slow mode: you can send again in [34]:\d\d\.$/)).toBeVisible(withinASecond)
  await field(hugo).fill('slowly')
  await field(hugo).press('Enter')
  await expect(hugo.getByRole('button', { name: 'Send', exact: true })).toBeDisabled()
  await expect(field(hugo)).toHaveValue('slowly')
  await say(mona, 'I need not wait')
  await say(mona, 'not at all')
  await expect(line(hugo, 'not at all')).toHaveCount(1)
  await expect(line(hugo, 'I need not wait')).toContainText('moderator')
  await mona.getByRole('button', { name: 'Slow mode' }).click()
  await mona.getByRole('button', { name: '5 seconds' }).click()
  await expect(hugo.getByText('Slow mode: one message every 5 seconds.')).toBeVisible()
  await field(hugo).press('Enter')
  await expect(field(hugo)).toHaveValue('')
  await expect(hugo.getByText(/^Slow mode: you can send again in \d+ s\.$/)).toBeVisible()
  await mona.getByRole('button', { name: 'Slow mode' }).click()
  await mona.getByRole('button', { name: 'Off' }).click()
  await expect(mona.getByRole('button', { name: 'Slow mode' })).toBeFocused()
  await expect(hugo.getByText(/^Slow mode:/)).toHaveCount(0, withinASecond)

  await line(mona, 'slowly')
    .getByRole('button', { name: /^Moderate hugo/ })
    .click()
  const isTold = mona.waitForResponse((response) =>
    response.url().includes(`/api/users/${hugoId}/restrictions`),
  )
  await mona.getByRole('button', { name: '10 minutes' }).click()
  await isTold
  await expect(hugo.getByText(/^You have been timed out. You can chat again (at|on) /)).toBeVisible(
    withinASecond,
  )
  await expect.poll(async () => (await post(token, 'still here')).status, withinASecond).toBe(403)
  await Promise.all([mona.close(), hugo.close()])
})

test('an admin’s ban closes the input within a second without a reload, and its undo opens it', {
  tag: '@clock',
}, async ({ browser }) => {
  const { page: troll, id, token } = await arrive(browser, 'troll')
  const boss = await browser.newPage()
  await signInDirectly(boss, web.url, testAdmin)
  await openChat(boss)
  await say(boss, 'good evening')
  await expect(line(troll, 'good evening')).toContainText('admin')
  await say(troll, 'something rude')
  await field(troll).fill('and another')

  await line(boss, 'something rude')
    .getByRole('button', { name: /^Ban troll.* from chat$/ })
    .click()
  const isTold = boss.waitForResponse((response) => response.url().includes(`/api/users/${id}/restrictions`))
  await boss.getByRole('dialog').getByRole('button', { name: 'Ban', exact: true }).click()
  const answer = await isTold
  await expect(troll.getByText('You have been banned from chat.')).toBeVisible(withinASecond)
  await expect(field(troll)).toHaveCount(0)
  await expect.poll(async () => (await post(token, 'ha')).status, withinASecond).toBe(403)
  expect(answer.request().postDataJSON()).toMatchObject({ reason: 'Banned from chat by administrator' })
  await expectToast(boss, 'User Banned')
  await holdToast(boss, 'User Banned')
  // The restriction remains after a reload.
  await troll.reload()
  await chatButton(troll).click()
  await expect(troll.getByText('You have been banned from chat.')).toBeVisible()

  await boss.getByRole('button', { name: 'Undo' }).click()
  await expect(field(troll)).toBeVisible()
  await expect.poll(async () => (await post(token, 'sorry')).status).toBe(201)

  // A user without a socket is notified when they send a message.
  await troll.routeWebSocket(/\/realtime\/v1\/websocket/, (socket) => void socket.close())
  await troll.reload()
  await chatButton(troll).click()
  await field(troll).fill('once more')
  await clientOf(web.url, admin).call('POST /api/users/:id/restrictions', {
    params: { id },
    body: {
      restrictionType: 'chat_banned',
      reason: 'Banned from chat by administrator',
    },
  })
  await expect.poll(async () => (await post(token, 'ha')).status, withinASecond).toBe(403)
  await field(troll).press('Enter')
  await expectToast(troll, 'Error', 'Failed to send message. You may be restricted from chat.')
  await expect(troll.getByText('You have been banned from chat.')).toBeVisible()

  // A second ban shows the existing one and replaces it only after confirmation.
  await line(boss, 'sorry')
    .getByRole('button', { name: /^Ban troll.* from chat$/ })
    .click()
  await boss.getByRole('dialog').getByRole('button', { name: 'Ban', exact: true }).click()
  await expect(
    boss.getByText(/^A ban from the chat by .* is in force with no end: Banned from chat/),
  ).toBeVisible()
  await expect(boss.getByRole('button', { name: 'Keep', exact: true })).toBeFocused()
  const isReplaced = boss.waitForResponse((response) => response.status() === 201)
  await boss.getByRole('button', { name: 'Replace', exact: true }).click()
  await isReplaced
  await expect(boss.getByRole('dialog')).toHaveCount(0)

  await boss.route(`**/api/users/${id}/restrictions`, (route) => route.abort())
  await line(boss, 'sorry')
    .getByRole('button', { name: /^Ban troll.* from chat$/ })
    .click()
  await boss.getByRole('dialog').getByRole('button', { name: 'Ban', exact: true }).click()
  await expectToast(boss, 'Error', 'Failed to ban user.')
  await Promise.all([troll.close(), boss.close()])
})
