/// <reference lib="dom" />

import type { Guide, NowState } from '@looptide/contracts/http/channels'
import { testAdmin } from '@looptide/test-station/station'
import { expect, type Page } from '@playwright/test'
import { violationsInThemes } from '../support/accessibility.ts'
import { startClipChannel } from '../support/channels.ts'
import { signIn } from '../support/people.ts'
import { startSchedule } from '../support/schedules.ts'
import { test, useSharedStation } from '../support/web-station.ts'

const web = useSharedStation()
const CHANNEL_NAME = 'The Planned Channel'
let channel: string
const HOUR_MS = 3_600_000

/** The block lasts from this hour to the end of the next; the special is a week ahead. */
const blockAtMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
const specialAtMs = blockAtMs + 7 * 24 * HOUR_MS + HOUR_MS
const timeOf = (ms: number): string => new Date(ms).toISOString().slice(11, 16)

test.beforeAll(async () => {
  const token = await signIn(web.url, testAdmin.email, testAdmin.password)
  channel = await startClipChannel(web.url, token, CHANNEL_NAME)
  await startSchedule(web.url, token, channel, {
    timeZone: 'UTC',
    freezeMinutes: 0,
    defaultSource: 'clips',
    sources: { clips: { kind: 'playlist' } },
    clocks: {
      hour: [
        { source: 'clips', count: 3 },
        { ident: 'station', durationMs: 5000 },
      ],
    },
    blocks: [
      {
        id: 'line-up',
        name: 'The Line-Up',
        description: 'Every test picture there is.',
        colour: '#1d4ed8',
        days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
        from: timeOf(blockAtMs),
        to: timeOf(blockAtMs + 2 * HOUR_MS),
        clock: 'hour',
      },
    ],
    specials: [
      {
        id: 'gala',
        name: 'Gala of Colours',
        description: 'An evening of bars.',
        colour: '#f8fafc',
        at: new Date(specialAtMs).toISOString().slice(0, 16),
        durationMs: 7_200_000,
        source: 'clips',
      },
    ],
  })
})

const read = async <T>(path: string): Promise<T> => (await (await fetch(web.url + path)).json()) as T
const guide = (page: Page) => page.getByRole('dialog', { name: 'TV Guide' })
const row = (page: Page) => guide(page).getByRole('list', { name: CHANNEL_NAME })

async function openGuide(page: Page): Promise<void> {
  await page.goto(`${web.url}/live?channel=${channel}`)
  await page.getByRole('button', { name: 'TV Guide' }).click()
  await expect(row(page)).toBeVisible()
}

test('a block has its name, description and tracks without cards, and each track says why it is on', async ({
  page,
}) => {
  await openGuide(page)
  await row(page)
    .getByRole('button', { name: /The Line-Up/ })
    .first()
    .click()
  const block = guide(page).getByRole('region', { name: 'The Line-Up' })
  await expect(block.getByText('Every test picture there is.')).toBeVisible()
  await expect(block.getByText(/^The Planned Channel, .+ – /)).toBeVisible()
  const tracks = block.getByRole('list', { name: 'Tracks' }).getByRole('listitem')
  const { programmes } = await read<Guide>(`/api/channels/${channel}/guide?hours=1`)
  // The second next video that is third in its slot, which does not end during the test.
  const thirds = programmes.flatMap((one) => (one.kind === 'video' && one.reason?.number === 3 ? [one] : []))
  const third = thirds[1]
  const time = await page.evaluate(
    (ms) => new Date(ms).toLocaleTimeString([], { hour: 'numeric', minute: '2-digit', second: '2-digit' }),
    third?.startsAtMs ?? 0,
  )
  const track = tracks.filter({ hasText: time })
  await expect(track).toContainText(third?.video?.title ?? 'unknown')
  expect(await violationsInThemes(page, '[role=dialog]')).toEqual([])
  await track.getByRole('button').click()
  const details = guide(page).getByRole('region', { name: third?.video.title ?? 'unknown' })
  await expect(details).toContainText('Why is this on?')
  await expect(details).toContainText('The Line-Up: third of three from Clips')
  expect(await violationsInThemes(page, '[role=dialog]')).toEqual([])
})

test('specials of the next two weeks are listed with date and time of the viewer', async ({ page }) => {
  await openGuide(page)
  await page.getByRole('button', { name: /^Coming up \(\d+\)$/ }).click()
  const list = guide(page).getByRole('region', { name: 'Coming up' })
  const when = await page.evaluate((ms) => {
    const day = new Date(ms).toLocaleDateString([], { weekday: 'long', day: 'numeric', month: 'long' })
    const time = new Date(ms).toLocaleTimeString([], { hour: 'numeric', minute: '2-digit' })
    return { day, time }
  }, specialAtMs)
  // Other channels of the station may have specials, too.
  const special = list.getByRole('listitem').filter({ hasText: 'Gala of Colours' })
  await expect(special).toHaveCount(1)
  for (const text of ['Gala of Colours', 'An evening of bars.', CHANNEL_NAME, when.day, when.time]) {
    await expect(special).toContainText(text)
  }
  expect(await violationsInThemes(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(list).toBeHidden()
  await expect(row(page)).toBeVisible()
})

test('the live page says why the current video is on', async ({ page }) => {
  await page.goto(`${web.url}/live?channel=${channel}`)
  await expect(async () => {
    const { programmes } = await read<NowState>(`/api/channels/${channel}/now`)
    const number = programmes[0]?.kind === 'video' ? programmes[0].reason?.number : undefined
    const place = ['first', 'second', 'third'][(number ?? 0) - 1]
    await expect(page.getByText(`The Line-Up: ${place} of three from Clips`)).toBeVisible({ timeout: 500 })
  }).toPass()
})
