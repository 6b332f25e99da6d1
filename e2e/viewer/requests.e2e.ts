/// <reference lib="dom" />

import { run } from '@looptide/cli/run'
import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { recompute } from '@looptide/fairness/recompute'
import { testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'
import { expect, type Page } from '@playwright/test'
import { violations } from '../support/accessibility.ts'
import { addVideos, startClipChannel, youtubeIdFor } from '../support/channels.ts'
import { walkTo } from '../support/keys.ts'
import { signIn, signUp } from '../support/people.ts'
import { startSchedule } from '../support/schedules.ts'
import { expectToast, signInDirectly } from '../support/web-pages.ts'
import { test, useOwnStation } from '../support/web-station.ts'

// Its own station: here accounts may request at once, and vote after three seconds.
const web = useOwnStation({
  REQUESTS_MIN_ACCOUNT_AGE_HOURS: '0',
  VOTES_MIN_WATCH_MINUTES: '0.05',
})
const NAME = 'Open House'
const ARTISTS = ['Ada', 'Bela', 'Cleo', 'Dora', 'Emil']
/** For what audience and scheduler tell each other: queues are published every 10 s. */
const LONG_WAIT_MS = 60_000
/**
 * A slot for requests, then 25 minutes of clips. Only a restart of the channel brings such a slot so near that what it airs
 * is decided: until then viewers may withdraw.
 */
const SCHEDULE: ScheduleDocument = {
  timeZone: 'UTC',
  freezeMinutes: 0,
  defaultSource: 'clips',
  sources: { clips: { kind: 'playlist' } },
  clocks: {
    voted: [
      { source: 'votes', fallback: 'clips' },
      { source: 'clips', count: 30 },
    ],
  },
  blocks: [
    {
      id: 'all-day',
      name: 'All Day',
      days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
      from: '00:00',
      to: '24:00',
      clock: 'voted',
    },
  ],
}
let token: string
let channel: string
let videos: string[]

test.beforeAll(async () => {
  token = await signIn(web.url, testAdmin.email, testAdmin.password)
  channel = await startClipChannel(web.url, token, NAME)
  web.youtube.set(youtubeIdFor('Dora'), { title: 'Turned Away', durationS: 600 })
  web.youtube.set(youtubeIdFor('Emil'), { durationS: 420 })
  videos = await addVideos(web.url, token, ARTISTS)
  await startSchedule(web.url, token, channel, SCHEDULE)
})

/** A new viewer on a page, signed in. */
async function arrive(page: Page, name: string) {
  const viewer = await signUp(web.url, name)
  await signInDirectly(page, web.url, viewer)
  return viewer
}

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

/** A new viewer, whose requests and votes the client sends. */
const join = async (name: string) => clientOf(web.url, (await signUp(web.url, name)).accessToken)

/** A new viewer as of {@link join} who has watched long enough to vote. */
async function joinVoter(name: string) {
  const client = await join(name)
  await until('the viewer has watched long enough', async () => {
    const { watchedMs, neededMs } = await client.call('POST /api/channels/:id/watching', {
      params: { id: channel },
    })
    return watchedMs >= neededMs
  })
  return client
}

/** Opens the requests of the channel from the live page. */
async function openRequests(page: Page) {
  await page.goto(`${web.url}/live?channel=${channel}`)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Requests' }).click()
  return dialog(page, 'Requests')
}

/** What the details of a planned programme in the guide say. */
async function expectInGuide(page: Page, title: string, text: RegExp): Promise<void> {
  await page.goto(`${web.url}/live?channel=${channel}`)
  await page.getByRole('button', { name: 'TV Guide' }).click()
  const guide = dialog(page, 'TV Guide')
  await guide
    .getByRole('list', { name: NAME })
    .getByRole('button', { name: /All Day/ })
    .first()
    .click()
  await guide
    .getByRole('list', { name: 'Tracks' })
    .getByRole('button')
    .filter({ hasText: title })
    .first()
    .click()
  await expect(guide.getByRole('region', { name: title })).toContainText(text)
  expect(await violations(page)).toEqual([])
}

test('a viewer requests a video, another one votes for it after watching, and it is withdrawn', async ({
  page,
  browser,
}) => {
  await arrive(page, 'asker')
  await page.goto(`${web.url}/videos/${videos[0]}`)
  await page.getByRole('button', { name: 'Request' }).click()
  const request = dialog(page, 'Request this video?')
  await expect(request).toContainText(`It waits on ${NAME} until it is its turn`)
  expect(await violations(page)).toEqual([])
  await request.getByRole('button', { name: 'Request' }).click()
  await expectToast(page, `Requested on ${NAME}`)

  const other = await browser.newPage()
  await arrive(other, 'voter')
  // The first reports wait until the vote has been refused.
  const refused = Promise.withResolvers<void>()
  const report = `**/api/channels/${channel}/watching`
  await other.route(report, async (route) => {
    await refused.promise
    await route.continue()
  })
  const list = await openRequests(other)
  await expect(list.getByRole('listitem')).toContainText([/Ada.*by @asker/])
  const vote = list.getByRole('button', { name: /^Voted? for/ })
  await vote.click()
  await expectToast(other, 'Not counted', 'Watch for 3 seconds more, then vote.')
  const enough = other.waitForResponse(
    async (response) =>
      response.url().endsWith('/watching') &&
      (({ watchedMs, neededMs }) => watchedMs >= neededMs)(await response.json()),
  )
  refused.resolve()
  await enough
  const own = await openRequests(page)
  await expect(own.getByRole('button', { name: /^Vote for .*0 votes$/ })).toBeVisible()
  await vote.click()
  await expect(vote).toHaveAttribute('aria-pressed', 'true')
  await expect(vote).toHaveAccessibleName(/1 vote$/)
  expect(await violations(other)).toEqual([])

  await expect(own.getByRole('button', { name: /^Vote for .*1 vote$/ })).toBeVisible()

  // Who wants the same video finds the request that waits; its requester cannot make it twice.
  const another = await browser.newPage()
  const third = await arrive(another, 'third')
  for (const [at, text] of [
    [another, 'Already requested by @asker'],
    [page, 'You have requested it already: '],
  ] as const) {
    await at.goto(`${web.url}/videos/${videos[0]}`)
    await at.getByRole('button', { name: 'Request' }).click()
    await expect(dialog(at, 'Request this video?')).toContainText(text)
    expect(await violations(at)).toEqual([])
  }
  await expect(dialog(page, 'Request this video?').getByRole('button', { name: /Request/ })).toHaveCount(0)
  await dialog(another, 'Request this video?')
    .getByRole('button', { name: /^Vote for .* 1 vote$/ })
    .click()
  await expectToast(another, 'Not counted', /Watch for .* more, then vote\./)
  await dialog(another, 'Request this video?').getByRole('button', { name: 'Request Anyway' }).click()
  await expectToast(another, `Requested on ${NAME}`)
  await expect(list.getByRole('listitem')).toContainText([/by @asker/, /by @third/])
  await another.close()

  await openRequests(page)
  await expect(own).toContainText('1 of 3 wait.')
  await own.getByRole('button', { name: /^Withdraw/ }).click()
  await dialog(page, 'Withdraw this request?').getByRole('button', { name: 'Withdraw' }).click()
  await expect(list.getByRole('listitem')).toContainText([/by @third/])
  const client = clientOf(web.url, third.accessToken)
  for (const { id: requestId } of (await client.call('GET /api/me/requests', { query: {} })).items)
    await client.call('DELETE /api/requests/:requestId', { params: { requestId } })
  await expect(own).toContainText('No requests are waiting')
  await expect(list).toContainText('No requests are waiting')
  await other.close()
})

test('a request is in the guide, then on the air, and a visitor checks in the browser why it won', async ({
  page,
}) => {
  const [early, lucky] = [await joinVoter('early'), await joinVoter('lucky')]
  const [long, other] = [videos[3] ?? '', videos[4] ?? '']
  const params = { id: channel }
  const { id: first } = await early.call('POST /api/channels/:id/requests', {
    params,
    body: { videoId: long },
  })
  const { id: winner } = await lucky.call('POST /api/channels/:id/requests', {
    ...{ params, body: { videoId: other } },
  })
  await early.call('PUT /api/requests/:requestId/vote', { params: { requestId: first } })
  for (const requestId of [first, winner])
    await lucky.call('PUT /api/requests/:requestId/vote', { params: { requestId } })

  const visitor = clientOf(web.url)
  const inGuide = async () => {
    const { programmes } = await visitor.call('GET /api/channels/:id/guide', { params, query: { hours: 2 } })
    return programmes.flatMap(({ video }) => (video && [long, other].includes(video.id) ? [video.id] : []))
  }
  const stated = async () =>
    (await visitor.call('GET /api/channels/:id/requests', { params, query: {} })).items.map((request) => [
      request.id,
      request.state,
    ])
  await expect.poll(inGuide, { timeout: LONG_WAIT_MS }).toEqual([long, other])
  await expect.poll(stated, { timeout: LONG_WAIT_MS }).toEqual([
    [first, 'planned'],
    [winner, 'planned'],
  ])
  await expectInGuide(page, 'Turned Away', /Requested by\s*@early/)

  // The one with more votes is too long for the new rule, and the channel begins again with the slot for requests.
  const rules = { maxDurationMinutes: { value: 8, strength: 'hard' as const } }
  await startSchedule(web.url, token, channel, { ...SCHEDULE, rules })
  const receipt = await until(
    'the request is aired and has a receipt',
    () => visitor.call('GET /api/requests/:requestId/receipt', { params: { requestId: winner } }),
    { timeoutMs: LONG_WAIT_MS },
  )
  expect(receipt).toMatchObject({
    ...{ currency: 'vote', winner, isConsistent: true },
    passedOver: [{ request: first, rule: 'maxDurationMinutes' }],
  })
  expect(recompute(receipt)).toEqual({ isCorrect: true, receipt })

  const lines: string[] = []
  const add = (text: string) => void lines.push(text)
  // Without an account.
  const code = await run(['audience', 'verify', channel, '--from', '2020-01-01T00:00:00Z'], {
    ...{ env: { LOOPTIDE_URL: web.url }, out: add, err: add, ask: undefined },
  })
  expect(lines.join('\n')).toMatch(
    /Emil - .*: verified, no decision before to compare with; by vote, 2 ballots, digest [0-9a-f]{64}\n1 decision: 1 verified, 0 decided with other loads, 0 wrong; 0 pinned by staff\.$/,
  )
  expect(code).toBe(0)

  await page.goto(`${web.url}/live?channel=${channel}`)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Why is this on?' }).click()
  const why = dialog(page, 'Why is this on?').getByRole('region', { name: 'Request' })
  await expect(why).toContainText(/Requested by @lucky\w*\. It was next by votes/)
  await expect(why.getByRole('listitem')).toHaveText([
    'Turned Away – Dora: This video is longer than those that the channel plays.',
  ])
  await why.getByRole('button', { name: 'Check this decision' }).click()
  await expect(why.getByRole('status')).toHaveText(
    '✔ Your browser decided again from the receipt: the same request wins.',
  )
  expect(await violations(page)).toEqual([])
  const href = await why.getByRole('link', { name: 'Receipt' }).getAttribute('href')
  expect(await (await fetch(web.url + href)).json()).toEqual(receipt)
  await early.call('DELETE /api/requests/:requestId', { params: { requestId: first } })
})

test('a member requests a video and votes for it on a television, with six keys', async ({ page }) => {
  await page.setViewportSize({ width: 1920, height: 1080 })
  const viewer = await arrive(page, 'couch')
  await page.goto(`${web.url}/tv?channel=${channel}`)
  const press = async (name: string | RegExp) => {
    await walkTo(page, page.getByRole('button', { name }))
    await page.keyboard.press('Enter')
  }
  const enough = page.waitForResponse(
    async (response) =>
      response.url().endsWith('/watching') &&
      (({ watchedMs, neededMs }) => watchedMs >= neededMs)(await response.json()),
  )
  await expect(page.getByRole('region', { name: 'Live picture' })).toHaveAttribute('data-state', 'playing')
  await page.keyboard.press('Enter')
  await press('Requests')
  const panel = page.getByRole('region', { name: 'Requests' })
  await expect(panel).toContainText('No requests are waiting.')
  await press('Request a video')
  await page.keyboard.type('Bela')
  await press(/Bela/)
  await expect(page.getByRole('status', { name: 'Message' })).toContainText('Requested “')
  await expect(panel.getByRole('listitem')).toContainText([/Bela.*by @couch/])
  await enough
  await press(/Vote 0/)
  await expect(panel.getByRole('button', { name: /Voted 1/ })).toBeFocused()
  expect(await violations(page)).toEqual([])
  const client = clientOf(web.url, viewer.accessToken)
  const { items } = await client.call('GET /api/me/requests', { query: {} })
  for (const { id } of items)
    await client.call('DELETE /api/requests/:requestId', { params: { requestId: id } })
})

test('a visitor is asked to sign in, and reads what waits', async ({ page }) => {
  const client = await join('early')
  const body = { videoId: videos[1] ?? '' }
  const { id } = await client.call('POST /api/channels/:id/requests', { params: { id: channel }, body })
  await page.goto(`${web.url}/videos/${videos[1]}`)
  await page.getByRole('button', { name: 'Request' }).click()
  await expectToast(page, 'Sign In Required')
  const list = await openRequests(page)
  await expect(list.getByRole('listitem')).toContainText([/Bela/])
  await list.getByRole('button', { name: /^Voted? for/ }).click()
  await expectToast(page, 'Please sign in to vote')
  await client.call('DELETE /api/requests/:requestId', { params: { requestId: id } })
})

test('staff pin and refuse requests, exclude an artist and close the requests of a channel', async ({
  page,
  browser,
}) => {
  const asker = await browser.newPage()
  const eager = await arrive(asker, 'eager')
  const client = clientOf(web.url, eager.accessToken)
  for (const videoId of videos.slice(0, 2))
    await client.call('POST /api/channels/:id/requests', { params: { id: channel }, body: { videoId } })
  await signInDirectly(page, web.url, testAdmin)
  await page.goto(`${web.url}/admin/channels/${channel}?view=requests`)
  const own = (await openRequests(asker)).getByRole('list', { name: 'Your requests' })
  await expect(own.getByRole('listitem')).toContainText([/Bela/, /Ada/])
  const waiting = page.getByRole('list', { name: 'Waiting' }).getByRole('listitem')
  await expect(waiting).toContainText([/Ada/, /Bela/])

  await waiting.nth(1).getByRole('button', { name: /^Pin/ }).click()
  await expect(waiting).toContainText([/Bela.*Pinned/, /Ada/])
  await waiting
    .nth(1)
    .getByRole('button', { name: /^Refuse/ })
    .click()
  const refuse = dialog(page, 'Refuse this request?')
  await refuse.getByLabel('Reason').fill('Not on this channel.')
  await refuse.getByRole('button', { name: 'Refuse' }).click()
  await expect(waiting).toContainText([/Bela/])
  // Its requester is notified, and finds the reason later.
  await expectToast(asker, 'Your request was refused', 'Not on this channel.')
  await expect(own.getByRole('listitem')).toContainText([
    /Bela/,
    /Ada.*Refused by staff at .*: Not on this channel\./,
  ])
  expect(await violations(asker)).toEqual([])
  await expect(page.getByText('1 watching')).toBeVisible()
  await asker.close()
  // Who manages requests is no viewer.
  await expect(page.getByText('0 watching')).toBeVisible()

  await page.getByLabel('Artist').fill('Cleo')
  await page.getByRole('button', { name: 'Exclude' }).click()
  await expect(page.getByRole('list', { name: 'Cannot be requested' })).toContainText('Everything by Cleo')
  expect(await violations(page)).toEqual([])

  const viewer = await browser.newPage()
  await arrive(viewer, 'refused')
  await viewer.goto(`${web.url}/videos/${videos[2]}`)
  await viewer.getByRole('button', { name: 'Request' }).click()
  const request = dialog(viewer, 'Request this video?')
  await request.getByRole('button', { name: 'Request' }).click()
  await expect(request.getByRole('alert')).toHaveText('This video cannot be requested on this channel.')

  await page.getByRole('switch', { name: 'Accept new requests' }).click()
  await expect(page.getByText('Requests that wait stay, and can be on the air.')).toBeVisible()
  await request.getByRole('button', { name: 'Request' }).click()
  await expect(request.getByRole('alert')).toHaveText('This channel accepts no requests at present.')
  await viewer.close()
})

test('staff let every n-th programme of a channel without a schedule be a request', async ({ page }) => {
  const loop = await startClipChannel(web.url, token, 'Endless Loop')
  const params = { id: loop }
  await signInDirectly(page, web.url, testAdmin)
  await page.goto(`${web.url}/admin/channels/${loop}?view=requests`)
  await expect(page.getByText('This channel plays no requests')).toBeVisible()
  await page.getByRole('link', { name: 'Settings' }).click()
  const field = page.getByLabel('Every n-th programme is a request')
  await field.fill('1')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Enter a whole number from 2 to 100, or nothing')).toBeVisible()
  await field.fill('3')
  await page.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Channel Updated')
  expect(await violations(page)).toEqual([])

  const client = await join('looper')
  const body = { videoId: videos[2] ?? '' }
  const { id } = await client.call('POST /api/channels/:id/requests', { params, body })
  const visitor = clientOf(web.url)
  const planned = async () => {
    const { programmes } = await visitor.call('GET /api/channels/:id/guide', { params, query: { hours: 2 } })
    const at = programmes.findIndex((one) => one.kind === 'video' && one.video.id === videos[2])
    return programmes[at]
  }
  await expect.poll(planned, { timeout: LONG_WAIT_MS }).toMatchObject({ reason: { source: 'requests' } })
  await page.reload()
  await expect(page.getByLabel('Every n-th programme is a request')).toHaveValue('3')
  await page.getByLabel('Every n-th programme is a request').fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(planned).toBeUndefined()
  await client.call('DELETE /api/requests/:requestId', { params: { requestId: id } })

  await page.goto(`${web.url}/admin/audit`)
  const entry = page.getByRole('listitem').filter({ hasText: 'changed the channel Endless Loop' }).first()
  await entry.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect
    .poll(async () => {
      const { items } = await visitor.call('GET /api/channels', { query: {} })
      return items.find((one) => one.id === loop)?.requestEvery
    })
    .toBe(3)
  await clientOf(web.url, token).call('DELETE /api/channels/:id', { params })
})
