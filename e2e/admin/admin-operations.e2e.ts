/// <reference lib="dom" />

import { testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'
import { type Browser, expect, type Page } from '@playwright/test'
import { violationsInThemes } from '../support/accessibility.ts'
import { addVideos, startChannel } from '../support/channels.ts'
import { signIn, signUp, type Viewer } from '../support/people.ts'
import { publish } from '../support/publish.ts'
import { expectToast, signInDirectly } from '../support/web-pages.ts'
import { test, useOwnStation } from '../support/web-station.ts'

const web = useOwnStation()

/** Time within which viewers must see a change of the stream. */
const withinASecond = { timeout: 1_000 }

let token: string
test.beforeAll(async () => {
  token = await signIn(web.url, testAdmin.email, testAdmin.password)
})

/** Submits a schedule of the channel as a programmer, whose account it resolves to. */
async function submitSchedule(id: string): Promise<Viewer> {
  const person = await signUp(web.url, 'submitter')
  const role = { params: { id: person.id }, body: { role: 'programmer' } } as const
  await clientOf(web.url, token).call('PUT /api/users/:id/role', role)
  const client = clientOf(web.url, await signIn(web.url, person.email, person.password))
  const sources = { list: { kind: 'playlist' } }
  const document = { timeZone: 'UTC', defaultSource: 'list', sources }
  await client.call('PUT /api/channels/:id/schedule/draft', { params: { id }, body: document })
  const body = { note: 'Only the playlist' }
  await client.call('PUT /api/channels/:id/schedule/draft/submission', { params: { id }, body })
  return person
}

/** Scopes queries, because the Channel Manager on the same page lists the same channels. */
const streamManager = (page: Page) => page.getByRole('region', { name: '24/7 Stream Manager' })

/** Opens the stream manager in the dashboard, and one of its tabs. */
async function openStreamManager(page: Page, tab?: string): Promise<void> {
  await page.goto(`${web.url}/admin?tab=channels`)
  if (tab) await streamManager(page).getByRole('tab', { name: tab }).click()
}

async function adminPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage()
  await signInDirectly(page, web.url, testAdmin)
  return page
}

test('an admin stops, starts and resets the stream, and viewers and other admins see it', {
  tag: '@clock',
}, async ({ page, browser }) => {
  const viewer = await browser.newPage()
  await viewer.goto(`${web.url}/live?channel=test-card`)
  await signInDirectly(page, web.url, testAdmin)
  await openStreamManager(page)
  const card = streamManager(page).getByRole('article', { name: 'Test Card' })
  await expect(card.getByText('Live 24/7')).toBeVisible()
  await expect(card.getByText('1 watching')).toBeVisible()
  await expect(card.getByRole('progressbar', { name: 'Playback progress' })).toBeVisible()
  await expect(card.getByRole('list', { name: 'Up next' }).getByRole('listitem')).toHaveCount(2)
  await expect(card.getByText(/^Planned until .+ \(3[78] hours ahead\)$/)).toBeVisible()
  await expect(card.getByRole('link', { name: 'Air log' })).toHaveAttribute(
    'href',
    '/history?channel=test-card',
  )
  await expect(viewer.getByText('This channel is off the air.')).toBeHidden()
  const asked = card.getByRole('button', { name: /^Why is this on\?/ })
  await expect(asked).toHaveCount(3)
  await asked.last().press('Enter')
  const why = page.getByRole('dialog', { name: 'Why is this on?' })
  await expect(why).toContainText('Playlist position')
  expect(await violationsInThemes(page, '[role="dialog"]'), 'why').toEqual([])
  await page.keyboard.press('Escape')
  await expect(why).toBeHidden()
  await expect(asked.last()).toBeFocused()

  const colleague = await adminPage(browser)
  await openStreamManager(colleague, 'Control')
  const line = streamManager(colleague).getByRole('group', { name: 'Test Card' })
  await expect(line.getByRole('button', { name: 'Start' })).toBeDisabled()
  await expect(line.getByRole('button', { name: 'Stop' })).toBeEnabled()

  // By keyboard: the dialog first focuses Cancel.
  await card.getByRole('button', { name: 'Stop Stream' }).focus()
  await page.keyboard.press('Enter')
  const question = page.getByRole('dialog', { name: 'Stop Test Card?' })
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(question).toBeHidden()
  await expect(card.getByRole('button', { name: 'Stop Stream' })).toBeFocused()
  await page.keyboard.press('Enter')
  await question.getByRole('button', { name: 'Yes, stop' }).click()
  await expect(viewer.getByText('This channel is off the air.')).toBeVisible(withinASecond)
  await expect(viewer.getByText('OFF AIR')).toBeVisible()
  await expect(viewer.getByText('LIVE', { exact: true })).toBeHidden()
  await expect(viewer.getByText('24/7 • HD Quality')).toBeHidden()
  await expect
    .poll(() =>
      viewer
        .getByTestId('default-video')
        .evaluate((video: HTMLVideoElement) => video.muted && !video.paused && video.currentTime > 0),
    )
    .toBe(true)
  await expectToast(page, 'Stream Stopped')
  await expect(card.getByText('Offline')).toBeVisible()
  await expect(card.getByRole('button', { name: 'Stop Stream' })).toBeDisabled()
  await expect(card.getByText('Nothing is on the air.')).toBeVisible()
  await expect(line.getByText('Offline')).toBeVisible()
  await expect(line.getByRole('button', { name: 'Stop' })).toBeDisabled()

  const start = Promise.withResolvers<void>()
  await page.route('**/api/channels/test-card/stream', async (route) => {
    await start.promise
    await route.continue()
  })
  await card.getByRole('button', { name: 'Start 24/7 Stream' }).click()
  await expect(card.getByRole('status')).toHaveText('Syncing...')
  for (const name of ['Start 24/7 Stream', 'Stop Stream', 'Reset Stream']) {
    await expect(card.getByRole('button', { name })).toBeDisabled()
  }
  start.resolve()
  await expectToast(page, 'Stream Started Successfully!', 'videos are now playing 24/7 on the live stream.')
  await expect(card.getByText('Live 24/7')).toBeVisible()
  await expect(card.getByRole('button', { name: 'Restart Stream' })).toBeVisible()
  await expect(viewer.getByText('This channel is off the air.')).toBeHidden()
  await expect(line.getByText('Live 24/7')).toBeVisible()

  await card.getByRole('button', { name: 'Reset Stream' }).click()
  await page.getByRole('button', { name: 'Yes, reset' }).click()
  await expectToast(page, 'Stream Reset')

  await line.getByRole('button', { name: 'Stop' }).click()
  await colleague.getByRole('button', { name: 'Yes, stop' }).click()
  await expectToast(colleague, 'Stream Stopped')
  await line.getByRole('button', { name: 'Start' }).click()
  await expectToast(colleague, 'Stream Started')
  await expect(card.getByText('Live 24/7')).toBeVisible()
  await viewer.close()
  await colleague.close()
})

test('failed stream actions show the server’s reason or their own message', async ({ page, context }) => {
  await clientOf(web.url, token).call('POST /api/channels', { body: { name: 'Hollow' } })
  await signInDirectly(page, web.url, testAdmin)
  await openStreamManager(page)
  const hollow = streamManager(page).getByRole('article', { name: 'Hollow' })
  await hollow.getByRole('button', { name: 'Start 24/7 Stream' }).click()
  await expectToast(page, 'Sync Failed', 'There is nothing to play: add videos to this channel first.')
  await expect(hollow.getByText('Offline')).toBeVisible()

  const card = streamManager(page).getByRole('article', { name: 'Test Card' })
  await expect(card.getByRole('button', { name: 'Restart Stream' })).toBeVisible()
  await context.setOffline(true)
  await card.getByRole('button', { name: 'Restart Stream' }).click()
  await page.getByRole('button', { name: 'Yes, restart' }).click()
  await expectToast(page, 'Sync Failed', 'Failed to sync videos to server')
  await card.getByRole('button', { name: 'Stop Stream' }).click()
  await page.getByRole('button', { name: 'Yes, stop' }).click()
  await expectToast(page, 'Stream Error', 'Failed to toggle stream status.')
  await card.getByRole('button', { name: 'Reset Stream' }).click()
  await page.getByRole('button', { name: 'Yes, reset' }).click()
  await expectToast(page, 'Reset Error', 'Failed to reset stream.')
  await context.setOffline(false)
})

test('quarantined videos are released or replaced, and failed lookups and dead letters are retried', async ({
  page,
  browser,
}) => {
  const videoIds = await addVideos(web.url, token, ['Dead Air', 'Fresh Air'])
  const [dead = '', fresh = ''] = videoIds
  const channel = await startChannel(web.url, token, 'Breathing', videoIds)
  await signInDirectly(page, web.url, testAdmin)
  await openStreamManager(page, 'Quarantine')
  await expect(page.getByText('No quarantined videos')).toBeVisible()
  await expect(page.getByText('No playback problems')).toBeVisible()
  // A report of a video that is not planned yet is ignored.
  await until('a report counts', async () => {
    const body = { videoId: fresh, errorCode: 101, timeZone: 'Europe/Berlin' }
    const input = { params: { id: channel }, body }
    return (await clientOf(web.url, token).call('POST /api/channels/:id/reports', input)).accepted
  })
  const report = async () => {
    for (const name of ['one', 'two', 'three']) {
      const { accessToken } = await signUp(web.url, name)
      await clientOf(web.url, accessToken).call('POST /api/channels/:id/reports', {
        params: { id: channel },
        body: {
          videoId: dead,
          errorCode: 150,
        },
      })
    }
  }
  await report()
  const row = streamManager(page).getByRole('listitem').filter({ hasText: '(error 150)' })
  await expect(row).toContainText('Dead Air')
  await expect(row).toContainText('The owner does not allow embedding (error 150).')
  await expect(row).toContainText('reported by 3 viewers')
  const problem = page.getByRole('region', { name: 'Playback problems' }).getByRole('listitem')
  await expect(problem).toContainText('Fresh Air')
  await expect(problem).toContainText('Does not play for: Germany (1 viewer)')
  await expect(problem).toContainText('The owner does not allow embedding (error 101).')
  await row.getByRole('button', { name: 'Update Metadata' }).click()
  await expectToast(page, 'Metadata requested')
  await row.getByRole('button', { name: 'Release' }).click()
  await expectToast(page, 'Video Released')
  await expect(page.getByText('No quarantined videos')).toBeVisible()

  await test.step('the control room shows live what is on and what waits, and leads to it', async () => {
    for (const name of ['Second', 'Third', 'Fourth']) await startChannel(web.url, token, name, [fresh])
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${web.url}/admin?tab=control-room`)
    const room = page.getByRole('region', { name: 'Control Room' })
    for (const name of ['Second', 'Third', 'Fourth'])
      await expect(room.getByRole('listitem', { name })).toContainText(/\d left/)
    const channelRow = room.getByRole('listitem', { name: 'Breathing' })
    await expect(channelRow).toContainText('0 watching')
    await expect(channelRow).toContainText(/\d left$|\d left/)
    await expect(channelRow).toContainText(/The playlist repeats every \d/)
    await expect(room.getByText('Nothing is waiting.')).toBeVisible()
    // A report of a video that is not planned again yet is ignored.
    await until('the released video is planned', async () => {
      const { programmes } = await clientOf(web.url, token).call('GET /api/channels/:id/now', {
        params: { id: channel },
      })
      return programmes.some(({ videoId }) => videoId === dead)
    })
    await report()
    const alert = room.getByRole('listitem').filter({ hasText: '1 video is in quarantine' })
    await expect(alert).toBeVisible()
    await expect(room.getByRole('list', { name: 'Last changes' })).toContainText(
      /released “.+” from quarantine/,
    )
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollHeight))
      .toBeLessThanOrEqual(900)

    const submitter = await submitSchedule(channel)
    const approval = room.getByRole('listitem').filter({ hasText: 'Breathing is waiting for approval' })
    const names = Promise.withResolvers<void>()
    await page.route('**/api/profiles/lookup*', async (route) => {
      await names.promise
      await route.continue()
    })
    await approval.getByRole('link', { name: 'Review' }).click()
    await expect(page.getByText(/^Waiting for approval · …,/)).toBeVisible()
    names.resolve()
    await expect(page.getByText(/^Waiting for approval · @submitter/)).toBeVisible()
    await expect(page.getByText('Only the playlist')).toBeVisible()
    const theirs = await browser.newPage()
    await signInDirectly(theirs, web.url, submitter)
    await theirs.goto(`${web.url}/admin/schedule?channel=${channel}`)
    await expect(theirs.getByText(/^Waiting for approval · You/)).toBeVisible()
    await page.getByRole('button', { name: 'Send back' }).click()
    const sending = page.getByRole('dialog', { name: 'Send the schedule of Breathing back?' })
    await sending.getByLabel('Reason (optional)').fill('Add the late show')
    expect(await violationsInThemes(page, '[role="dialog"]'), 'send back').toEqual([])
    await sending.getByRole('button', { name: 'Send back' }).click()
    await expectToast(page, 'Draft sent back')
    await expect(theirs.getByText(/^Sent back · @/)).toBeVisible()
    await expect(theirs.getByText('Add the late show')).toBeVisible()
    await theirs.getByRole('button', { name: 'Submit for approval' }).click()
    await theirs.getByRole('dialog').getByRole('button', { name: 'Submit for approval' }).click()
    await expect(theirs.getByText(/^Waiting for approval · You/)).toBeVisible()
    await expect(theirs.getByText('Add the late show')).toBeHidden()
    await theirs.getByRole('button', { name: 'Withdraw' }).click()
    await expectToast(theirs, 'Draft withdrawn')
    await theirs.close()
    await page.goBack()
    await expect(alert).toBeVisible()
    await expect(approval).toHaveCount(0)
    await alert.getByRole('link', { name: 'Release or replace' }).click()
  })
  // By key: what is still loading above moves the button away under a pointer.
  await row.getByRole('button', { name: 'Replace' }).press('Enter')
  const replace = page.getByRole('dialog', { name: /^Replace / })
  await replace.getByRole('button', { name: 'Replace' }).click()
  await expect(replace).toContainText('Please provide a YouTube URL')
  expect(await violationsInThemes(page, '[role="dialog"]'), 'replace').toEqual([])
  await replace.getByLabel('YouTube URL of the new video').fill('https://youtu.be/replaced__1')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Video Replaced', 'Replaced at 1 position in channel playlists.')
  await expect(page.getByText('No quarantined videos')).toBeVisible()

  web.youtube.set('removed___1', { state: 'removed' })
  await clientOf(web.url, token).call('POST /api/videos', {
    body: { urls: ['https://youtu.be/removed___1'] },
  })
  await streamManager(page).getByRole('tab', { name: 'Metadata' }).click()
  await expect(page.getByText('Keyless mode', { exact: false })).toBeVisible()
  const job = streamManager(page).getByRole('listitem').filter({ hasText: 'removed___1' })
  await expect(job).toContainText('Removed from YouTube')
  web.youtube.set('removed___1', { state: 'public' })
  await page.getByRole('button', { name: 'Retry removed___1' }).click()
  await expectToast(page, 'Lookup queued')
  await expect(page.getByText('No failed lookups.')).toBeVisible()

  await streamManager(page).getByRole('tab', { name: 'Dead Letters' }).click()
  await expect(page.getByText('No dead letters')).toBeVisible()
  // Only one service consumes it.
  await publish(web.station, 'catalogue', 'catalogue.airing.requested.v1', {})
  const service = 'stream-scheduler'
  const letters = () => clientOf(web.url, token).call(`GET /api/dead-letters/${service}`)
  await expect.poll(async () => (await letters()).items.length).toBe(1)
  await openStreamManager(page, 'Dead Letters')
  const letter = streamManager(page)
    .getByRole('listitem')
    .filter({ hasText: 'catalogue.airing.requested.v1' })
  await expect(letter).toContainText(service)
  await letter.getByRole('button', { name: 'Replay' }).click()
  await expectToast(page, 'Replay failed', 'The replay failed')
  expect(await violationsInThemes(page, '[aria-labelledby="stream-manager"]'), 'dead letters').toEqual([])
  await letter.getByRole('button', { name: 'Drop' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(await violationsInThemes(page, '[role="dialog"]'), 'drop').toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: 'Drop' }).click()
  await expectToast(page, 'Dead letter dropped')
  await expect(page.getByText('No dead letters')).toBeVisible()

  await streamManager(page).getByRole('tab', { name: 'Health' }).click()
  await expect(page.getByText('All services are healthy.')).toBeVisible()
})
