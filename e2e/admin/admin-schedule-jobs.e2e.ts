/// <reference lib="dom" />

import type { ChannelLog } from '@looptide/contracts/http/log'
import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'
import { expect, type Locator, type Page } from '@playwright/test'
import { violations } from '../support/accessibility.ts'
import { Actions } from '../support/actions.ts'
import { addVideos, startChannel, youtubeIdFor } from '../support/channels.ts'
import { signIn } from '../support/people.ts'
import { block, column, expectSaved, openTab, pointAt } from '../support/schedule-page.ts'
import { publishSchedule } from '../support/schedules.ts'
import { signInDirectly } from '../support/web-pages.ts'
import { test, useSharedStation } from '../support/web-station.ts'

const web = useSharedStation()
let token: string
let videos: string[]
/** One page for all jobs: each has a channel of its own, and loading the page takes longer than most jobs. */
let page: Page

test.beforeAll(async ({ browser }) => {
  token = await signIn(web.url, testAdmin.email, testAdmin.password)
  videos = await addVideos(web.url, token, ['Ann', 'Bob', 'Cid', 'Dee'])
  page = await browser.newPage({ viewport: { width: 1366, height: 900 } })
  await signInDirectly(page, web.url, testAdmin)
  await page.goto(`${web.url}/admin/schedule`)
})
test.afterAll(() => page.close())

/** Maximum number of actions for each job. */
const MOST_ACTIONS = 5

const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true })
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const save = (page: Page, name: string) => button(dialog(page), name)

/** The next Friday after today, as `2026-11-27`; the station's clock and the browser's are in UTC. */
function nextFriday(): string {
  const date = new Date()
  date.setUTCDate(date.getUTCDate() + ((5 - date.getUTCDay() + 7) % 7 || 7))
  return date.toISOString().slice(0, 10)
}
const DAY_MS = 86_400_000
const daysAfter = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10)
/** A date as it is typed into a date field: month, day, year. */
const asTyped = (date: string) => `${date.slice(5, 7)}${date.slice(8)}${date.slice(0, 4)}`
const longDate = (date: string) =>
  new Date(date).toLocaleDateString('en-US', { timeZone: 'UTC', dateStyle: 'full' })

const friday = nextFriday()

interface Job {
  name: string
  template: 'Start a schedule' | 'Start with day and night'
  /** The preparation, whose actions are not counted. */
  before?: (page: Page) => Promise<void>
  byMouse: (page: Page, act: Actions) => Promise<void>
  byKeyboard: (page: Page, act: Actions) => Promise<void>
  /** Checks the result of the job. */
  done: (page: Page) => Promise<void>
}

async function addSpecial(page: Page): Promise<void> {
  await openTab(page, 'Calendar')
  await button(page, 'Add special').click()
  await dialog(page).getByLabel('Name').fill('Premiere')
  await dialog(page).getByLabel('Date').fill(friday)
  await save(page, 'Add special').click()
  await openTab(page, 'Week')
}

async function addClock(page: Page): Promise<void> {
  await openTab(page, 'Clocks')
  await button(page, 'Add clock').click()
  await dialog(page).getByLabel('Name').fill('evening')
  await save(page, 'Add clock').click()
  await openTab(page, 'Week')
}

async function publish(page: Page, version: number): Promise<void> {
  await expectSaved(page)
  await button(page, 'Publish').click()
  await save(page, 'Publish').click()
  await expect(page.getByText(`Version ${version} is on the air.`)).toBeVisible()
}

/** Whether a date is after the Sunday of this week. */
function isNextWeek(date: string): boolean {
  const daysLeft = (7 - new Date().getUTCDay()) % 7
  return date > daysAfter(new Date().toISOString().slice(0, 10), daysLeft)
}

const JOBS: readonly Job[] = [
  {
    name: 'create a nightly block',
    template: 'Start a schedule',
    byMouse: async (page, act) => {
      const to = await pointAt(page, 'Monday', 23.9)
      await act.drag(await pointAt(page, 'Monday', 22.05), to)
      await act.fill(dialog(page).getByLabel('Name'), 'Night Shift')
      await act.click(save(page, 'Every day'))
      await act.click(save(page, 'Add block'))
    },
    byKeyboard: async (page, act) => {
      await act.press(button(page, 'Add block'), 'Enter')
      await act.type(dialog(page).getByLabel('Name'), 'Night Shift')
      await act.type(dialog(page).getByLabel('From'), '1000PM')
      await act.type(dialog(page).getByLabel('To', { exact: true }), '1200AM')
      await act.press(save(page, 'Add block'), 'Enter')
    },
    done: async (page) => {
      for (const day of ['Monday', 'Sunday'])
        await expect(block(page, 'Night Shift', day)).toHaveAccessibleName(/10:00 PM–12:00 AM/)
    },
  },
  {
    name: 'move a block',
    template: 'Start with day and night',
    byMouse: async (page, act) => {
      const from = await pointAt(page, 'Tuesday', 23)
      await act.drag(from, { ...from, y: (await pointAt(page, 'Tuesday', 22.5)).y })
    },
    byKeyboard: async (page, act) => {
      await act.press(block(page, 'Night', 'Tuesday'), 'ArrowUp')
      await act.press(block(page, 'Night', 'Tuesday'), 'ArrowUp')
    },
    done: async (page) => {
      await expect(block(page, 'Night', 'Tuesday')).toHaveAccessibleName(/9:30 PM–5:30 AM/)
      await expect(block(page, 'Night', 'Sunday')).toHaveAccessibleName(/9:30 PM–5:30 AM/)
    },
  },
  {
    name: 'add a special on Friday at 20:00',
    template: 'Start a schedule',
    byMouse: async (page, act) => {
      await act.click(tab(page, 'Calendar'))
      await act.click(button(page, longDate(friday)))
      await act.click(button(page, 'Add special'))
      await act.fill(dialog(page).getByLabel('Name'), 'Premiere')
      await act.click(save(page, 'Add special'))
    },
    byKeyboard: async (page, act) => {
      await act.press(tab(page, 'Week'), 'ArrowRight')
      await act.press(button(page, 'Add special'), 'Enter')
      await act.type(dialog(page).getByLabel('Name'), 'Premiere')
      await act.type(dialog(page).getByLabel('Date'), asTyped(friday))
      await act.press(save(page, 'Add special'), 'Enter')
    },
    done: (page) => expectSpecials(page, [`Special · ${longDate(friday)}, 8:00 PM`]),
  },
  {
    name: 'repeat a special',
    template: 'Start a schedule',
    before: addSpecial,
    byMouse: async (page, act) => {
      await act.click(tab(page, 'Calendar'))
      await act.click(button(page.getByRole('list', { name: /^Upcoming/ }), 'Repeat Premiere'))
      await act.fill(dialog(page).getByLabel('Number of weeks'), '2')
      await act.click(save(page, 'Repeat'))
    },
    byKeyboard: async (page, act) => {
      await act.press(tab(page, 'Week'), 'ArrowRight')
      await act.press(button(page.getByRole('list', { name: /^Upcoming/ }), 'Repeat Premiere'), 'Enter')
      await act.type(dialog(page).getByLabel('Number of weeks'), '2')
      await act.press(save(page, 'Repeat'), 'Enter')
    },
    done: (page) =>
      expectSpecials(
        page,
        Array.from({ length: 3 }, () => 'Premiere'),
      ),
  },
  {
    name: 'see the real week',
    template: 'Start with day and night',
    before: addSpecial,
    byMouse: async (page, act) => {
      await act.click(page.getByText('Real week', { exact: true }))
      await expect(page.locator('[data-now]')).toBeInViewport()
      if (isNextWeek(friday)) await act.click(button(page, 'Next week'))
    },
    byKeyboard: async (page, act) => {
      const realWeek = page.getByRole('radio', { name: 'Real week' })
      await page.getByRole('radio', { name: 'Template' }).focus()
      await page.keyboard.press('ArrowRight')
      await expect(realWeek).toBeFocused()
      await act.press(realWeek, 'Space')
      await expect(button(page, 'Next week')).toBeVisible()
      await expect(realWeek).toBeFocused()
      if (isNextWeek(friday)) await act.press(button(page, 'Next week'), 'Enter')
    },
    done: async (page) => {
      const day = column(page, longDate(friday))
      await expect(day.getByRole('button')).toContainText([
        ...[/^Night.*6:00 AM/, /^Day.*6:00 AM–8:00 PM/, /Premiere.*8:00 PM–9:00 PM/],
        ...[/^Day.*9:00 PM–10:00 PM/, /^Night.*10:00 PM/],
      ])
      await button(page, 'Today').click()
      const today = column(page, longDate(new Date().toISOString()))
      await expect(today.getByRole('button', { name: /^Day/ }).first()).toBeVisible()
      await today.getByRole('button', { name: /^Day/ }).first().focus()
      await page.keyboard.press('Backspace')
      expect(await violations(page), 'real week').toEqual([])
      await expect(today).toBeVisible()
    },
  },
  {
    name: 'exclude an artist from mornings',
    template: 'Start with day and night',
    byMouse: async (page, act) => {
      await act.click(block(page, 'Day', 'Monday'))
      await act.click(dialog(page).getByText('Rules of this block'))
      await act.fill(dialog(page).getByLabel('Excluded artists'), 'Ann')
      await act.click(save(page, 'Save block'))
    },
    byKeyboard: async (page, act) => {
      await act.press(block(page, 'Day', 'Monday'), 'Enter')
      await act.press(dialog(page).getByText('Rules of this block'), 'Enter')
      await act.type(dialog(page).getByLabel('Excluded artists'), 'Ann')
      await act.press(save(page, 'Save block'), 'Enter')
    },
    done: async (page) => {
      await block(page, 'Day', 'Monday').click()
      await expect(save(page, 'Remove Ann')).toBeVisible()
    },
  },
  {
    name: 'add a holiday of three days',
    template: 'Start with day and night',
    byMouse: async (page, act) => {
      await act.click(tab(page, 'Calendar'))
      await act.click(button(page, 'Add holiday'))
      await act.fill(dialog(page).getByLabel('First day'), friday)
      await act.fill(dialog(page).getByLabel('Last day'), daysAfter(friday, 2))
      await act.click(save(page, 'Add holiday'))
    },
    byKeyboard: async (page, act) => {
      await act.press(tab(page, 'Week'), 'ArrowRight')
      await act.press(button(page, 'Add holiday'), 'Enter')
      await act.type(dialog(page).getByLabel('First day'), asTyped(friday))
      await act.type(dialog(page).getByLabel('Last day'), asTyped(daysAfter(friday, 2)))
      await act.press(save(page, 'Add holiday'), 'Enter')
    },
    done: async (page) => {
      for (const days of [0, 1, 2])
        await expect(button(page, `${longDate(daysAfter(friday, days))}, Holiday`)).toBeVisible()
      const blocks = page.getByRole('list', { name: 'Blocks of the holiday' }).getByRole('listitem')
      await expect(blocks).toContainText(['Day', 'Night'])
    },
  },
  {
    name: 'copy Monday to all weekdays',
    template: 'Start with day and night',
    before: async (page) => {
      await block(page, 'Day', 'Tuesday').focus()
      await page.keyboard.press('Delete')
      await expect(block(page, 'Day', 'Tuesday')).toHaveCount(0)
    },
    byMouse: async (page, act) => {
      await act.click(button(page, 'Copy Monday'))
      await act.click(save(page, 'Copy'))
    },
    byKeyboard: async (page, act) => {
      await act.press(button(page, 'Copy Monday'), 'Enter')
      await act.press(save(page, 'Copy'), 'Enter')
    },
    done: (page) => expect(block(page, 'Day', 'Tuesday')).toBeVisible(),
  },
  {
    name: 'swap a clock',
    template: 'Start with day and night',
    before: addClock,
    byMouse: async (page, act) => {
      await act.click(block(page, 'Day', 'Monday'))
      await act.choose(dialog(page).getByLabel('Plays'), 'Clock: evening')
      await act.click(save(page, 'Save block'))
    },
    byKeyboard: async (page, act) => {
      await act.press(block(page, 'Day', 'Monday'), 'Enter')
      await act.type(dialog(page).getByLabel('Plays'), 'Clock: e')
      await act.press(save(page, 'Save block'), 'Enter')
    },
    done: (page) => expect(block(page, 'Day', 'Friday')).toHaveAccessibleName(/plays clock evening$/),
  },
  {
    name: 'exclude a song for this week',
    template: 'Start a schedule',
    byMouse: async (page, act) => {
      await act.click(tab(page, 'Preview'))
      await act.click(excludeButtons(page).first())
    },
    byKeyboard: async (page, act) => {
      await act.press(tab(page, 'Week'), 'ArrowLeft')
      await expect(page.getByText('has no schedule on the air')).toBeVisible()
      await act.press(tab(page, 'Log'), 'ArrowLeft')
      await act.press(tab(page, 'Versions'), 'ArrowLeft')
      await act.press(excludeButtons(page).first(), 'Enter')
    },
    done: async (page) => {
      await openTab(page, 'Rules')
      const songs = page.getByRole('list', { name: 'Excluded songs' }).getByRole('listitem')
      await expect(songs).toContainText([/Airs again from Monday/])
    },
  },
  {
    name: 'roll back',
    template: 'Start a schedule',
    before: async (page) => {
      await publish(page, 1)
      await openTab(page, 'Rules')
      await page.getByLabel('Protected minutes').fill('15')
      await publish(page, 2)
      await openTab(page, 'Week')
    },
    byMouse: async (page, act) => {
      await act.click(tab(page, 'Versions'))
      await act.click(button(page, 'Restore version 1'))
      await act.click(save(page, 'Publish version 1 again'))
    },
    byKeyboard: async (page, act) => {
      await act.press(tab(page, 'Week'), 'ArrowLeft')
      await act.press(tab(page, 'Log'), 'ArrowLeft')
      await act.press(button(page, 'Restore version 1'), 'Enter')
      await act.press(save(page, 'Publish version 1 again'), 'Enter')
    },
    done: async (page) => {
      await expect(page.getByText('Version 3 is on the air.')).toBeVisible()
      await openTab(page, 'Rules')
      await expect(page.getByLabel('Protected minutes')).toHaveValue('10')
    },
  },
]

/** The buttons of the preview's programmes. */
const excludeButtons = (page: Page) => page.getByRole('button', { name: /^Exclude this week: / })

/** The entries of the list of upcoming specials and holidays. */
const expectSpecials = (page: Page, texts: string[]) =>
  expect(page.getByRole('list', { name: /^Upcoming/ }).getByRole('listitem')).toContainText(texts)

for (const job of JOBS) {
  test(`${job.name}: at most ${MOST_ACTIONS} actions by mouse and by keyboard`, async () => {
    for (const way of ['byMouse', 'byKeyboard'] as const) {
      const name = `${job.name} ${way}`
      await startChannel(web.url, token, name, videos)
      await page.getByLabel('Channel', { exact: true }).selectOption({ label: name })
      await button(page, job.template).click()
      await expectSaved(page)
      await job.before?.(page)
      const act = new Actions(page)
      await job[way](page, act)
      await job.done(page)
      expect(act.count, way).toBeLessThanOrEqual(MOST_ACTIONS)
    }
  })
}

/** Artists of long videos, so that none ends during the test. */
const LONG = ['Uma', 'Viv', 'Wes', 'Zoe'] as const

/** A schedule that plays the playlist and does not allow the artist Zoe, with an exact start two to three hours from now. */
function loggedSchedule(): ScheduleDocument {
  const hourMs = 3_600_000
  const at = new Date(Math.ceil(Date.now() / hourMs + 2) * hourMs).toISOString().slice(0, 16)
  return {
    timeZone: 'UTC',
    freezeMinutes: 0,
    defaultSource: 'list',
    sources: { list: { kind: 'playlist' } },
    rules: { excludedArtists: ['Zoe'] },
    specials: [{ id: 'gala', name: 'Gala', at, durationMs: hourMs, source: 'list', start: 'hard' }],
  }
}

/** The log of the selected channel, and the dialog in which a change of it is applied. */
function logOf(page: Page) {
  const menus = page.getByRole('button', { name: /^Change / })
  const rows = page.getByRole('table', { name: 'Log' }).getByRole('row').filter({ has: menus })
  return {
    menus,
    row: (index: number) => rows.nth(index),
    item: (name: RegExp) => page.getByRole('menuitem', { name }),
    changes: dialog(page).getByRole('list', { name: 'Changes' }),
  }
}

/** Starts a channel with long videos and a schedule. Returns its id. */
async function startLogged(name: string): Promise<string> {
  for (const artist of LONG) web.youtube.set(youtubeIdFor(artist), { durationS: 1200 })
  const long = await addVideos(web.url, token, LONG)
  const id = await startChannel(web.url, token, name, long.slice(0, 3))
  await publishSchedule(web.url, token, id, loggedSchedule())
  return id
}

test('programmes of the log are inserted, skipped, swapped, moved and undone, with at most five actions each', async () => {
  const id = await startLogged('Logged')
  await page.getByLabel('Channel', { exact: true }).selectOption({ label: 'Logged' })
  const { menus, item, changes, row } = logOf(page)
  const edits = page.getByRole('region', { name: 'Edits still to come' }).getByRole('listitem')
  /** Titles and times of the next programmes. */
  const next = () =>
    menus.evaluateAll((buttons) => buttons.slice(0, 8).map((each) => each.getAttribute('aria-label')))
  const titles = async () => (await next()).map((label) => label?.replace(/ at [\d:]+\s.M$/, ''))

  const insert = new Actions(page)
  await insert.click(tab(page, 'Log'))
  await expect(menus.first()).toBeVisible()
  expect(await violations(page), 'log').toEqual([])
  const planned = await next()
  await insert.click(button(page, 'Play next...'))
  await insert.fill(dialog(page).getByLabel('Find a video'), 'Zoe')
  await insert.click(dialog(page).getByRole('button', { name: /Zoe$/ }).first())
  await expect(changes).toContainText('new')
  const broken = dialog(page).getByRole('list', { name: 'Broken rules' })
  await expect(broken).toContainText('Zoe: the artist is excluded')
  expect(await violations(page), 'effect of an edit').toEqual([])
  await insert.click(save(page, 'Apply'))
  await expect(row(0)).toContainText(/Zoe.*Inserted/)
  expect(insert.count).toBeLessThanOrEqual(MOST_ACTIONS)

  const skip = new Actions(page)
  const [inserted, skipped, last] = await titles()
  await skip.click(menus.nth(1))
  await skip.click(item(/^Skip$/))
  await expect(changes).toBeVisible()
  await skip.click(save(page, 'Apply'))
  await expect.poll(async () => (await titles()).slice(0, 2)).toEqual([inserted, last])
  await expect(edits).toContainText([`Skipped ${skipped?.replace('Change ', '')}`, 'Inserted'])
  expect(skip.count).toBeLessThanOrEqual(MOST_ACTIONS)

  // The focus is at the same place again; the arrow keys go to the next place. Another admin edits the log meanwhile.
  const swap = new Actions(page)
  await expect(menus.nth(1)).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(menus.first()).toBeFocused()
  await swap.press(menus.first(), 'Enter')
  await expect(item(/^Insert before/)).toBeFocused()
  // The menu moves the focus a moment after a key.
  await page.keyboard.press('ArrowDown')
  await expect(item(/^Skip$/)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await swap.press(item(/^Swap with next/), 'Enter')
  await expect(changes).toBeVisible()
  await skipThroughApi(id, 8)
  await swap.press(save(page, 'Apply'), 'Enter')
  await expect(dialog(page).getByRole('alert')).toHaveText(/^The log has changed meanwhile/)
  await expect(changes).toBeVisible()
  await swap.press(save(page, 'Apply'), 'Enter')
  await expect.poll(async () => (await titles()).slice(0, 2)).toEqual([last, inserted])
  for (const index of [0, 1]) await expect(row(index)).toContainText('Swapped')
  expect(swap.count).toBeLessThanOrEqual(MOST_ACTIONS)

  const move = new Actions(page)
  const moved = (await titles())[2]
  await expect(menus.first()).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(menus.nth(1)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(menus.nth(2)).toBeFocused()
  await move.press(menus.nth(2), 'Enter')
  await expect(item(/^Insert before/)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await move.press(item(/^Play next$/), 'Enter')
  await expect(changes).toBeVisible()
  await move.press(save(page, 'Apply'), 'Enter')
  await expect(row(0)).toContainText('Moved')
  await expect.poll(async () => (await titles())[0]).toBe(moved)
  expect(move.count).toBeLessThanOrEqual(MOST_ACTIONS)

  await page.getByLabel('Find in the log').fill('gala')
  await expect(row(0)).toContainText(/:00:00.*Exact start/)
  await page.getByLabel('Find in the log').fill('')

  const message = page.getByRole('region', { name: /^Messages/ }).getByRole('listitem')
  await message.filter({ hasText: 'moved' }).getByRole('button', { name: 'Undo' }).click()
  for (const left of [4, 3, 2, 1]) {
    await expect(edits).toHaveCount(left)
    await edits
      .first()
      .getByRole('button', { name: /^Undo: / })
      .click()
  }
  await expect(edits).toHaveCount(0)
  await expect.poll(next).toEqual(planned)
})

test('a video is inserted and a programme skipped by keyboard, two are swapped by mouse, with at most five actions each', async () => {
  const id = await startLogged('Logged by keys')
  await page.goto(`${web.url}/admin/schedule?channel=${id}`)
  const { menus, item, changes, row } = logOf(page)
  const title = async (index: number) =>
    (await menus.nth(index).getAttribute('aria-label'))?.replace(/ at [\d:]+\s.M$/, '')

  const insert = new Actions(page)
  await insert.press(tab(page, 'Week'), 'ArrowLeft')
  await expect(menus.first()).toBeVisible()
  await insert.press(button(page, 'Play next...'), 'Enter')
  await insert.type(dialog(page).getByLabel('Find a video'), 'Zoe')
  await insert.press(dialog(page).getByRole('button', { name: /Zoe$/ }).first(), 'Enter')
  await expect(changes).toContainText('new')
  await insert.press(save(page, 'Apply'), 'Enter')
  await expect(row(0)).toContainText(/Zoe.*Inserted/)
  expect(insert.count).toBeLessThanOrEqual(MOST_ACTIONS)

  const skip = new Actions(page)
  const [inserted, afterSkipped] = [await title(0), await title(2)]
  // Tab reaches one row of the table; the arrows lead to the others.
  await skip.press(menus.first(), 'ArrowDown')
  await expect(menus.nth(1)).toBeFocused()
  await skip.press(menus.nth(1), 'Enter')
  await expect(item(/^Insert before/)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(item(/^Play next/)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await skip.press(item(/^Skip$/), 'Enter')
  await expect(changes).toBeVisible()
  await skip.press(save(page, 'Apply'), 'Enter')
  await expect.poll(() => title(1)).toBe(afterSkipped)
  expect(skip.count).toBeLessThanOrEqual(MOST_ACTIONS)

  const swap = new Actions(page)
  await swap.click(menus.first())
  await swap.click(item(/^Swap with next/))
  await expect(changes).toBeVisible()
  await swap.click(save(page, 'Apply'))
  await expect.poll(async () => [await title(0), await title(1)]).toEqual([afterSkipped, inserted])
  expect(swap.count).toBeLessThanOrEqual(MOST_ACTIONS)
})

test('an edit of many videos is undone from the audit log by keyboard, with at most five actions', async () => {
  const client = clientOf(web.url, token)
  const genres = () =>
    Promise.all(
      videos.map(async (id) => (await client.call('GET /api/videos/:id', { params: { id } })).genre),
    )
  const before = await genres()
  await client.call('POST /api/videos/jobs/edit', {
    body: { videos: { ids: videos }, fields: { genre: 'Yodelling' } },
  })
  await until('the videos are edited', async () => (await genres()).every((genre) => genre === 'Yodelling'))
  await page.goto(`${web.url}/admin`)
  const undo = new Actions(page)
  await undo.press(page.getByRole('link', { name: 'Audit Log' }), 'Enter')
  const line = page
    .getByRole('list', { name: 'Audit log' })
    .getByRole('listitem')
    .filter({ hasText: `edited ${videos.length} videos` })
    .first()
  await undo.press(line.getByRole('button', { name: 'Undo' }), 'Enter')
  await until('the edit is undone', async () => (await genres()).join() === before.join())
  expect(undo.count).toBeLessThanOrEqual(MOST_ACTIONS)
})

/** Skips a programme of a channel's log, counted from the one on the air. */
async function skipThroughApi(id: string, index: number): Promise<void> {
  const client = clientOf(web.url, token)
  const read = await client.send('GET /api/channels/:id/log', { params: { id } })
  const { programmes } = (await read.json()) as ChannelLog
  await client.call(
    'POST /api/channels/:id/log/edits',
    { params: { id }, body: { action: 'skip', programmeId: programmes[index]?.programmeId ?? '' } },
    { ifMatch: read.headers.get('etag') ?? '' },
  )
}
