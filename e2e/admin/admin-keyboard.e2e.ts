/// <reference lib="dom" />

import { randomUUID } from 'node:crypto'
import { withClient } from '@looptide/backing/database/set-up'
import { testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'
import { expect, type Locator, type Page } from '@playwright/test'
import { violationsInThemes } from '../support/accessibility.ts'
import { addVideos, startChannel } from '../support/channels.ts'
import { walkTo } from '../support/keys.ts'
import { libraryRows } from '../support/library.ts'
import { signIn, signUp } from '../support/people.ts'
import { expectToast, signInDirectly } from '../support/web-pages.ts'
import { test, useOwnStation } from '../support/web-station.ts'

const web = useOwnStation()

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first()

/** Moves the focus to a button with the arrow keys and presses it. */
async function press(page: Page, name: string, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await walkTo(page, button(page, name))
  await page.keyboard.press(key)
}

async function openSection(page: Page, title: string): Promise<void> {
  const link = page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: title })
  await walkTo(page, link)
  await page.keyboard.press('Enter')
  await expect(link).toHaveAttribute('aria-current', 'page')
}

test('the dashboard works by keyboard alone: add, program, reorder, restyle, ban, export', async ({
  page,
}) => {
  test.slow()
  await page.setViewportSize({ width: 1440, height: 900 })
  const token = await signIn(web.url, testAdmin.email, testAdmin.password)
  const viewer = await signUp(web.url, 'loud')
  const { profile } = await clientOf(web.url, viewer.accessToken).call('GET /api/me')
  const ids = await addVideos(web.url, token, ['Ann', 'Bob'])
  await startChannel(web.url, token, 'Keys', ids)
  web.youtube.set('keyboard001', { title: 'Typed In', channel: 'The Typists' })
  await signInDirectly(page, web.url, testAdmin)
  await page.goto(`${web.url}/admin`)

  await press(page, 'Add New Videos')
  await expect(page.getByLabel('Video URLs')).toBeFocused()
  await page.keyboard.type('https://youtu.be/keyboard001')
  await press(page, 'Add Videos')
  await expectToast(page, 'Videos added successfully')
  const box = page.getByRole('checkbox', { name: 'Select Typed In' })
  await expect(box).toBeVisible({ timeout: 30_000 })
  await walkTo(page, box)
  await page.keyboard.press('Space')
  await expect(box).toBeChecked()

  await openSection(page, 'Channel Manager')
  const playlists = page.getByRole('region', { name: 'Channel Playlist Manager' })
  const choice = playlists.getByLabel('Channel', { exact: true })
  await expect(choice).toContainText('Keys')
  await walkTo(page, choice)
  // One key: a list of choices takes another key that follows late for the first of another name.
  await page.keyboard.press('K')
  const rows = playlists.getByRole('button', { name: /^Remove:/ })
  await expect(rows).toHaveCount(2)
  await walkTo(page, playlists.getByRole('button', { name: 'Add Videos' }))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Find public videos')).toBeFocused()
  await page.keyboard.type('Typed In')
  const found = dialog.getByRole('checkbox')
  await expect(found).toHaveCount(1)
  await walkTo(page, found)
  await page.keyboard.press('Space')
  await expect(found).toBeChecked()
  await walkTo(page, dialog.getByRole('button', { name: 'Add to playlist' }))
  await page.keyboard.press('Enter')
  await expectToast(page, 'Video added to playlist')
  await expect(dialog).toBeHidden()
  await expect(playlists.getByRole('button', { name: 'Add Videos' })).toBeFocused()

  await expect(rows).toHaveCount(3)
  await walkTo(page, playlists.getByRole('button', { name: 'Drag to reorder: Typed In' }))
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Space')
  await expect(rows.nth(1)).toHaveAccessibleName('Remove: Typed In')
  await walkTo(page, playlists.getByRole('button', { name: 'Save', exact: true }))
  await page.keyboard.press('Enter')
  await expectToast(page, 'Playlist order updated')

  await openSection(page, 'User Management')
  await walkTo(page, page.getByLabel('Search users'))
  await page.keyboard.type(profile.handle ?? '')
  await press(page, `Ban ${profile.handle} from the site`)
  await expect(button(page, 'Cancel')).toBeFocused()
  await press(page, 'Ban from Site')
  await expectToast(page, 'User Banned', `${profile.handle} has been banned from the site.`)

  await openSection(page, 'Theme Settings')
  await walkTo(page, page.getByRole('button', { name: /^Ocean Blue/ }))
  await page.keyboard.press('Enter')
  await expectToast(page, 'Theme Applied')
  await press(page, 'Save Theme')
  await expectToast(page, 'Theme Saved')
  await expect(page.getByRole('button', { name: 'Save Theme' })).toBeFocused()

  await walkTo(page, page.getByRole('link', { name: 'Audit Log' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Audit Log' })).toBeVisible()
  const lines = page.getByRole('list', { name: 'Audit log' }).getByRole('listitem')
  await expect(lines.filter({ hasText: `banned ${profile.handle} from the site` }).first()).toBeVisible()
  const download = page.waitForEvent('download')
  await press(page, 'Export CSV')
  expect((await download).suggestedFilename()).toMatch(/\.csv$/)
})

test('the focus stays in the row when an action removes the button that started it', async ({ page }) => {
  const viewer = await signUp(web.url, 'vivid')
  const { profile } = await clientOf(web.url, viewer.accessToken).call('GET /api/me')
  const handle = profile.handle ?? ''
  await signInDirectly(page, web.url, testAdmin)
  await page.goto(`${web.url}/admin?tab=user-management`)
  await page.getByLabel('Search users').fill(handle)
  const ban = page.getByRole('button', { name: `Ban ${handle} from the site`, includeHidden: true })
  const remove = button(page, `Remove restriction: Site banned, ${handle}`)
  const neighbour = button(page, `Sign-in of ${handle}`)
  const confirm = button(page, 'Ban from Site')

  await ban.press('Enter')
  await confirm.press('Enter')
  await expect(ban).toHaveCount(0)
  await expect(neighbour).toBeFocused()
  await remove.press('Enter')
  await expect(remove).toHaveCount(0)
  await expect(ban).toBeFocused()

  // The list shows the ban before the dialog closes.
  await page.route('**/restrictions', async (route) => {
    const response = await route.fetch()
    await expect(ban).toHaveCount(0)
    await route.fulfill({ response })
  })
  await ban.press('Enter')
  await confirm.press('Enter')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(neighbour).toBeFocused()
})

/** Inserts videos called `Shelf 0001`, … into the library, without the requests of an import. */
async function fillShelf(count: number): Promise<void> {
  await withClient(web.station.databaseUrl, async (client) => {
    await client.query('set search_path to catalogue, public')
    await client.query(
      `insert into catalogue.videos (id, title, artist_name, artist_given, category, duration_ms, duration_assumed,
         video_url, is_public, metadata_status, created_at)
       select gen_random_uuid(), 'Shelf ' || to_char(n, 'FM0000'), 'The Archive', true, 'Classics', 180000, false,
         'https://media.example/' || n, true, 'resolved', now() - n * interval '1 minute'
       from generate_series(1, $1::int) n
       on conflict do nothing`,
      [count],
    )
  })
}

test('a channel, the theme, the home screen and a playlist are changed back from the audit log by keyboard alone', async ({
  page,
}) => {
  const token = await signIn(web.url, testAdmin.email, testAdmin.password)
  const client = clientOf(web.url, token)
  // Eight letters of an artist decide which video is added.
  const run = randomUUID().slice(0, 7)
  const name = `Undo ${run}`
  const [first, ...others] = await addVideos(web.url, token, [`A${run}`, `B${run}`, `C${run}`])
  const videoIds = [first!, ...others]
  const params = { id: await startChannel(web.url, token, name, videoIds) }
  const nameOf = async () =>
    (await client.call('GET /api/channels', {})).items.find(({ id }) => id === params.id)?.name
  const listed = async () => (await client.call('GET /api/channels/:id/playlist', { params })).items
  const onHome = async () => (await client.call('GET /api/curation', {})).items.map(({ videoId }) => videoId)
  const theme = await client.call('GET /api/theme')

  const { id } = await client.call('POST /api/curation', {
    body: { videoId: first!, sectionType: 'featured' },
  })
  await client.call('DELETE /api/curation/:id', { params: { id } })
  const [one, , three] = (await listed()).map((item) => item.id)
  await client.call('DELETE /api/channels/:id/playlist', { params, body: { itemIds: [one!, three!] } })
  await client.call('PUT /api/theme', { body: { ...theme, fontSize: 21 } })
  await client.call('PATCH /api/channels/:id', { params, body: { name: `${name}!` } })
  await until('the log has the changes', async () => {
    const { items } = await client.call('GET /api/audit', { query: { limit: 8 } })
    const actions = items.map(({ action }) => action)
    return ['home.remove', 'playlist.remove_many', 'theme.activate', 'channel.update'].every((action) =>
      actions.includes(action),
    )
  })

  await signInDirectly(page, web.url, testAdmin)
  await page.goto(`${web.url}/admin/audit`)
  const lines = page.getByRole('list', { name: 'Audit log' }).getByRole('listitem')
  const linesOf = (text: string) => lines.filter({ hasText: text })
  // Exact: the button for details has the whole sentence as its name.
  const undoOf = (line: Locator) => line.getByRole('button', { name: 'Undo', exact: true })
  /** Undoes the newest entry with this text. `above`: entries of the undo with the same text. */
  const undo = async (text: string, above: 0 | 1) => {
    await walkTo(page, undoOf(linesOf(text).first()))
    await page.keyboard.press('Enter')
    const undone = linesOf(text).nth(above)
    await expect(undone.getByText('Undone', { exact: true })).toBeVisible()
    await expect(undone.getByRole('button', { name: /^Details/ })).toBeFocused()
  }
  await undo(`removed 2 videos from ${name}`, 0)
  expect((await listed()).map(({ videoId }) => videoId)).toEqual(videoIds)
  await undo('from the home screen', 0)
  expect(await onHome()).toContain(first)
  await undo('changed the theme', 1)
  expect(await client.call('GET /api/theme')).toEqual(theme)
  await undo(`changed the channel ${name}`, 1)
  expect(await nameOf()).toBe(name)

  await test.step('an entry that was undone says so after a reload, and what was changed since stays as it is', async () => {
    await page.reload()
    for (const [text, above] of [
      [`removed 2 videos from ${name}`, 0],
      ['from the home screen', 0],
      ['changed the theme', 1],
      [`changed the channel ${name}`, 1],
    ] as const) {
      await expect(linesOf(text).nth(above).getByText('Undone', { exact: true })).toBeVisible()
    }
    await client.call('PATCH /api/channels/:id', { params, body: { name: 'Taken meanwhile' } })
    await expect(linesOf(`changed the channel ${name}`)).toHaveCount(3)
    await walkTo(page, undoOf(linesOf(`changed the channel ${name}`).nth(1)))
    await page.keyboard.press('Enter')
    await expectToast(page, 'Not undone', 'It was changed or removed since, and stays as it is.')
    expect(await nameOf()).toBe('Taken meanwhile')
  })

  await test.step('on a phone, the whole sentence is shown beside Undo', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    const entry = linesOf('from the home screen').filter({ hasText: 'Undone' }).first()
    await entry.scrollIntoViewIfNeeded()
    const sentence = entry.getByRole('paragraph')
    expect(await sentence.evaluate((text) => text.scrollHeight - text.clientHeight)).toBe(0)
  })

  await test.step('the names of users are not shown before they are loaded', async () => {
    const { promise: isAllowed, resolve: answer } = Promise.withResolvers<void>()
    await page.route('**/api/profiles/lookup**', async (route) => {
      await isAllowed
      await route.continue()
    })
    for (const path of ['/admin/audit', '/admin?tab=control-room']) {
      await page.goto(`${web.url}${path}`)
      await expect(page.getByText(`changed the channel ${name}`).first()).toBeVisible()
      await expect(page.getByText('Unknown user')).toHaveCount(0)
    }
    answer()
    const { profile } = await client.call('GET /api/me')
    const last = page.getByRole('list', { name: 'Last changes' })
    await expect(last.getByText(profile.handle!, { exact: true }).first()).toBeVisible()
    await page.unrouteAll({ behavior: 'wait' })
  })
})

test('more videos than fit in a batch are deleted, and restored by Undo', async ({ page }) => {
  await fillShelf(600)
  await signInDirectly(page, web.url, testAdmin)
  await page.goto(`${web.url}/admin`)
  const library = page.getByRole('region', { name: /^Video Library/ })
  await library.getByLabel('Search the library').fill('Shelf')
  await expect(library.getByRole('heading')).toHaveText('Video Library (600)')
  await library.getByRole('button', { name: 'Select All' }).click()
  await expect(library.getByText('600 selected')).toBeVisible()
  await library.getByRole('button', { name: 'Delete', exact: true }).click()
  const question = page.getByRole('dialog')
  await expect(question).toContainText('limited to 60 times an hour; every 500 videos count as one.')
  await question.getByRole('button', { name: 'Delete 600 videos' }).click()
  await expectToast(page, 'Videos deleted', '600 videos deleted.')
  await expect(library.getByRole('heading')).toHaveText('Video Library (0)')
  await page.getByRole('button', { name: 'Undo' }).focus()
  await page.keyboard.press('Enter')
  // The button leaves with its message, and the one that had the focus before is gone.
  await expect(page.getByRole('main')).toBeFocused()
  await expectToast(page, 'Videos restored', '600 videos restored.')
  await expect(library.getByRole('heading')).toHaveText('Video Library (600)')
})

test('a library of 5,000 videos scrolls, searches and selects with few rendered rows', async ({ page }) => {
  await fillShelf(5_000)
  await signInDirectly(page, web.url, testAdmin)
  await page.goto(`${web.url}/admin`)
  const library = page.getByRole('region', { name: /^Video Library/ })
  const rows = libraryRows(page)
  await test.step('Tab and Enter reach the first row, and keys lead to the sections', async () => {
    const { keyboard } = page
    await expect(rows.first()).toBeVisible()
    for (const key of ['Tab', 'Enter', 'Tab', 'Tab', 'Enter']) await keyboard.press(key)
    await expect(rows.first().getByRole('checkbox')).toBeFocused()
    await keyboard.press('Backspace')
    await keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Keys' })
    await expect(keys.getByRole('region', { name: 'Go to' })).toContainText('User Management')
    expect(await violationsInThemes(page), 'keys').toEqual([])
    await keyboard.press('Escape')
    await expect(keys).toBeHidden()
    // Sent together: two keys are a sequence only within a second and a half.
    const pressBoth = (...keys: [string, string]) => Promise.all(keys.map((key) => keyboard.press(key)))
    await pressBoth('g', 'u')
    const search = page.getByRole('region', { name: 'User Management' }).getByLabel('Search users')
    await search.focus()
    await keyboard.type('gl?')
    await expect(search).toHaveValue('gl?')
    await search.fill('')
    await keyboard.press('Escape')
    await expect(search).not.toBeFocused()
    await pressBoth('g', 'l')
    await expect(library).toBeVisible()
    await expect.poll(() => library.evaluate((shown) => document.activeElement?.contains(shown))).toBe(true)
    await library.getByLabel('Filter by category').focus()
    await keyboard.press('Escape')
    await expect(page.locator('body')).toBeFocused()
    await expect(library).toBeVisible()
  })
  await library.getByLabel('Filter by category').selectOption({ label: 'Classics' })
  await library.getByRole('button', { name: 'Title' }).click()
  await expect(library.getByRole('columnheader', { name: 'Title' })).toHaveAttribute('aria-sort', 'ascending')
  await expect(library.getByRole('heading')).toHaveText(/\(5,0\d\d\)/)

  // Scroll to the end while pages load, however long that takes.
  const scroller = library.getByRole('table', { name: 'Videos' }).locator('..')
  await scroller.evaluate(async (list) => {
    while (!list.textContent.includes('Shelf 5000')) {
      list.scrollTo(0, list.scrollHeight)
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
  })
  // On the way back, only visible rows are rendered.
  const maxRows = await scroller.evaluate(async (list) => {
    let max = 0
    for (let step = 40; step >= 0; step -= 1) {
      list.scrollTo(0, (list.scrollHeight * step) / 40)
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      max = Math.max(max, list.querySelectorAll('tbody tr').length)
    }
    return max
  })
  expect(maxRows).toBeLessThan(40)

  await library.getByRole('button', { name: 'Select All' }).click()
  await expect(library.getByText(/^5,0\d\d selected$/)).toBeVisible({ timeout: 30_000 })
  expect(await rows.count()).toBeLessThan(40)
  await expect(rows.first().getByRole('checkbox')).toBeChecked()
  await library.getByRole('button', { name: 'Clear All' }).click()
  await expect(library.getByText('0 selected')).toBeVisible()

  // The last title comes first after a second click, and the keys of the list reach it from anywhere on the page.
  await library.getByLabel('Search the library').fill('shelf')
  await library.getByRole('button', { name: 'Title' }).click()
  await expect(rows.first()).toContainText('Shelf 5000')
  await page.keyboard.press('j')
  await expect(rows.nth(0).getByRole('checkbox')).toBeFocused()
  await page.keyboard.press('x')
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await page.keyboard.press('Shift+X')
  await expect(library.getByText('2 selected')).toBeVisible()
  await page.keyboard.press('e')
  await expect(page.getByRole('dialog', { name: 'Edit video' }).getByLabel('Title')).toHaveValue('Shelf 4999')
  await page.keyboard.press('Escape')
  await expect(rows.nth(1).getByRole('checkbox')).toBeFocused()
  await page.keyboard.press('/')
  await page.keyboard.type(' 4321')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('Shelf 4321')

  // A column that is hidden stays so in this browser; its room is left to another.
  await library.getByRole('button', { name: 'Clear All' }).click()
  const headOf = (name: string) => library.getByRole('columnheader', { name })
  await expect(headOf('Views')).toBeVisible()
  await expect(headOf('Added')).toBeHidden()
  await library.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Views' }).click()
  await expect(headOf('Views')).toBeHidden()
  await page.reload()
  await expect(headOf('Added')).toBeVisible()
  await expect(headOf('Views')).toBeHidden()
})

test('more videos than a playlist holds are refused with the reason', async ({ page }) => {
  await fillShelf(10_001)
  await signInDirectly(page, web.url, testAdmin)
  await page.goto(`${web.url}/admin`)
  const library = page.getByRole('region', { name: /^Video Library/ })
  await library.getByLabel('Filter by category').selectOption({ label: 'Classics' })
  await expect(library.getByRole('heading')).toHaveText(/\(10,0\d\d\)/)
  await library.getByRole('button', { name: 'Select All' }).click()
  await expect(library.getByText(/^10,0\d\d selected$/)).toBeVisible()
  await library.getByRole('button', { name: 'Add to Live' }).click()
  await expectToast(page, 'Error adding to live playlist', 'A playlist holds at most 10000 videos.')
  // The list of channels is still being loaded when the dialog opens.
  const channels = Promise.withResolvers<void>()
  await page.route(/\/api\/channels(\?|$)/, async (route) => {
    await channels.promise
    await route.continue()
  })
  await library.getByRole('button', { name: 'Add to channel...' }).click()
  await expect(page.getByRole('dialog')).toContainText('Loading...')
  channels.resolve()
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(
    'A playlist holds at most 10000 videos.',
  )
})
