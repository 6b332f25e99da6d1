/// <reference lib="dom" />

import { testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { type Browser, expect, type Page } from '@playwright/test'
import { violationsInThemes } from '../support/accessibility.ts'
import { signIn, signUp, type Viewer } from '../support/people.ts'
import { expectToast, signInDirectly } from '../support/web-pages.ts'
import { test, useOwnStation } from '../support/web-station.ts'

// The word list applies to all channels of a station.
const web = useOwnStation()

let moderator: Viewer
let viewer: Viewer

test.beforeAll(async () => {
  const adminToken = await signIn(web.url, testAdmin.email, testAdmin.password)
  viewer = await signUp(web.url, 'viewer')
  moderator = await signUp(web.url, 'moderator')
  await clientOf(web.url, adminToken).call('PUT /api/users/:id/role', {
    params: { id: moderator.id },
    body: { role: 'moderator' },
  })
})

/** Signs in with an account in a separate browser context and opens a page. */
async function openAs(browser: Browser, account: Viewer, path: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await signInDirectly(page, web.url, account)
  await page.goto(web.url + path)
  return page
}

test('a moderator tries, saves and exports a word list, which refuses and masks messages', async ({
  page,
  browser,
}) => {
  await signInDirectly(page, web.url, moderator)
  await page.goto(`${web.url}/home`)
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Chat Moderation' }).click()
  const words = page.getByLabel('Words', { exact: true })
  await words.fill('# names\nrefuse: free money\nmask: darn\n/ab(c/')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(words).toHaveAccessibleDescription(/^Line 4: The pattern is wrong/)
  await words.fill('refuse: free money\nmask: darn')

  const message = page.getByLabel('Message', { exact: true })
  await message.fill('DARN it')
  await message.press('Enter')
  await expect(page.getByText('This message would be posted with asterisks:')).toBeVisible()
  await expect(page.getByText('**** it')).toBeVisible()
  await expect(page.getByText('Found by line 2.')).toBeVisible()
  await message.fill('Get FREE m0ney')
  await message.press('Enter')
  await expect(page.getByText('This message would be refused.')).toBeVisible()

  await page.getByLabel('Import a text file').setInputFiles({
    name: 'more.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('spam\nmask: darn\n'),
  })
  await page.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Word list saved', '3 entries.')
  await expect(words).toHaveValue('refuse: free money\nmask: darn\nrefuse: spam')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  expect((await download).suggestedFilename()).toBe('word-list.txt')
  expect(await violationsInThemes(page)).toEqual([])

  const chatting = await openAs(browser, viewer, '/live?channel=test-card')
  await chatting.getByRole('button', { name: 'Chat', exact: true }).click()
  const field = chatting.getByRole('textbox', { name: 'Message', exact: true })
  await field.fill('sp4m!')
  await field.press('Enter')
  await expectToast(chatting, 'Error', 'This message contains words that are not allowed in this chat.')
  await expect(field).toHaveValue('sp4m!')
  await field.fill('darn it')
  await field.press('Enter')
  await expect(chatting.getByRole('log').getByText('**** it')).toBeVisible()
  await chatting.close()
})

test('the page is for moderators, and fits a phone', async ({ page, browser }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signInDirectly(page, web.url, moderator)
  await page.goto(`${web.url}/moderation`)
  await expect(page.getByLabel('Words', { exact: true })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  const stranger = await openAs(browser, viewer, '/moderation')
  await expect(stranger.getByText('Only moderators can moderate the chat.')).toBeVisible()
  await stranger.close()
})
