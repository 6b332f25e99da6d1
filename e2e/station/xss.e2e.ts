/// <reference lib="dom" />

import { randomUUID } from 'node:crypto'
import type { Playlist } from '@looptide/contracts/http/playlists'
import type { Profile } from '@looptide/contracts/http/users'
import { testAdmin } from '@looptide/test-station/station'
import { bearerOf, clientOf } from '@looptide/testkit/client'
import { expect, type Page } from '@playwright/test'
import { addVideos, startChannel, youtubeIdFor } from '../support/channels.ts'
import { signIn, signUp } from '../support/people.ts'
import { watchRefusals } from '../support/refusals.ts'
import { signInDirectly } from '../support/web-pages.ts'
import { test, useOwnStation } from '../support/web-station.ts'

const web = useOwnStation()

/** Markup that sets a variable if a page interprets it, in an element or in a quoted attribute. */
const markup = (name: string): string =>
  `${name}"'><img src=x onerror="window.mark=1"><script>window.mark=1</script>`

const IN = {
  title: markup('Title'),
  uploader: markup('Uploader'),
  about: markup('About'),
  channel: markup('Channel'),
  channelText: markup('Purpose'),
  artist: markup('Artist'),
  said: markup('Said'),
  list: markup('List'),
  listText: markup('Notes'),
  row: markup('Row'),
  reason: markup('Reason'),
  layout: markup('Layout'),
}

/** Creates data with markup in every field of users, admins and YouTube. */
async function writeEverywhere(): Promise<{ channel: string; video: string; list: string; handle: string }> {
  const admin = await signIn(web.url, testAdmin.email, testAdmin.password)
  const asAdmin = clientOf(web.url, admin)
  web.youtube.set(youtubeIdFor('Mischief'), {
    title: IN.title,
    channel: IN.uploader,
    description: IN.about,
  })
  const [video = ''] = await addVideos(web.url, admin, ['Mischief'])
  const channel = await startChannel(web.url, admin, IN.channel, [video])
  await asAdmin.call('PATCH /api/channels/:id', {
    params: { id: channel },
    body: { description: IN.channelText },
  })
  await asAdmin.call('POST /api/curation', {
    body: { videoId: video, sectionType: 'category', sectionName: IN.row },
  })

  const writer = await signUp(web.url, 'writer')
  const own = clientOf(web.url, writer.accessToken)
  const profile: Profile = await own.call('PATCH /api/profiles/:id', {
    params: { id: writer.id },
    body: { artistName: IN.artist },
  })
  const list: Playlist = await own.call('POST /api/playlists', {
    body: { name: IN.list, description: IN.listText },
  })
  await own.call('POST /api/playlists/:id/items', { params: { id: list.id }, body: { videoId: video } })
  await own.call('PATCH /api/playlists/:id', { params: { id: list.id }, body: { isPublic: true } })
  await expect
    .poll(async () => (await fetch(`${web.url}/api/chat/channels/${channel}/messages`)).ok)
    .toBe(true)
  await own.call('POST /api/chat/channels/:id/messages', {
    params: { id: channel },
    body: { clientId: randomUUID(), message: IN.said },
  })
  await asAdmin.call('POST /api/users/:id/restrictions', {
    params: { id: writer.id },
    body: {
      restrictionType: 'chat_banned',
      reason: IN.reason,
    },
  })
  return { channel, video, list: list.id, handle: profile.handle ?? '' }
}

/** Checks that the page shows these texts unchanged and no markup was interpreted. */
async function expectAsText(page: Page, path: string, texts: string[]): Promise<void> {
  for (const text of texts) await expect(page.locator('body'), path).toContainText(text)
  const found = await page.evaluate(() => ({
    mark: (window as unknown as { mark?: number }).mark,
    elements: document.querySelectorAll('img[src="x"], [onerror], body script:not([src])').length,
  }))
  expect(found, path).toEqual({ mark: undefined, elements: 0 })
}

test('user input and YouTube metadata are rendered as text on every page, without policy violations', async ({
  page,
}) => {
  const { channel, video, list, handle } = await writeEverywhere()
  const refusals = await watchRefusals(page)
  await signInDirectly(page, web.url, testAdmin)
  const pages: [path: string, texts: string[]][] = [
    ['/', [IN.row, IN.title]],
    ['/videos', [IN.title]],
    [`/videos/${video}`, [IN.title, IN.about]],
    ['/search?q=Title', [IN.title]],
    [`/playlists/${list}`, [IN.list, IN.listText, IN.title]],
    [`/members/${handle}`, [IN.artist, IN.list]],
    [`/history?channel=${channel}`, [IN.title]],
    ['/admin?tab=video-library', [IN.title]],
    ['/admin?tab=home-screen', [IN.row]],
    ['/admin?tab=channels', [IN.channel]],
    ['/admin?tab=user-management', [IN.reason]],
    ['/admin/audit', [IN.channel]],
    [`/live?channel=${channel}&open=guide`, [IN.channel, IN.title]],
  ]
  for (const [path, texts] of pages) {
    await page.goto(`${web.url}${path}`)
    await expectAsText(page, path, texts)
  }

  await page.goto(`${web.url}/live?channel=${channel}`)
  await page.getByRole('button', { name: 'Chat', exact: true }).click()
  await expectAsText(page, 'the chat', [IN.title, IN.said])
  await page.getByRole('button', { name: 'Channels' }).click()
  await expectAsText(page, 'the channels', [IN.channel, IN.channelText])

  await page.goto(`${web.url}/admin/pages`)
  await page.getByRole('button', { name: 'Add text' }).click()
  await page.getByLabel('Text', { exact: true }).fill(IN.layout)
  await expectAsText(page, 'the page editor', [IN.layout])
  expect(refusals).toEqual([])
})

test('script URLs, and markup in handles and colours, are refused on input', async () => {
  const admin = await signIn(web.url, testAdmin.email, testAdmin.password)
  const { id, accessToken } = await signUp(web.url)
  const theme = (await (await fetch(`${web.url}/api/theme`)).json()) as object
  const attempts: [token: string, method: string, path: string, body: object][] = [
    [accessToken, 'PATCH', `/api/profiles/${id}`, { handle: '<b>me</b>' }],
    [accessToken, 'PATCH', `/api/profiles/${id}`, { avatarUrl: 'javascript:window.mark=1' }],
    [accessToken, 'PATCH', `/api/profiles/${id}`, { avatarUrl: 'data:image/svg+xml,<svg onload=alert(1)>' }],
    [admin, 'PUT', '/api/theme', { ...theme, logoUrl: 'javascript:window.mark=1' }],
    [admin, 'PUT', '/api/theme', { ...theme, primaryColor: 'red;background:url(//evil.test)' }],
    [admin, 'PUT', '/api/theme', { ...theme, fontFamily: '"};</style><script>' }],
  ]
  for (const [token, method, path, body] of attempts) {
    const response = await fetch(`${web.url}${path}`, {
      method,
      headers: { ...bearerOf(token), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect([JSON.stringify(body), response.status]).toEqual([JSON.stringify(body), 400])
  }
})

test('the content security policy blocks injected script elements, handlers and URLs', async ({ page }) => {
  const refusals = await watchRefusals(page)
  await page.goto(`${web.url}/videos`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'window.mark = 1'
    document.body.append(script)
    document.body.insertAdjacentHTML(
      'beforeend',
      `<img src="data:," onerror="window.mark = 1"><a id="runs" href="javascript:window.mark = 1">run</a>
       <iframe srcdoc="<script>parent.mark = 1</script>"></iframe><base href="https://evil.test/">`,
    )
    document.querySelector<HTMLAnchorElement>('#runs')?.click()
  })
  await expect
    .poll(() => new Set(refusals.map((refusal) => refusal.split(' ', 1)[0])))
    .toEqual(new Set(['script-src-elem', 'script-src-attr', 'base-uri']))
  expect(await page.evaluate(() => (window as unknown as { mark?: number }).mark)).toBeUndefined()
  expect(await page.evaluate(() => document.baseURI.startsWith(location.origin))).toBe(true)
})
