import { testAdmin } from '@looptide/testkit/station'
import { expect, type Page, test } from '@playwright/test'
import { signUp } from './support/people.ts'
import { expectToast, signInByForm } from './support/web-pages.ts'
import { useWebStation } from './support/web-station.ts'

const web = useWebStation()

const chat = (page: Page) => page.getByRole('log', { name: 'Messages' })
const lines = (page: Page) => chat(page).getByRole('listitem')

async function openChat(page: Page): Promise<void> {
  await page.goto(`${web.url}/live?channel=test-card`)
  await page.getByRole('button', { name: 'Chat', exact: true }).click()
  await expect(chat(page)).toBeVisible()
}

async function say(page: Page, text: string): Promise<void> {
  const field = page.getByLabel('Message', { exact: true })
  await field.fill(text)
  await field.press('Enter')
  await expect(field).toHaveValue('')
}

test('two viewers talk to each other', async ({ page: ann, browser }) => {
  const bob = await browser.newPage()
  await signInByForm(ann, web.url, await signUp(web.url, 'ann'))
  await signInByForm(bob, web.url, await signUp(web.url, 'bob'))
  await openChat(ann)
  await openChat(bob)

  await say(ann, 'Does anybody hear me?')
  await expect(lines(bob).filter({ hasText: 'Does anybody hear me?' })).toHaveCount(1)
  await say(bob, 'Loud & clear <b>really</b>')
  await expect(lines(ann).filter({ hasText: 'Loud & clear <b>really</b>' })).toHaveCount(1)
  await expect(lines(ann)).toHaveCount(2)
  await bob.close()
})

test('Shift+Enter makes a line, and a blank message is not sent', async ({ page }) => {
  await signInByForm(page, web.url, await signUp(web.url, 'carl'))
  await openChat(page)
  const field = page.getByLabel('Message', { exact: true })
  await field.fill('   ')
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeDisabled()
  await field.fill('one')
  await field.press('Shift+Enter')
  await field.pressSequentially('two')
  await expect(field).toHaveValue('one\ntwo')
  await field.press('Enter')
  await expect(lines(page).filter({ hasText: 'one two' })).toHaveCount(1)
})

test('whoever was away gets what they missed, in order and once', async ({ page: dora, browser }) => {
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
  await signInByForm(dora, web.url, await signUp(web.url, 'dora'))
  await openChat(dora)
  await openChat(erik)
  await say(dora, 'before')
  await expect(lines(erik).last()).toContainText('before')

  isCut = true
  for (const socket of sockets) await socket.close()
  for (const text of ['missed 1', 'missed 2', 'missed 3']) await say(dora, text)
  await expect(lines(erik).last()).toContainText('before')
  isCut = false
  await expect(lines(erik).last()).toContainText('missed 3', { timeout: 30_000 })
  await say(dora, 'after')
  await expect(lines(erik).last()).toContainText('after')
  const seen = (await lines(erik).locator('p').allTextContents()).slice(-5)
  expect(seen).toEqual(['before', 'missed 1', 'missed 2', 'missed 3', 'after'])
  await erik.close()
})

test('a visitor who is not signed in reads, and is asked to log in', async ({ page }) => {
  await openChat(page)
  await expect(page.getByRole('link', { name: 'Please log in to chat' })).toBeVisible()
  await expect(page.getByLabel('Message', { exact: true })).toBeHidden()
})

test('an admin bans somebody from the chat, who is told when they write again', async ({ page, browser }) => {
  const troll = await browser.newPage()
  await signInByForm(troll, web.url, await signUp(web.url, 'troll'))
  await openChat(troll)
  await say(troll, 'something rude')

  await signInByForm(page, web.url, testAdmin)
  await openChat(page)
  const line = lines(page).filter({ hasText: 'something rude' })
  await line.getByRole('button', { name: /^Ban .* from chat$/ }).click()
  await line.getByRole('button', { name: 'Ban', exact: true }).click()
  await expectToast(page, 'User Banned')

  const field = troll.getByLabel('Message', { exact: true })
  await field.fill('and again')
  await field.press('Enter')
  await expectToast(troll, 'Error', 'Failed to send message. You may be restricted from chat.')
  await expect(field).toHaveValue('and again')
  await troll.close()
})
