/// <reference lib="dom" />

import { testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { say as sayAs } from '@looptide/testkit/say'
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

/** Posts a message of an account on the test card, and returns its id. */
const say = async (by: Viewer, message: string): Promise<string> =>
  (await sayAs(web.url, by.accessToken, { channelId: 'test-card', message })).id

/** Reports a message to the moderators. */
const report = (by: Viewer, messageId: string) =>
  clientOf(web.url, by.accessToken).call('POST /api/chat/channels/:id/messages/:messageId/report', {
    params: { id: 'test-card', messageId },
    body: { reason: 'spam' },
  })

test('a moderator tries, saves and exports a word list, which refuses and masks messages', async ({
  page,
  browser,
}) => {
  await signInDirectly(page, web.url, moderator)
  await page.goto(`${web.url}/home`)
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Chat Moderation' }).click()
  await page.getByRole('tab', { name: 'Word list' }).click()
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

test('a text that is typed while another moderator saves the list is kept, and merged', async ({ page }) => {
  const api = clientOf(web.url, moderator.accessToken)
  await signInDirectly(page, web.url, moderator)
  await page.goto(`${web.url}/moderation`)
  await page.getByRole('tab', { name: 'Word list' }).click()
  const words = page.getByLabel('Words', { exact: true })
  await words.fill('refuse: mine')
  await api.call('PUT /api/chat/word-list', {
    body: { entries: [{ action: 'mask', kind: 'word', text: 'theirs' }] },
  })
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(words).toHaveAccessibleDescription(/^Another moderator has saved the list meanwhile/)
  await expect(words).toHaveValue('refuse: mine')
  await expect(page.getByLabel('Their list')).toHaveValue('mask: theirs')
  expect(await violationsInThemes(page)).toEqual([])
  await page.getByRole('button', { name: 'Add their lines to mine' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Word list saved', '2 entries.')
  expect((await api.call('GET /api/chat/word-list', {})).entries.map(({ text }) => text)).toEqual([
    'mine',
    'theirs',
  ])
})

test('a reported message is removed by a moderator, and shown again after an appeal', async ({
  page,
  browser,
}) => {
  const reporter = await signUp(web.url, 'reporter')
  await say(viewer, 'a kind word')
  await say(viewer, 'you are an idiot')
  await signInDirectly(page, web.url, moderator)
  await page.goto(`${web.url}/moderation`)
  await expect(page.getByText('No reports waiting')).toBeVisible()
  const author = await openAs(browser, viewer, '/members')
  await expect(author.getByRole('heading', { name: 'Profile' }).first()).toBeVisible()

  const reporting = await openAs(browser, reporter, '/live?channel=test-card')
  await reporting.getByRole('button', { name: 'Chat', exact: true }).click()
  const line = reporting.getByRole('log').getByRole('listitem').filter({ hasText: 'you are an idiot' })
  await line.getByRole('button', { name: /^Report / }).click()
  await reporting.getByLabel('Reason').selectOption('Insults or threats')
  await reporting.getByLabel(/What should moderators know/).fill('Second time today')
  expect(await violationsInThemes(reporting)).toEqual([])
  await reporting.getByRole('dialog').getByRole('button', { name: 'Report', exact: true }).click()
  await expectToast(reporting, 'Message reported')

  // The queue fills without a reload.
  await expect(page.getByText('1 of 1 waiting')).toBeVisible()
  const article = page.getByRole('article')
  await expect(article).toContainText('Insults or threats: Second time today')
  await expect(article.getByRole('listitem').filter({ hasText: 'a kind word' })).toBeVisible()
  expect(await violationsInThemes(page)).toEqual([])
  await page.getByLabel('Note for the author (optional)').fill('Be kind.')
  await page.getByRole('button', { name: 'Remove message' }).click()
  await expect(page.getByText('No reports waiting')).toBeVisible()
  await expect(line).toHaveCount(0)
  await expectToast(reporting, 'Your report was handled')
  await expectToast(author, 'A message of yours was removed')

  await author.getByRole('button', { name: 'Show', exact: true }).click()
  const decisions = author.getByRole('list', { name: 'Decisions about your messages' })
  await expect(decisions).toContainText('The moderator’s note: Be kind.')
  await decisions.getByRole('button', { name: 'Appeal...' }).click()
  await author.getByLabel('Why should it be decided differently?').fill('I quoted a song.')
  await author.getByRole('button', { name: 'Send appeal' }).click()
  await expectToast(author, 'Appeal sent')
  await expect(decisions.getByRole('button')).toHaveCount(0)

  await expect(article).toContainText('“I quoted a song.”')
  await expect(page.getByText('You made this decision.')).toBeVisible()
  await page.getByRole('button', { name: 'Reverse decision' }).click()
  await expectToast(page, 'Decided', 'The author is notified.')
  await expect(page.getByText('No reports waiting')).toBeVisible()
  await expect(line).toBeVisible()
  await expectToast(author, 'Your appeal was granted')
  await expect(decisions).toContainText('The decision was reversed.')
  await Promise.all([author.close(), reporting.close()])
})

test('a held message is seen by its author only, until a moderator posts it', async ({ page, browser }) => {
  await clientOf(web.url, moderator.accessToken).call('PUT /api/chat/word-list', {
    body: { entries: [{ action: 'hold', kind: 'word', text: 'rumour' }] },
  })
  await signInDirectly(page, web.url, moderator)
  await page.goto(`${web.url}/moderation`)
  await page.getByRole('tab', { name: 'Held messages' }).click()
  await expect(page.getByText('No messages waiting')).toBeVisible()

  const author = await openAs(browser, viewer, '/live?channel=test-card')
  await author.getByRole('button', { name: 'Chat', exact: true }).click()
  const field = author.getByRole('textbox', { name: 'Message', exact: true })
  const own = author.getByRole('region', { name: 'Waiting for a moderator' })
  for (const text of ['A rumour to post', 'A rumour to reject']) {
    await field.fill(text)
    await field.press('Enter')
    await expect(own).toContainText(text)
    await expect(field).toHaveValue('')
  }
  expect(await violationsInThemes(author)).toEqual([])
  await author.reload()
  await author.getByRole('button', { name: 'Chat', exact: true }).click()
  await expect(own).toContainText('A rumour to post')

  await expect(page.getByText('2 waiting')).toBeVisible()
  const messages = page.getByRole('list', { name: 'Held messages' }).getByRole('listitem')
  await expect(messages.first()).toContainText('A rumour to post')
  await expect(messages.first()).toContainText('Has a word of the word list')
  expect(await violationsInThemes(page)).toEqual([])
  // By keyboard alone.
  await messages
    .first()
    .getByRole('button', { name: /^Post / })
    .focus()
  await page.keyboard.press('Enter')
  await expect(messages).toHaveCount(1)
  const log = author.getByRole('log')
  await expect(log.getByText('A rumour to post')).toBeVisible()
  await expect(own).not.toContainText('A rumour to post')
  await expect(page.getByRole('region', { name: 'Held messages' })).toBeFocused()
  await messages.getByRole('button', { name: /^Reject / }).click()
  await expect(page.getByText('No messages waiting')).toBeVisible()
  await expectToast(author, 'A message of yours was not posted')
  await expect(own).toHaveCount(0)
  await expect(log.getByText('A rumour to reject')).toHaveCount(0)
  await author.close()
})

test('an author is timed out with the decision until it is reversed', async ({ page, browser }) => {
  const [author, reporter] = [await signUp(web.url, 'quick'), await signUp(web.url, 'witness')]
  await report(reporter, await say(author, 'buy my tape'))
  const chatting = await openAs(browser, author, '/live?channel=test-card')
  await chatting.getByRole('button', { name: 'Chat', exact: true }).click()
  const line = chatting.getByRole('log').getByRole('listitem').filter({ hasText: 'buy my tape' })
  const field = chatting.getByRole('textbox', { name: 'Message', exact: true })
  await expect(field).toBeEnabled()

  await signInDirectly(page, web.url, moderator)
  await page.goto(`${web.url}/moderation`)
  await expect(page.getByRole('article')).toContainText('buy my tape')
  await page.getByRole('button', { name: 'Remove, and time out for a day' }).click()
  await expect(page.getByText('No reports waiting')).toBeVisible()
  await expect(line).toHaveCount(0)
  await expect(field).toHaveCount(0)

  const [decision] = (await clientOf(web.url, author.accessToken).call('GET /api/chat/decisions', {})).items
  await clientOf(web.url, author.accessToken).call('POST /api/chat/decisions/:id/appeal', {
    params: { id: decision!.id },
    body: { text: 'It is a free tape.' },
  })
  await page.getByRole('button', { name: 'Reverse decision' }).click()
  await expectToast(page, 'Decided', 'The author is notified.')
  await expect(line).toBeVisible()
  await expect(field).toBeEnabled()
  await chatting.close()
})

test('decided reports are listed, opened with the keyboard, and loaded page by page', async ({ page }) => {
  const author = await signUp(web.url, 'prolific')
  const reporters = [
    await signUp(web.url, 'first'),
    await signUp(web.url, 'second'),
    await signUp(web.url, 'third'),
  ]
  const api = clientOf(web.url, moderator.accessToken)
  for (let n = 0; n < 51; n += 1) {
    const reporter = reporters[Math.floor(n / 20)]!
    const { id } = await report(reporter, await say(author, `message ${n}`))
    await api.call('POST /api/chat/cases/:id/decision', { params: { id }, body: { decision: 'none' } })
  }
  await report(reporters[2]!, await say(author, 'still waiting'))

  await signInDirectly(page, web.url, moderator)
  await page.goto(`${web.url}/moderation?reports=decided`)
  const list = page.getByRole('list', { name: 'Reports' })
  const rows = list.getByRole('button', { expanded: false })
  await expect(rows).toHaveCount(50)
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(rows.filter({ hasText: 'message 0' })).toBeVisible()
  await page.keyboard.press('n')
  await expect(page.getByRole('article')).toContainText('message 50')
  await page.keyboard.press('n')
  await expect(page.getByRole('article')).toContainText('message 49')
  await expect(page.getByRole('article').getByRole('button')).toHaveCount(0)
  await page.keyboard.press('p')
  await expect(list.getByRole('button', { expanded: true })).toBeFocused()
  expect(await violationsInThemes(page)).toEqual([])

  await page.getByRole('radio', { name: 'Decided' }).press('ArrowRight')
  await page.keyboard.press(' ')
  await expect(page).toHaveURL(/reports=all$/)
  await rows.filter({ hasText: 'Waiting for a decision.' }).press('Enter')
  await page.getByRole('button', { name: 'No action' }).click()
  await expect(page.getByRole('article')).toContainText('The message stays.')
  await expect(list.getByRole('button', { expanded: true })).toBeFocused()
  await page.getByRole('radio', { name: 'Waiting' }).press(' ')
  await expect(page).toHaveURL(/moderation$/)
  await expect(page.getByText('No reports waiting')).toBeVisible()
})

test('the page is for moderators, and fits a phone', async ({ page, browser }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signInDirectly(page, web.url, moderator)
  await page.goto(`${web.url}/moderation`)
  for (const name of ['Word list', 'Held messages', 'Reports']) {
    await page.getByRole('tab', { name }).click()
    await expect(page.getByRole('tabpanel', { name })).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  }
  const stranger = await openAs(browser, viewer, '/moderation')
  await expect(stranger.getByText('Only moderators can moderate the chat.')).toBeVisible()
  await stranger.close()
})
