/// <reference lib="dom" />

import { testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'
import { expect, type Page } from '@playwright/test'
import { violations } from '../support/accessibility.ts'
import { addVideos, startChannel, youtubeIdFor } from '../support/channels.ts'
import { go } from '../support/keys.ts'
import { signIn, signUp } from '../support/people.ts'
import { expectToast, signInDirectly } from '../support/web-pages.ts'
import { test, useOwnStation } from '../support/web-station.ts'

// Its own station: requests, and with them likes, are off on the shared one.
const web = useOwnStation({ REQUESTS: 'on' })
const TITLE = 'Heart of Glass Bells'
let channel: string
let video: string

test.beforeAll(async () => {
  const token = await signIn(web.url, testAdmin.email, testAdmin.password)
  web.youtube.set(youtubeIdFor('Hearts'), { title: TITLE, durationS: 3000 })
  const [added = ''] = await addVideos(web.url, token, ['Hearts'])
  video = added
  channel = await startChannel(web.url, token, 'Heart Channel', [video])
})

/** A new viewer on a page, signed in. */
async function arrive(page: Page, name: string) {
  const viewer = await signUp(web.url, name)
  await signInDirectly(page, web.url, viewer)
  return clientOf(web.url, viewer.accessToken)
}

/** Waits until the catalogue has a number of likes of the video: audience publishes it every 5 s. */
const counted = (likes: number) =>
  until(`${likes} likes are counted`, async () => {
    const { likeCount } = await clientOf(web.url).call('GET /api/videos/:id', { params: { id: video } })
    return likeCount === likes
  })

const heart = (page: Page) => page.getByRole('button', { name: /^Like/ })
const likedList = (page: Page) =>
  page.getByRole('region', { name: 'Your Playlists' }).getByRole('listitem').first()

test('what is on the air is liked with the keyboard alone; others see it, and it is in Liked and on the home page', async ({
  page,
  browser,
}) => {
  await arrive(page, 'hearty')
  await page.goto(`${web.url}/live?channel=${channel}`)
  const more = page.getByRole('button', { name: 'More' })
  await expect(more).toBeVisible()
  await go(page, 'ArrowRight', more, 20)
  await page.keyboard.press('Enter')
  const item = page.getByRole('menuitemcheckbox', { name: 'Like' })
  await expect(item).toContainText(TITLE)
  await expect(item).toHaveAttribute('aria-checked', 'false')
  await go(page, 'ArrowDown', item)
  await page.keyboard.press('Enter')
  await expect(item).toHaveAttribute('aria-checked', 'true')
  await expect(item).toContainText('1 like')
  expect(await violations(page)).toEqual([])
  await counted(1)

  const other = await browser.newPage()
  await arrive(other, 'other')
  await other.goto(`${web.url}/videos/${video}`)
  await expect(heart(other)).toHaveAccessibleName('Like 1 like')
  await expect(heart(other)).toHaveAttribute('aria-pressed', 'false')
  await heart(other).press('Enter')
  await expect(heart(other)).toHaveAttribute('aria-pressed', 'true')
  await expect(heart(other)).toHaveAccessibleName('Like 2 likes')
  expect(await violations(other)).toEqual([])
  await counted(2)
  await other.goto(web.url)
  const row = other.getByRole('region', { name: 'Most Liked' })
  await expect(row.getByRole('button', { name: new RegExp(`${TITLE}.*2 likes`) })).toBeVisible()
  await other.close()

  await page.goto(`${web.url}/youtube-player?tab=playlists`)
  await expect(likedList(page)).toContainText('Liked1 video')
  await expect(likedList(page).getByRole('button', { name: /Delete/ })).toHaveCount(0)
  await likedList(page).getByRole('button', { name: 'Liked' }).press('Enter')
  const details = page.getByRole('region', { name: 'Playlist details' })
  await expect(details.getByRole('listitem')).toContainText([TITLE])
  await expect(details.getByRole('button', { name: 'Rename' })).toHaveCount(0)
  expect(await violations(page)).toEqual([])
  await details.getByRole('button', { name: 'Play', exact: true }).click()
  await expectToast(page, 'Playing "Liked"')
  await expect(page.getByRole('region', { name: 'Queue' }).getByRole('listitem')).toContainText([TITLE])
  await expect(heart(page)).toHaveAttribute('aria-pressed', 'true')

  await page.getByRole('tab', { name: 'Playlists' }).click()
  await details.getByRole('button', { name: `Remove ${TITLE}` }).press('Enter')
  await expectToast(page, 'Video removed from playlist')
  await counted(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await counted(2)
})

test('a visitor sees the number and is asked to sign in; a refused like is undone and says why', async ({
  page,
  browser,
}) => {
  const visitor = await browser.newPage()
  await visitor.goto(`${web.url}/videos/${video}`)
  await heart(visitor).click()
  await expectToast(visitor, 'Sign In Required', 'Please sign in to like videos')
  await expect(heart(visitor)).toHaveAttribute('aria-pressed', 'false')
  await visitor.close()

  await arrive(page, 'refused')
  await page.route('**/like', (route) =>
    route.fulfill({
      status: 409,
      json: { code: 'like_limit', message: 'You may like 5000 videos.', requestId: 'x' },
    }),
  )
  // A press counts also before the viewer's likes have been loaded.
  const pressed = Promise.withResolvers<void>()
  await page.route('**/api/me/likes*', async (route) => {
    await pressed.promise
    await route.continue()
  })
  await page.goto(`${web.url}/videos/${video}`)
  await heart(page).click()
  pressed.resolve()
  await expectToast(page, 'Could not like this video', 'You may like 5000 videos.')
  await expect(heart(page)).toHaveAttribute('aria-pressed', 'false')
})
