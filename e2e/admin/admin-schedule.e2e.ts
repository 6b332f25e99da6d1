/// <reference lib="dom" />

import type { PublishedSchedule, ScheduleDraft } from '@looptide/contracts/http/schedules'
import { testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { expect, type Page } from '@playwright/test'
import { violationsInThemes } from '../support/accessibility.ts'
import { addVideos, startChannel } from '../support/channels.ts'
import { dragBetween, dropAtOnce, longPressDrag } from '../support/drag.ts'
import { signIn, signUp } from '../support/people.ts'
import { block, column, expectSaved, openTab, pointAt, startSchedule } from '../support/schedule-page.ts'
import { expectToast, signInDirectly } from '../support/web-pages.ts'
import { test, useSharedStation } from '../support/web-station.ts'

const web = useSharedStation()

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const inDialog = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true })

/** A channel that is on the air, and the page of an admin. */
async function openChannel(page: Page, name: string): Promise<{ id: string; token: string }> {
  await page.setViewportSize({ width: 1366, height: 900 })
  const token = await signIn(web.url, testAdmin.email, testAdmin.password)
  const videos = await addVideos(web.url, token, ['Ann', 'Bob', 'Cid', 'Dee'])
  const id = await startChannel(web.url, token, name, videos)
  await signInDirectly(page, web.url, testAdmin)
  return { id, token }
}

const readDraft = (token: string, id: string): Promise<ScheduleDraft> =>
  clientOf(web.url, token).call('GET /api/channels/:id/schedule/draft', { params: { id } })

test('a schedule is started, previewed, published, restored and stopped', async ({ page }) => {
  const { id, token } = await openChannel(page, 'Day and Night')
  const published = (): Promise<PublishedSchedule> =>
    clientOf(web.url, token).call('GET /api/channels/:id/schedule', { params: { id } })

  await page.goto(`${web.url}/admin`)
  await page.getByRole('link', { name: 'Schedule', exact: true }).click()
  await expect(page).toHaveURL(`${web.url}/admin/schedule`)
  await page.getByLabel('Channel', { exact: true }).selectOption({ label: 'Day and Night' })
  await expect(page.getByRole('heading', { name: 'Day and Night repeats its playlist' })).toBeVisible()
  expect(await violationsInThemes(page), 'start').toEqual([])
  await button(page, 'Start with day and night').click()
  await expectSaved(page)

  await openTab(page, 'Preview')
  await page.getByLabel('Day', { exact: true }).fill('2027-03-05')
  await page.getByLabel('From', { exact: true }).fill('21:30')
  const programmes = page.getByRole('list', { name: 'Programmes' })
  await expect(programmes).toContainText('Friday, March 5, 2027')
  await expect(programmes).toContainText(/Day: (first|second|third|fourth) of four from playlist/)
  await expect(programmes).toContainText('Night: from library')
  await expect(page.getByText('This far ahead, the songs are only an example.')).toBeVisible()

  await button(page, 'Publish').click()
  await expect(inDialog(page, 'Publish')).toBeVisible()
  await expect(dialog(page)).toContainText('Added: block Day, block Night')
  await expect(dialog(page).getByRole('list', { name: 'After publishing' })).toContainText(/(Day|Night): /)
  // However much changes, the button is in view without scrolling.
  await expect(inDialog(page, 'Publish')).toBeInViewport({ ratio: 1 })
  await expect(dialog(page).getByLabel('Note (optional)')).toBeFocused()
  await expect(dialog(page).getByLabel('Note (optional)')).toBeInViewport({ ratio: 1 })
  await dialog(page).getByLabel('Note (optional)').fill('Calm nights')
  await inDialog(page, 'Publish').click()
  await expectToast(page, 'Version 1 is published', 'On the air from')
  await expect(page.getByText('Version 1 is on the air.')).toBeVisible()
  await expect(page.getByText('The draft has no changes.')).toBeVisible()
  await expect(button(page, 'Publish')).toBeDisabled()
  await expect(button(page, 'Publish'), 'the focus is where it came from').toBeFocused()
  expect((await published()).version).toBe(1)

  await openTab(page, 'Versions')
  await expect(page.getByRole('list', { name: 'Versions' })).toContainText('Calm nights')
  await button(page, 'View version 1').click()
  await expect(dialog(page)).toContainText('Night: every day 10:00 PM–6:00 AM, library')
  await page.keyboard.press('Escape')
  await button(page, 'Stop using the schedule').click()
  await inDialog(page, 'Stop using the schedule').click()
  await expectToast(page, 'The channel repeats its playlist again')
  expect((await published()).version).toBe(0)

  await expect(page.getByRole('heading', { name: 'Day and Night repeats its playlist' })).toBeVisible()
  await button(page, 'Restore version 1').click()
  await inDialog(page, 'Publish version 1 again').click()
  await expectToast(page, 'Version 1 is published again, as version 2')
  await expect(page.getByText('Version 2 is on the air.')).toBeVisible()
})

test('blocks are drawn, moved and resized by mouse, keyboard and touch, and undone', async ({ page }) => {
  const { id } = await openChannel(page, 'Grid')
  await startSchedule(page, web.url, id, 'Start a schedule')

  // Draw by mouse, move to another day and time, resize at the end.
  const end = await pointAt(page, 'Monday', 11.9)
  await dragBetween(page, await pointAt(page, 'Monday', 10.1), end)
  await expect(dialog(page).getByLabel('From')).toHaveValue('10:00')
  await dialog(page).getByLabel('Name').fill('Show')
  await inDialog(page, 'Add block').click()
  await expect(block(page, 'Show', 'Monday')).toHaveAccessibleName(/10:00 AM–12:00 PM/)
  const wednesday = await pointAt(page, 'Wednesday', 12)
  await dragBetween(page, await pointAt(page, 'Monday', 11), wednesday)
  await expect(block(page, 'Show', 'Wednesday')).toHaveAccessibleName(/11:00 AM–1:00 PM/)
  const later = await pointAt(page, 'Wednesday', 14.02)
  await dragBetween(page, await pointAt(page, 'Wednesday', 12.97), later)
  await expect(block(page, 'Show', 'Wednesday')).toHaveAccessibleName(/11:00 AM–2:00 PM/)

  // By keyboard: a day later, 15 minutes earlier, 15 minutes longer. The block keeps the focus.
  await block(page, 'Show', 'Wednesday').focus()
  await page.keyboard.press('ArrowRight')
  await expect(block(page, 'Show', 'Thursday')).toBeFocused()
  await page.keyboard.press('Control+z')
  await expect(block(page, 'Show', 'Wednesday')).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(block(page, 'Show', 'Thursday')).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(block(page, 'Show', 'Thursday')).toHaveAccessibleName(/10:45 AM–1:45 PM/)
  await page.keyboard.press('Shift+ArrowDown')
  await expect(block(page, 'Show', 'Thursday')).toHaveAccessibleName(/10:45 AM–2:00 PM/)

  // A finger scrolls the page; after a long press it drags.
  const lower = await pointAt(page, 'Thursday', 13)
  await longPressDrag(page, await pointAt(page, 'Thursday', 12), lower)
  await expect(block(page, 'Show', 'Thursday')).toHaveAccessibleName(/11:45 AM–3:00 PM/)

  await button(page, 'Undo').click()
  await expect(block(page, 'Show', 'Thursday')).toHaveAccessibleName(/10:45 AM–2:00 PM/)
  await button(page, 'Redo').click()
  await expect(block(page, 'Show', 'Thursday')).toHaveAccessibleName(/11:45 AM–3:00 PM/)
  for (const redo of ['Control+Shift+Z', 'Control+y']) {
    await page.keyboard.press('Control+z')
    await expect(block(page, 'Show', 'Thursday')).toHaveAccessibleName(/10:45 AM–2:00 PM/)
    await page.keyboard.press(redo)
    await expect(block(page, 'Show', 'Thursday')).toHaveAccessibleName(/11:45 AM–3:00 PM/)
  }
  await page.keyboard.press('?')
  await expect(dialog(page).getByRole('region', { name: 'Schedule' })).toContainText('UndoCtrl+Z')
  await expect(dialog(page).getByRole('region', { name: 'Focused block' })).toContainText('Move by a day←→')
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Escape')
  await openTab(page, 'Rules')
  await page.getByLabel('Excluded artists').first().press('Control+z')
  await openTab(page, 'Week')
  await expect(block(page, 'Show', 'Thursday'), 'a field has its own undo').toHaveAccessibleName(
    /11:45 AM–3:00 PM/,
  )

  const dayPx = (await column(page, 'Thursday').boundingBox())?.height ?? 0
  await dropAtOnce(page, block(page, 'Show', 'Thursday'), 0, dayPx / 24)
  await expect(block(page, 'Show', 'Thursday')).toHaveAccessibleName(/12:45 PM–4:00 PM/)

  // A block over midnight is shown on both days.
  await block(page, 'Show', 'Thursday').click()
  await dialog(page).getByLabel('From').fill('22:00')
  await dialog(page).getByLabel('To', { exact: true }).fill('02:00')
  await expect(dialog(page).getByText('Ends on the next day.')).toBeVisible()
  await inDialog(page, 'Save block').click()
  await expect(column(page, 'Friday').getByText('Show')).toBeVisible()

  await block(page, 'Show', 'Thursday').focus()
  await page.keyboard.press('Backspace')
  await expect(block(page, 'Show', 'Thursday')).toHaveCount(0)

  // Tab leaves the toast instead of returning to the previous control.
  const message = page.getByRole('region', { name: /^Messages/ }).getByRole('listitem')
  await button(page, 'Copy Monday').focus()
  await message.filter({ hasText: 'Block removed' }).focus()
  await expect(message).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(message).not.toBeFocused()
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).not.toBe(
    'Copy Monday',
  )
  await expectSaved(page)
})

test('a phone shows the week as a list with the same functions', async ({ page }) => {
  const { id, token } = await openChannel(page, 'Phone')
  await page.setViewportSize({ width: 390, height: 844 })
  await startSchedule(page, web.url, id, 'Start with day and night')
  const monday = page.getByRole('region', { name: 'Monday', exact: true })
  await expect(monday.getByRole('listitem')).toContainText([/Night.*since Sunday/, /Day/, /Night/])

  await monday.getByRole('button', { name: 'Remove Day on Monday' }).click()
  await monday.getByRole('button', { name: 'Add block on Monday' }).click()
  await dialog(page).getByLabel('Name').fill('Monday Show')
  await inDialog(page, 'Add block').click()
  await button(page, 'Copy Monday').click()
  await expect(dialog(page).getByRole('status')).toHaveText(/^Removed from these days:.*Day \(Tue/)
  await inDialog(page, 'Copy').click()
  const tuesday = page.getByRole('region', { name: 'Tuesday', exact: true })
  await expect(tuesday.getByRole('listitem')).toContainText([/Night/, /Monday Show/, /Night/])
  await tuesday.getByRole('button', { name: 'Edit Monday Show' }).click()
  await dialog(page).getByLabel('From').fill('19:00')
  await inDialog(page, 'Save block').click()
  await expect(tuesday.getByRole('listitem').nth(1)).toContainText('7:00 PM–10:00 PM')

  await expectSaved(page)
  const draft = await readDraft(token, id)
  expect(draft.document?.blocks?.map(({ name, days }) => `${name} ${days.join()}`)).toEqual([
    'Day sat,sun',
    'Night mon,tue,wed,thu,fri,sat,sun',
    'Monday Show mon,tue,wed,thu,fri',
  ])
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})

test('clocks and sources are edited with live counts', async ({ page }) => {
  const { id, token } = await openChannel(page, 'Sources')
  await startSchedule(page, web.url, id, 'Start with day and night')

  await openTab(page, 'Sources')
  await button(page, 'Add source').click()
  await dialog(page).getByLabel('Name').fill('Only Ann')
  await expect(dialog(page).getByText('Saved as Only-Ann')).toBeVisible()
  await dialog(page).getByLabel('Artists', { exact: true }).fill('ann')
  const matches = dialog(page).getByRole('region', { name: 'Matching videos' })
  await expect(matches.getByRole('status')).toHaveText(/^1 video, /)
  await expect(matches.getByRole('listitem')).toContainText(['Ann'])
  await dialog(page).getByLabel('Words in title or artist').fill('no such song')
  await expect(matches.getByRole('status')).toHaveText('No matching videos')
  await dialog(page).getByLabel('Words in title or artist').fill('')
  await inDialog(page, 'Add source').click()

  await openTab(page, 'Clocks')
  await button(page, 'Edit day').click()
  const slots = dialog(page).getByRole('list', { name: 'Slots' }).getByRole('listitem')
  await expect(slots).toHaveCount(3)
  await inDialog(page, 'Remove slot 3').press('Enter')
  await expect(inDialog(page, 'Remove slot 2')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog(page).filter({ hasText: 'Discard changes?' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(slots).toHaveCount(2)
  await inDialog(page, 'Add videos').press('Enter')
  await expect(slots.nth(2)).toBeInViewport({ ratio: 1 })
  await expect(inDialog(page, 'Add videos')).toBeInViewport({ ratio: 1 })
  await inDialog(page, 'Close').click()
  await inDialog(page, 'Discard Changes').click()
  await expect(dialog(page)).toHaveCount(0)
  await button(page, 'Edit day').click()
  await expect(slots).toHaveCount(3)
  await inDialog(page, 'Add videos').click()
  await slots.nth(3).getByLabel('Source').selectOption('Only-Ann')
  await inDialog(page, 'Move slot 4 up').click()
  await slots.nth(2).getByLabel('Length').selectOption({ label: 'Duration' })
  await expect(dialog(page).getByText('About 34 min, then repeats')).toBeVisible()
  await slots.nth(1).getByLabel('Source').selectOption('Requests by turns')
  await expect(inDialog(page, 'Save clock')).toBeInViewport({ ratio: 1 })
  await inDialog(page, 'Save clock').click()
  const clock = page.getByRole('list', { name: 'Clocks' }).getByRole('listitem').first()
  await expect(clock).toContainText('Only-Ann for 15 min')
  await expect(clock).toContainText('× Requests by turns')

  // A source that is used is renamed wherever it is used, and cannot be deleted.
  await openTab(page, 'Sources')
  await button(page, 'Edit Only-Ann').click()
  await expect(inDialog(page, 'Delete')).toBeDisabled()
  await dialog(page).getByLabel('Name').fill('Ann')
  await inDialog(page, 'Save source').click()
  await expectSaved(page)
  const { document } = await readDraft(token, id)
  expect(document?.clocks?.day?.[2]).toEqual({ source: 'Ann', durationMs: 900_000 })
  expect(document?.sources?.Ann).toEqual({ kind: 'smart', where: { artists: ['ann'] }, order: 'shuffle' })

  // A followed list becomes a source, whose count grows as soon as its videos have arrived.
  for (const id of ['followed001', 'followed002']) web.youtube.set(id, { title: id, channel: 'The Mixers' })
  web.youtube.setPlaylist('PLsource', ['followed001', 'followed002'], { title: 'Weekly Mix' })
  await button(page, 'Follow a YouTube list').click()
  await dialog(page).getByLabel('Playlist or channel URL').fill('youtube.com/playlist?list=PLsource')
  await expect(dialog(page).getByText('Weekly Mix, 2 videos')).toBeVisible()
  await dialog(page).getByText('Library', { exact: true }).click()
  await inDialog(page, 'Follow').click()
  await expectToast(page, 'List followed', 'The source Weekly-Mix plays its videos.')
  // While the source has no videos, a problem listed inside it contains its name, too.
  const source = page
    .getByRole('list', { name: 'Sources' })
    .getByRole('listitem')
    .filter({ has: button(page, 'Edit Weekly-Mix') })
  await expect(source).toContainText('tag Weekly Mix')
  await expect(source).toContainText('2 videos, ', { timeout: 30_000 })
})

test('a clash is named with its hours, blocks the publication, and is ended by one button', async ({
  page,
}) => {
  const { id } = await openChannel(page, 'Problems')
  await startSchedule(page, web.url, id, 'Start with day and night')
  const clashes = page.getByRole('region', { name: / to fix before publishing$/ })
  const extendDay = async () => {
    await block(page, 'Day', 'Monday').click()
    await dialog(page).getByLabel('To', { exact: true }).fill('23:00')
    await inDialog(page, 'Save block').click()
    await expect(clashes).toContainText('Day (6:00 AM–11:00 PM) overlaps Night (10:00 PM–6:00 AM) every day.')
  }
  await extendDay()
  await clashes.getByRole('button', { name: 'Cancel' }).click()
  await expect(clashes).toHaveCount(0)
  await expect(block(page, 'Day', 'Monday')).toHaveAccessibleName(/6:00 AM–10:00 PM/)

  await extendDay()
  const summary = page.getByRole('region', { name: '1 problem to fix before publishing' })
  await expect(button(page, 'Publish')).toBeDisabled()
  await expect(block(page, 'Night', 'Monday')).toHaveAccessibleName(/has a problem$/)
  await expect(page.getByText(/ overlaps /), 'it is said once').toHaveCount(1)
  expect(await violationsInThemes(page), 'problems').toEqual([])
  await openTab(page, 'Preview')
  await expect(page.getByText('Where blocks overlap, the one that starts later is on.')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Programmes' })).toContainText(/(Day|Night): /)
  await summary.getByRole('button', { name: 'Week' }).click()
  await clashes.getByRole('button', { name: 'Start Night at 11:00 PM' }).click()
  await expect(block(page, 'Night', 'Monday')).toHaveAccessibleName(/11:00 PM–6:00 AM/)
  await expect(clashes).toHaveCount(0)

  // A week without free hours.
  await button(page, 'Add block').click()
  await dialog(page).getByLabel('Name').fill('Late Lounge')
  await inDialog(page, 'Add block').click()
  await expect(clashes).toContainText('Late Lounge (8:00 PM–10:00 PM) overlaps Day (6:00 AM–11:00 PM)')
  await clashes.getByRole('button', { name: 'Shorten Day to 8:00 PM' }).click()
  await expect(block(page, 'Day', 'Monday')).toHaveAccessibleName(/6:00 AM–8:00 PM/)
  await expect(summary).toHaveCount(0)
  await expect(button(page, 'Publish')).toBeEnabled()

  // The first free hours.
  await button(page, 'Add block').click()
  await expect(dialog(page).getByLabel('From')).toHaveValue('22:00')
  await expect(dialog(page).getByLabel('To', { exact: true })).toHaveValue('23:00')
})

test('changes that cannot be saved are kept in the browser and saved later', async ({ page }) => {
  const { id, token } = await openChannel(page, 'Offline')
  await startSchedule(page, web.url, id, 'Start with day and night')
  await page.route('**/schedule/draft', (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.continue(),
  )
  await block(page, 'Day', 'Monday').focus()
  await page.keyboard.press('Delete')
  await expect(page.getByText(/^Not saved: the station is not responding/)).toBeVisible()
  expect((await readDraft(token, id)).document?.blocks?.[0]?.days).toContain('mon')

  await page.goto(`${web.url}/admin`)
  const unsaved = page.getByRole('link', { name: 'Offline schedule' })
  await expect(unsaved).toBeVisible()
  await page.unroute('**/schedule/draft')
  await unsaved.click()
  await expectSaved(page)
  await expect.poll(async () => (await readDraft(token, id)).document?.blocks?.[0]?.days).not.toContain('mon')
})

test('a draft that another admin has changed is merged or overwritten', async ({ page }) => {
  const { id, token } = await openChannel(page, 'Conflict')
  const mara = await signUp(web.url, 'mara')
  await clientOf(web.url, token).call('PUT /api/users/:id/role', {
    params: { id: mara.id },
    body: { role: 'admin' },
  })
  const maraToken = await signIn(web.url, mara.email, mara.password)
  await startSchedule(page, web.url, id, 'Start with day and night')

  const notice = page.getByRole('region', { name: 'Another admin has changed this schedule.' })
  const conflict = async (name: string, removedOn: string) => {
    // Mara saves while the request of this page is on its way.
    let hasSaved = false
    await page.route('**/schedule/draft', async (route) => {
      if (hasSaved || route.request().method() !== 'PUT') return route.continue()
      hasSaved = true
      const { document } = await readDraft(maraToken, id)
      const show = { id: name, name, at: '2027-01-01T20:00', durationMs: 3_600_000, source: 'library' }
      await clientOf(web.url, maraToken).call('PUT /api/channels/:id/schedule/draft', {
        params: { id },
        body: {
          ...document,
          specials: [show],
        },
      })
      await route.continue()
    })
    await block(page, 'Day', removedOn).focus()
    await page.keyboard.press('Delete')
    await expect(notice).toContainText(/Changed by @mara/i)
    await expect(notice).toContainText(`Added: special ${name}`)
  }

  await conflict('Gala', 'Monday')
  expect(await violationsInThemes(page), 'conflict').toEqual([])
  await notice.getByRole('button', { name: 'Merge' }).click()
  await expect(notice).toBeHidden()
  await expectSaved(page)
  const merged = (await readDraft(token, id)).document
  expect(merged?.specials?.map(({ name }) => name)).toEqual(['Gala'])
  expect(merged?.blocks?.[0]?.days).not.toContain('mon')

  await conflict('Ball', 'Tuesday')
  await notice.getByRole('button', { name: 'Overwrite' }).click()
  await expect(notice).toBeHidden()
  await expectSaved(page)
  const overwritten = (await readDraft(token, id)).document
  expect(overwritten?.specials?.map(({ name }) => name)).toEqual(['Gala'])
  expect(overwritten?.blocks?.[0]?.days).not.toContain('tue')
})
