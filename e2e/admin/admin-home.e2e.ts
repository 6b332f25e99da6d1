/// <reference lib="dom" />

import type { VideoPage } from '@looptide/contracts/http/videos'
import { testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { expect, type Page } from '@playwright/test'
import { violationsInThemes } from '../support/accessibility.ts'
import { dragBy, dropAtOnce } from '../support/drag.ts'
import { signIn, signUp } from '../support/people.ts'
import { resting } from '../support/resting.ts'
import { expectToast, holdToast, signInDirectly } from '../support/web-pages.ts'
import { test, useOwnStation } from '../support/web-station.ts'

const web = useOwnStation()

const section = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })
const rows = (page: Page, title: string) => section(page, title).getByRole('listitem')

/** Finds a video with the search and adds it to a section. */
async function addToHome(page: Page, title: string, label: string, categoryName?: string): Promise<void> {
  await page.getByLabel('Find a video').fill(title)
  const choices = page.getByRole('list', { name: 'Videos to choose from' }).getByRole('button')
  await expect(choices).toHaveCount(1)
  await choices.filter({ hasText: title }).click()
  await page.getByLabel('Section', { exact: true }).selectOption({ label })
  if (categoryName) await page.getByLabel('Category name').fill(categoryName)
  await page.getByRole('button', { name: 'Add to Home Screen' }).click()
}

test('a viewer sees changes of the home screen without a reload', async ({ page, browser }) => {
  const viewer = await browser.newPage()
  await signInDirectly(viewer, web.url, await signUp(web.url, 'homely'))
  await viewer.goto(web.url)
  await expect(section(viewer, 'All Videos')).toBeVisible()
  await viewer.evaluate(() => Object.assign(window, { isSamePage: true }))

  await signInDirectly(page, web.url, testAdmin)
  await page.goto(`${web.url}/admin?tab=home-screen`)
  await expect(page.getByRole('heading', { name: 'Hero (1 video max)' })).toBeVisible()
  await page.getByRole('button', { name: 'Add to Home Screen' }).click()
  await expectToast(page, 'Missing Information', 'Please select a video and section type')

  await addToHome(page, 'Thriller', 'Hero (1 video max)')
  await expectToast(page, 'Success', 'Video added to home screen')
  const highlights = viewer.getByRole('region', { name: 'Highlights' })
  await expect(highlights.getByRole('button', { name: 'Highlight 1: Thriller' })).toBeVisible()
  const preview = page.getByRole('list', { name: 'Preview of Highlights' })
  await expect(preview.getByRole('listitem').first()).toContainText('Selected: Thriller')

  for (const title of ['Billie Jean', 'Bohemian Rhapsody', 'Take On Me'])
    await addToHome(page, title, 'Category', 'Our Classics')
  const category = rows(page, 'Our Classics')
  await expect(category).toHaveCount(3)
  const shown = section(viewer, 'Our Classics').getByRole('listitem')
  await expect(shown).toContainText([/Billie Jean/, /Bohemian Rhapsody/, /Take On Me/])

  // By button, by position field and by mouse.
  await category
    .nth(1)
    .getByRole('button', { name: /^Move Bohemian Rhapsody.* up$/ })
    .press('Enter')
  await expectToast(page, 'Success', 'Position updated')
  await expect(shown).toContainText([/Bohemian Rhapsody/, /Billie Jean/, /Take On Me/])
  await category.nth(2).getByRole('textbox').fill('1')
  await category.nth(2).getByRole('textbox').press('Enter')
  await expect(shown).toContainText([/Take On Me/, /Bohemian Rhapsody/, /Billie Jean/])
  await expect(category).toContainText([/Take On Me/, /Bohemian Rhapsody/, /Billie Jean/])
  const height = (await category.first().boundingBox())?.height ?? 0
  const handle = (index: number) => category.nth(index).getByTitle('Drag to reorder')
  await dropAtOnce(page, handle(0), 0, 1.5 * height)
  await expect(shown).toContainText([/Bohemian Rhapsody/, /Take On Me/, /Billie Jean/])
  await expect(category).toContainText([/Bohemian Rhapsody/, /Take On Me/, /Billie Jean/])
  await dragBy(page, handle(1), 0, 1.5 * height)
  await expect(shown).toContainText([/Bohemian Rhapsody/, /Billie Jean/, /Take On Me/])

  await category.nth(1).getByRole('switch').click()
  await expect(category.nth(1).getByText('Inactive')).toBeVisible()
  await expect(shown).toHaveCount(2)
  await category
    .first()
    .getByRole('button', { name: /^Remove/ })
    .click()
  await expectToast(page, 'Success', 'Video removed from home screen')
  await holdToast(page, 'Video removed from home screen')
  await expect(shown).toHaveCount(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(category).toHaveCount(3)
  await expect(category.first()).toContainText('Bohemian Rhapsody')
  await expect(shown).toContainText([/Bohemian Rhapsody/, /Take On Me/])
  expect(await viewer.evaluate(() => 'isSamePage' in window)).toBe(true)

  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expectToast(page, 'Home Screen Saved')
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(category.first()).toBeVisible()
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  expect(await violationsInThemes(page)).toEqual([])
  await viewer.close()
})

test('a move based on an old order is refused, shows what another admin changed, and can be repeated', async ({
  page,
}) => {
  const token = await signIn(web.url, testAdmin.email, testAdmin.password)
  const mara = await signUp(web.url, 'mara')
  await clientOf(web.url, token).call('PUT /api/users/:id/role', {
    params: { id: mara.id },
    body: { role: 'admin' },
  })
  const maraToken = await signIn(web.url, mara.email, mara.password)
  const cleo = await signUp(web.url, 'cleo')
  await clientOf(web.url, token).call('PUT /api/users/:id/role', {
    params: { id: cleo.id },
    body: { role: 'curator' },
  })
  const { items: videos }: VideoPage = await clientOf(web.url, token).call('GET /api/videos', {
    query: { limit: 3 },
  })
  const [first, second, third] = videos
  const ids: string[] = []
  for (const { id: videoId } of videos) {
    const body = { videoId, sectionType: 'category', sectionName: 'Shared' } as const
    ids.push((await clientOf(web.url, token).call('POST /api/curation', { body })).id)
  }
  // The page loads the order once. It is notified of the other admin's change, but every reload is slow.
  const slow = Promise.withResolvers<void>()
  let loads = 0
  await page.route('**/api/curation', async (route) => {
    loads += 1
    if (loads > 1) await slow.promise
    await route.continue()
  })
  // A curator, who may not read the audit log.
  await signInDirectly(page, web.url, cleo)
  await page.goto(`${web.url}/admin?tab=home-screen`)
  const shared = rows(page, 'Shared')
  await expect(shared).toContainText([first!.title, second!.title, third!.title])

  await clientOf(web.url, maraToken).call('PATCH /api/curation/:id', {
    params: { id: ids[2]! },
    body: { position: 1 },
  })
  const refused = page.waitForResponse((response) => response.status() === 412)
  await shared
    .nth(1)
    .getByRole('button', { name: /^Move .* up$/ })
    .click()
  await refused
  slow.resolve()

  // In the place of the buttons of the video that was not moved.
  const notice = shared.getByRole('region', { name: 'Another admin has changed the home screen.' })
  await expect(notice).toBeFocused()
  await expect(notice).toContainText(/Changed by @mara/i)
  await expect(notice).toContainText(`Moved: ${third!.title}`)
  await expect(shared).toContainText([third!.title, first!.title, second!.title])
  expect(await violationsInThemes(page), 'conflict').toEqual([])
  await notice.getByRole('button', { name: 'Move anyway' }).click()
  await expectToast(page, 'Success', 'Position updated')
  await expect(notice).toBeHidden()
  await expect(shared).toContainText([second!.title, third!.title, first!.title])
})

test('a page layout is edited by mouse and keyboard and survives a reload', async ({ page }) => {
  await signInDirectly(page, web.url, testAdmin)
  await page.goto(`${web.url}/admin?tab=home-screen`)
  await page.getByRole('link', { name: 'Page Editor' }).click()
  const layout = page.getByRole('list', { name: 'Page', exact: true })
  for (const type of ['text', 'image', 'button', 'container']) {
    await page.getByRole('button', { name: `Add ${type}` }).click()
  }
  await expectToast(page, 'Element Added')
  await expect(layout.getByRole('button')).toHaveCount(4)

  // Text: markup stays text; size, position and stacking order.
  const elements = page.getByRole('list', { name: /^Elements/ })
  await elements.getByRole('button', { name: 'Text 1: New text', exact: true }).click()
  const text = layout.getByRole('button', { name: /^Text/ })
  await page.getByLabel('Text', { exact: true }).fill('<img src=x onerror=alert(1)>')
  await expect(text).toHaveText('<img src=x onerror=alert(1)>')
  await page.getByRole('slider', { name: 'Font size' }).fill('48')
  await expect(text.locator('span')).toHaveCSS('font-size', '48px')
  await page.getByLabel('Left').fill('600')
  await page.getByLabel('Left').press('Enter')
  await expect(page.getByLabel('Left')).toHaveValue('600')
  await elements.getByRole('button', { name: /^Bring Text 1/ }).click()
  await expect(layout.getByRole('button', { name: /^Text 2/ })).toBeVisible()
  await page.getByRole('button', { name: 'Undo', exact: true }).first().click()
  await expect(layout.getByRole('button', { name: /^Text 1/ })).toBeVisible()

  // Drag: by mouse, by arrow keys, with Shift to resize; one drag is one undo step.
  await page.getByText('Drag', { exact: true }).click()
  await dragBy(page, layout.getByRole('button', { name: /^Container/ }), 80, 60)
  const left = page.getByLabel('Left')
  await expect(left).not.toHaveValue('152')
  const dragged = await resting(async () => Number(await left.inputValue()))
  expect(dragged).toBeGreaterThan(152)
  const container = layout.getByRole('button', { name: /^Container/ })
  await container.press('ArrowRight')
  await expect(left).toHaveValue(String(dragged + 8))
  await container.press('Shift+ArrowDown')
  await expect(page.getByLabel('Height')).toHaveValue('278')
  for (let step = 0; step < 3; step += 1) await container.press('Control+z')
  await expect(left).toHaveValue('152')
  await dragBy(page, layout.getByTitle('Drag to resize'), 60, 40)
  await expect.poll(async () => Number(await page.getByLabel('Width').inputValue())).toBeGreaterThan(480)
  await container.press('Escape')
  await expect(page.getByRole('radio', { name: 'Select' })).toBeChecked()

  // Only https URLs; a deleted element is restored by Undo.
  await elements.getByRole('button', { name: /^Image/ }).click()
  await page.getByLabel('Image URL').fill('javascript:alert(1)')
  await expect(page.getByText('Please enter an https URL')).toBeVisible()
  await page.getByRole('button', { name: 'Delete Element' }).click()
  await expectToast(page, 'Element Deleted')
  await expect(layout.getByRole('button')).toHaveCount(3)
  await page
    .getByRole('region', { name: /^Messages/ })
    .getByRole('button', { name: 'Undo' })
    .click()
  await expect(layout.getByRole('button')).toHaveCount(4)
  expect(await violationsInThemes(page)).toEqual([])

  // Saved per page in this browser; a full storage is reported.
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
  })
  await page.getByRole('button', { name: 'Save Layout' }).click()
  await expectToast(page, 'Error', 'Failed to save page layout')
  // Unsaved changes are kept as a draft until they are discarded.
  await page.reload()
  await expect(layout.getByRole('button')).toHaveCount(4)
  await expect(page.getByText('Unsaved changes restored.')).toBeVisible()
  await expect(page.getByText('Unsaved: Home Page layout')).toBeVisible()
  await page.getByRole('button', { name: 'Discard Changes' }).click()
  await expect(page.getByText('This page is empty')).toBeVisible()
  await expect(page.getByText('Unsaved: Home Page layout')).toBeHidden()
  await page.getByRole('button', { name: 'Add button' }).click()
  await page.getByRole('button', { name: 'Save Layout' }).click()
  await expectToast(page, 'Layout Saved')
  await page.getByRole('combobox', { name: 'Page', exact: true }).selectOption({ label: 'Live TV Page' })
  await expect(layout.getByRole('button')).toHaveCount(0)
  await page.reload()
  await expect(layout.getByRole('button', { name: /^Button 1/ })).toBeVisible()
  await page.getByText('Preview', { exact: true }).click()
  await expect(page.getByRole('list', { name: 'Page preview' })).toContainText('New button')
  await expect(layout).toBeHidden()
})
