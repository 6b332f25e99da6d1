/// <reference lib="dom" />

import { testAdmin } from '@looptide/test-station/station'
import { expect, type Page } from '@playwright/test'
import { signInDirectly } from '../support/web-pages.ts'
import { test, useSharedStation } from '../support/web-station.ts'

const web = useSharedStation()

const testCard = (page: Page) => page.getByRole('article', { name: 'Test Card' })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Take over Test Card' })

/** The current programme of the Test Card channel, over HTTP. */
async function onAir(): Promise<{ block: string | undefined; title: string | undefined }> {
  const response = await fetch(`${web.url}/api/channels/test-card/now`)
  const { programmes, serverNowMs } = await response.json()
  const current = programmes.find(
    (one: { startsAtMs: number; endsAtMs: number }) =>
      one.startsAtMs <= serverNowMs && serverNowMs < one.endsAtMs,
  )
  return { block: current?.block?.name, title: current?.video?.title }
}

async function openForm(page: Page): Promise<void> {
  await testCard(page).getByRole('button', { name: 'Take over...' }).click()
  await expect(dialog(page)).toBeVisible()
}

test.beforeEach(async ({ page }) => {
  await signInDirectly(page, web.url, testAdmin)
  await page.goto(`${web.url}/takeover`)
})

test('an admin puts a video on the air until it is ended; the channel returns', async ({ page, browser }) => {
  const viewer = await browser.newPage()
  await viewer.goto(`${web.url}/live?channel=test-card`)
  await openForm(page)
  const choice = dialog(page).getByRole('list', { name: 'Videos to choose from' }).getByRole('button').first()
  await choice.click()
  await expect(dialog(page).getByRole('list', { name: 'Chosen videos' }).getByRole('listitem')).toHaveCount(1)
  await dialog(page).getByLabel('Title for viewers').fill('Breaking News')
  await dialog(page).getByText('When I end it').click()
  await dialog(page).getByRole('button', { name: 'Put on the air now' }).click()
  await expect(dialog(page)).toBeHidden()
  await expect(testCard(page)).toContainText('“Breaking News” is on, until you end it.')
  await expect.poll(onAir).toMatchObject({ block: 'Breaking News' })
  await testCard(page).getByRole('button', { name: 'End takeover' }).click()
  await page.getByRole('button', { name: 'Yes, end it' }).click()
  await expect(testCard(page)).toContainText('Its own programme is on.')
  await expect.poll(onAir).toMatchObject({ block: undefined, title: expect.stringMatching(/./) })
  await viewer.close()
})

test('a takeover is undone from its message', async ({ page }) => {
  const before = await onAir()
  await openForm(page)
  await dialog(page).getByRole('list', { name: 'Videos to choose from' }).getByRole('button').first().click()
  await dialog(page).getByText('When I end it').click()
  await dialog(page).getByRole('button', { name: 'Put on the air now' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Takeover Undone')).toBeVisible()
  await expect.poll(onAir).toMatchObject({ block: undefined, title: expect.stringMatching(/./) })
  expect(before.block).toBeUndefined()
})

test('several videos are chosen in order, and removed by a second press', async ({ page }) => {
  await openForm(page)
  const choices = dialog(page).getByRole('list', { name: 'Videos to choose from' }).getByRole('button')
  const chosen = dialog(page).getByRole('list', { name: 'Chosen videos' }).getByRole('listitem')
  await choices.nth(1).click()
  await choices.nth(0).click()
  await expect(chosen).toHaveText([/^1\./, /^2\./])
  for (const index of [0, 1]) await expect(choices.nth(index)).toHaveAttribute('aria-pressed', 'true')
  await choices.nth(1).click()
  await expect(choices.nth(1)).toHaveAttribute('aria-pressed', 'false')
  await expect(chosen).toHaveCount(1)
  const title = await choices.nth(0).locator('span span').first().textContent()
  await expect(chosen).toContainText(title ?? '')
})

test('the form names what is missing, and works by keyboard alone', async ({ page }) => {
  const opener = testCard(page).getByRole('button', { name: 'Take over...' })
  await expect(opener).toBeEnabled()
  await opener.focus()
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByLabel('Find a video')).toBeFocused()
  const submit = dialog(page).getByRole('button', { name: 'Put on the air now' })
  await submit.focus()
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByText('Choose at least one video.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await expect(opener).toBeFocused()
})
