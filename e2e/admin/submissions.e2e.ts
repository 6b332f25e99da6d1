/// <reference lib="dom" />

import type { AuditPage } from '@looptide/contracts/http/admin'
import { testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { type Browser, expect, type Page } from '@playwright/test'
import { violationsInThemes } from '../support/accessibility.ts'
import { signIn, signUp, type Viewer } from '../support/people.ts'
import { expectToast, signInDirectly } from '../support/web-pages.ts'
import { test, useOwnStation } from '../support/web-station.ts'

const web = useOwnStation()

let adminToken: string
let viewer: Viewer
let moderator: Viewer

test.beforeAll(async () => {
  adminToken = await signIn(web.url, testAdmin.email, testAdmin.password)
  viewer = await signUp(web.url, 'submitter')
  moderator = await signUp(web.url, 'reviewer')
  await clientOf(web.url, adminToken).call('PUT /api/users/:id/role', {
    params: { id: moderator.id },
    body: { role: 'moderator' },
  })
})

const watch = (id: string) => `https://www.youtube.com/watch?v=${id}`

/** Submits videos as the viewer, with these titles on YouTube. */
async function submit(...videos: readonly (readonly [id: string, title: string])[]): Promise<void> {
  for (const [id, title] of videos) web.youtube.set(id, { title, channel: 'The Newcomers', durationS: 200 })
  await clientOf(web.url, viewer.accessToken).call('POST /api/videos', {
    body: { urls: videos.map(([id]) => watch(id)) },
  })
}

const submissions = (page: Page) => page.getByRole('list', { name: 'Submitted videos' }).getByRole('listitem')

/** Signs in with another account in a separate browser context and opens a page. */
async function openAs(
  browser: Browser,
  account: { email: string; password: string },
  path: string,
): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await signInDirectly(page, web.url, account)
  await page.goto(web.url + path)
  return page
}

test('a submitted video is visible only to its submitter until a moderator accepts it', async ({
  page,
  browser,
}) => {
  web.youtube.set('submission1', { title: 'Garage Anthem', channel: 'The Newcomers', durationS: 200 })
  await signInDirectly(page, web.url, viewer)
  await page.goto(`${web.url}/youtube-player?tab=add`)
  await page.getByLabel('YouTube URL').fill(watch('submission1'))
  await page.getByRole('button', { name: 'Add Video', exact: true }).click()
  await expectToast(page, 'Video added successfully!', 'Only you can see new videos')
  await page.getByRole('tab', { name: 'Player', exact: true }).press('Enter')
  const queued = page.getByRole('region', { name: 'Queue' }).getByRole('listitem')
  await expect(queued).toContainText('Garage Anthem', { timeout: 30_000 })
  await expect(queued).toContainText('Waiting for review. Only you can see it.')

  const reviewer = await openAs(browser, moderator, '/')
  await reviewer.goto(`${web.url}/search?q=Garage+Anthem`)
  await expect(reviewer.getByText('Sorry video not found')).toBeVisible()

  await reviewer.getByRole('button', { name: 'Account', exact: true }).click()
  await reviewer.getByRole('menuitem', { name: 'Submissions' }).click()
  const row = submissions(reviewer).filter({ hasText: 'Garage Anthem' })
  await expect(row).toContainText('The Newcomers')
  await expect(row.getByRole('link', { name: /^@submitter/ })).toBeVisible()
  expect(await violationsInThemes(reviewer), 'the list').toEqual([])

  await row.getByRole('button', { name: 'Preview Garage Anthem' }).click()
  await expect(reviewer.getByRole('dialog', { name: 'Garage Anthem' })).toBeVisible()
  await reviewer.keyboard.press('Escape')

  await row.getByRole('button', { name: 'Accept Garage Anthem' }).click()
  await expect(reviewer.getByRole('dialog', { name: 'Accept this video?' })).toBeVisible()
  expect(await violationsInThemes(reviewer, '[role=dialog]'), 'the accept dialog').toEqual([])
  await reviewer.getByLabel('Category').selectOption('Classics')
  await reviewer.getByLabel('Add to channel').selectOption({ label: 'Test Card' })
  await expect(reviewer.getByRole('dialog')).toContainText('This playlist is shorter than an hour')
  await reviewer.getByRole('button', { name: 'Accept', exact: true }).click()
  // Both at once: the messages leave after a few seconds.
  await Promise.all([
    expectToast(reviewer, 'Video accepted', '1 video in Classics and on Test Card.'),
    expectToast(page, 'Video accepted', 'A video you added is now visible to everyone.'),
  ])
  await expect(row).toBeHidden()
  await expect(queued).not.toContainText('Waiting for review')
  await reviewer.goto(`${web.url}/search?q=Garage+Anthem`)
  await expect(reviewer.getByText('1 video(s) found')).toBeVisible()
  await expect
    .poll(async () =>
      JSON.stringify(
        await clientOf(web.url, adminToken).call('GET /api/channels/:id/playlist', {
          params: { id: 'test-card' },
        }),
      ),
    )
    .toContain('Garage Anthem')

  const { items: entries } = (await clientOf(web.url, adminToken).call('GET /api/audit', {
    query: { limit: 100 },
  })) as AuditPage
  expect(
    entries.filter(({ action }) => action === 'security_unauthorized_admin_attempt'),
    'everything on the page is for moderators',
  ).toEqual([])

  await reviewer.context().close()
})

test('a rejected video stays visible to its submitter, who can read the reason', async ({
  page,
  browser,
}) => {
  await submit(['submission2', 'Loud Noise'], ['submission3', 'Louder Noise'])
  const submitter = await openAs(browser, viewer, '/members/my-submissions')
  await signInDirectly(page, web.url, moderator)
  await page.goto(`${web.url}/submissions`)
  await expect(page.getByRole('region', { name: 'Two-step verification' })).toBeVisible()
  await expect(submissions(page).filter({ hasText: 'Louder Noise' })).toBeVisible({ timeout: 30_000 })
  await expect(submissions(page).filter({ hasText: 'Loud Noise' })).toBeVisible({ timeout: 30_000 })

  await page.getByRole('button', { name: 'Select all shown' }).click()
  await expect(page.getByText('2 of 2 selected')).toBeVisible()
  await page.getByRole('button', { name: 'Reject selected' }).click()
  const reject = page.getByRole('button', { name: 'Reject', exact: true })
  await expect(reject).toBeDisabled()
  await page.getByLabel('Reason').fill('Not a music video')
  expect(await violationsInThemes(page, '[role=dialog]'), 'the reject dialog').toEqual([])
  await reject.click()
  await Promise.all([
    expectToast(page, 'Videos rejected', '2 videos rejected. The submitters can read the reason.'),
    expectToast(submitter, '2 videos not accepted', 'Not a music video'),
  ])
  await expect(page.getByText('No submissions waiting')).toBeVisible()
  const own = submitter.getByRole('list', { name: 'Your submissions' }).getByRole('listitem')
  await expect(own.filter({ hasText: 'Loud Noise' })).toContainText('Not accepted')
  await expect(own.filter({ hasText: 'Loud Noise' })).toContainText('Reason: Not a music video')

  await page.getByRole('radio', { name: 'Rejected' }).check({ force: true })
  const row = submissions(page).filter({ hasText: 'Louder Noise' })
  await expect(row).toContainText('Reason: Not a music video')
  // A decision can be changed.
  await row.getByRole('button', { name: 'Accept Louder Noise' }).click()
  await page.getByRole('button', { name: 'Accept', exact: true }).click()
  await expectToast(page, 'Video accepted')
  await expect(own.filter({ hasText: 'Louder Noise' })).toContainText('Accepted')
  await page.getByRole('radio', { name: 'Accepted' }).check({ force: true })
  await expect(submissions(page).filter({ hasText: 'Louder Noise' })).toContainText('New Video Submissions')
  await submitter.context().close()
})

test('a submission without a title yet shows its address, and viewers see no video without a title', async ({
  page,
}) => {
  await web.station.halt('metadata-worker')
  await submit(['submission5', 'Unheard'], ['submission6', 'Unseen'])
  web.youtube.set('submission8', { title: 'Unlisted', channel: 'The Newcomers', durationS: 200 })
  await clientOf(web.url, adminToken).call('POST /api/videos', { body: { urls: [watch('submission8')] } })
  await signInDirectly(page, web.url, moderator)
  // A video without a title is in no list of viewers.
  await page.goto(`${web.url}/videos`)
  await expect(page.getByRole('heading', { level: 1, name: /^All Videos \(\d+\)/ })).toBeVisible()
  await expect(page.getByRole('main')).not.toContainText('Loading...')
  await page.goto(`${web.url}/submissions`)
  const row = submissions(page).filter({ hasText: watch('submission5') })
  await expect(row).toContainText('Loading...')
  await expect(row.getByRole('link', { name: watch('submission5') })).toHaveAttribute(
    'href',
    watch('submission5'),
  )
  await row.getByRole('button', { name: `Reject ${watch('submission5')}` }).click()
  await expect(page.getByRole('dialog')).toContainText(watch('submission5'))
  await page.keyboard.press('Escape')
  expect(await violationsInThemes(page), 'a list with addresses').toEqual([])
  await web.station.restart('metadata-worker')
  await expect(submissions(page).filter({ hasText: 'Unheard' })).toBeVisible({ timeout: 30_000 })
  await expect
    .poll(async () => (await clientOf(web.url).call('GET /api/videos', { query: { q: 'Unlisted' } })).total, {
      timeout: 30_000,
    })
    .toBe(1)
})

test('a moderator sees the artist and the genre that the submitter gave, on a phone as well', async ({
  page,
}) => {
  web.youtube.set('submission7', { title: 'Labelled', channel: 'The Newcomers', durationS: 200 })
  const genre = `Shed rock ${'of the northern coast '.repeat(3)}`.trim()
  const body = { urls: [watch('submission7')], artistName: 'The Shed', genre }
  await clientOf(web.url, viewer.accessToken).call('POST /api/videos', { body })
  await signInDirectly(page, web.url, moderator)
  const desktop = page.viewportSize()
  for (const size of [desktop, { width: 390, height: 844 }]) {
    if (size !== null) await page.setViewportSize(size)
    await page.goto(`${web.url}/submissions`)
    const row = submissions(page).filter({ hasText: 'Labelled' })
    await expect(row).toContainText('The Shed', { timeout: 30_000 })
    const label = row.getByText(`Genre: ${genre}`)
    await expect(label).toBeVisible()
    await label.scrollIntoViewIfNeeded()
    await expect(label).toBeInViewport({ ratio: 1 })
  }
})

test('an admin decides by keyboard alone in the dashboard, and the audit log records it', async ({
  page,
}) => {
  await submit(['submission4', 'Keyboard Concerto'])
  await signInDirectly(page, web.url, testAdmin)
  await page.goto(`${web.url}/admin?tab=submissions`)
  const row = submissions(page).filter({ hasText: 'Keyboard Concerto' })
  await expect(row).toBeVisible({ timeout: 30_000 })
  await row.getByRole('checkbox').press('Space')
  await page.getByRole('button', { name: 'Accept selected' }).press('Enter')
  await page.getByLabel('Category').press('M')
  await page.getByRole('button', { name: 'Accept', exact: true }).press('Enter')
  await expectToast(page, 'Video accepted', '1 video in Must Watch.')
  await page.goto(`${web.url}/admin/audit`)
  await expect(
    page.getByRole('listitem').filter({ hasText: 'accepted “Keyboard Concerto” into Must Watch' }).first(),
  ).toBeVisible()
})

test('viewers cannot open the list, and signed-out visitors are asked to sign in', async ({ page }) => {
  await page.goto(`${web.url}/submissions`)
  await expect(page.getByLabel('Email')).toBeVisible()
  await signInDirectly(page, web.url, await signUp(web.url, 'curious'))
  await page.goto(`${web.url}/submissions`)
  await expect(page.getByText('Only moderators can review submissions.')).toBeVisible()
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  await expect(page.getByRole('menuitem', { name: 'Submissions' })).toHaveCount(0)
})
