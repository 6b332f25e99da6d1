/// <reference lib="dom" />

import { randomBytes, randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { withClient } from '@looptide/backing/database/set-up'
import { receiptOf } from '@looptide/fairness/receipt'
import { testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { expect, type Page } from '@playwright/test'
import { violations } from '../support/accessibility.ts'
import { addVideos, startClipChannel } from '../support/channels.ts'
import { signIn, signUp } from '../support/people.ts'
import { startSchedule } from '../support/schedules.ts'
import { expectToast, signInDirectly } from '../support/web-pages.ts'
import { test, useOwnStation } from '../support/web-station.ts'

// Its own station: requests are off on the shared one. Here accounts may request and vote at once.
const web = useOwnStation({
  REQUESTS: 'on',
  REQUESTS_MIN_ACCOUNT_AGE_HOURS: '0',
  VOTES_MIN_WATCH_MINUTES: '0',
})
const NAME = 'Open House'
const ARTISTS = ['Ada', 'Bela', 'Cleo']
let channel: string
let videos: string[]

test.beforeAll(async () => {
  const token = await signIn(web.url, testAdmin.email, testAdmin.password)
  channel = await startClipChannel(web.url, token, NAME)
  videos = await addVideos(web.url, token, ARTISTS)
  await startSchedule(web.url, token, channel, {
    timeZone: 'UTC',
    freezeMinutes: 0,
    defaultSource: 'clips',
    sources: { clips: { kind: 'playlist' } },
    clocks: {
      hour: [
        { source: 'requests', fallback: 'clips' },
        { source: 'clips', count: 2 },
      ],
    },
    blocks: [
      {
        id: 'all-day',
        name: 'All Day',
        days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
        from: '00:00',
        to: '24:00',
        clock: 'hour',
      },
    ],
  })
})

/** A new viewer on a page, signed in. */
async function arrive(page: Page, name: string) {
  const viewer = await signUp(web.url, name)
  await signInDirectly(page, web.url, viewer)
  return viewer
}

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

/** Stores the programmes of the next half hour as requests of a viewer that were aired, as audience stores them. */
async function airRequestsOf(userId: string): Promise<void> {
  const { programmes } = await clientOf(web.url).call('GET /api/channels/:id/now', {
    params: { id: channel },
  })
  await withClient(web.station.databaseUrl, async (client) => {
    await client.query('insert into audience.channels (id) values ($1) on conflict do nothing', [channel])
    for (const programme of programmes.slice(0, 30)) {
      const [winner, other] = [requestAt(1), requestAt(2)]
      const receipt = receiptOf(
        {
          ...{
            currency: 'vote',
            decidedAtMs: Date.now(),
            isConsistent: true,
            requests: [winner, other],
            winner,
          },
          ballots: [
            { account: 'one', load: 0, approved: [other.id] },
            { account: 'two', load: 0, approved: [other.id, winner.id] },
          ],
          passedOver: [{ request: other.id, rule: 'artistSeparationMinutes' }],
        },
        randomBytes(32),
      )
      for (const [request, title, airingId] of [
        [winner, 'On the Air', programme.id],
        [other, 'Turned Away', null],
      ] as const)
        await client.query(
          `insert into audience.requests (id, channel_id, user_id, video_id, title, artist_name, duration_ms,
            requested_at, state, finished_at, aired_at, airing_id, currency)
          values ($1, $2, $3, $4, $5, 'Dora', 1000, now(), 'aired', now(), now(), $6, 'vote')`,
          [request.id, channel, userId, randomUUID(), title, airingId],
        )
      await client.query(
        'insert into audience.receipts (request_id, body, digest, decided_at) values ($1, $2, $3, now())',
        [winner.id, gzipSync(JSON.stringify(receipt)), receipt.digest],
      )
    }
  })
}

const requestAt = (requestedAtMs: number) => ({
  ...{ id: randomUUID(), account: 'one', durationMs: 1000, requestedAtMs },
})

/** Opens the requests of the channel from the live page. */
async function openRequests(page: Page) {
  await page.goto(`${web.url}/live?channel=${channel}`)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Requests' }).click()
  return dialog(page, 'Requests')
}

test('a viewer requests a video, another one votes for it, and it is withdrawn', async ({
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
  const list = await openRequests(other)
  await expect(list.getByRole('listitem')).toContainText([/Ada.*by @asker/])
  const vote = list.getByRole('button', { name: /^Voted? for/ })
  await vote.click()
  await expect(vote).toHaveAttribute('aria-pressed', 'true')
  await expect(vote).toHaveAccessibleName(/1 vote$/)
  expect(await violations(other)).toEqual([])

  const own = await openRequests(page)
  await expect(own).toContainText('1 of your 3 requests wait')
  await own.getByRole('button', { name: /^Withdraw/ }).click()
  await dialog(page, 'Withdraw this request?').getByRole('button', { name: 'Withdraw' }).click()
  await expect(own).toContainText('No requests are waiting')
  await expect(list).toContainText('No requests are waiting')
  await other.close()
})

test('a visitor reads why a request is on, and the browser decides again from the receipt', async ({
  page,
}) => {
  const { id } = await signUp(web.url, 'lucky')
  await airRequestsOf(id)
  await page.goto(`${web.url}/live?channel=${channel}`)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Why is this on?' }).click()
  const why = dialog(page, 'Why is this on?').getByRole('region', { name: 'Request' })
  await expect(why).toContainText(/Requested by @lucky\w*\. It was next by votes/)
  await expect(why.getByRole('listitem')).toHaveText([
    'Turned Away – Dora: This artist was on a short time ago.',
  ])
  await why.getByRole('button', { name: 'Check this decision' }).click()
  await expect(why.getByRole('status')).toContainText('✔ Your browser decided again from the receipt')
  expect(await violations(page)).toEqual([])
  const href = await why.getByRole('link', { name: 'Receipt' }).getAttribute('href')
  expect(await (await fetch(web.url + href)).json()).toMatchObject({ currency: 'vote', isConsistent: true })
})

test('a visitor is asked to sign in, and reads what waits', async ({ page }) => {
  const client = clientOf(web.url, (await signUp(web.url, 'early')).accessToken)
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
  const { accessToken } = await signUp(web.url, 'eager')
  const client = clientOf(web.url, accessToken)
  for (const videoId of videos.slice(0, 2))
    await client.call('POST /api/channels/:id/requests', { params: { id: channel }, body: { videoId } })
  await signInDirectly(page, web.url, testAdmin)
  await page.goto(`${web.url}/admin/channels/${channel}?view=requests`)
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
