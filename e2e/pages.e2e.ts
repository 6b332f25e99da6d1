/// <reference lib="dom" />

import { DEFAULT_THEME } from '@looptide/contracts/http/admin'
import { testAdmin } from '@looptide/testkit/station'
import { expect, test } from '@playwright/test'
import { complaints } from './support/complaints.ts'
import { signIn } from './support/people.ts'
import { signInByForm } from './support/web-pages.ts'
import { useWebStation } from './support/web-station.ts'

const web = useWebStation()

test.describe('axe finds nothing', () => {
  test('on what visitors see', async ({ page }) => {
    await page.goto(web.url)
    for (const tab of ['Sign In', 'Quick Sign In', 'Sign Up']) {
      await page.getByRole('tab', { name: tab, exact: true }).click()
      expect(await complaints(page), tab).toEqual([])
    }
    for (const path of [
      '/search?q=a',
      '/search?q=nosuchthing',
      '/nowhere',
      '/firestick',
      '/members',
      '/videos',
    ]) {
      await page.goto(web.url + path)
      await expect(page.getByRole('heading', { level: 1 }).or(page.getByText('404'))).toBeVisible()
      await expect(page.getByText('Loading...')).toBeHidden()
      expect(await complaints(page), path).toEqual([])
    }
    for (const path of ['/auth/confirm?token_hash=x&type=magiclink', '/auth/confirm', '/auth/reset']) {
      await page.goto(web.url + path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      expect(await complaints(page), path).toEqual([])
    }
  })

  test('on the live page and its dialogs', async ({ page }) => {
    await page.goto(`${web.url}/live?channel=test-card`)
    await expect(page.getByRole('region', { name: 'Up Next' })).toBeVisible()
    await page.mouse.move(300, 300)
    await page.getByRole('button', { name: 'Chat', exact: true }).click()
    expect(await complaints(page), 'live').toEqual([])
    for (const button of ['TV Guide', 'Search', /^Sync/, /^Channels/]) {
      await page.getByRole('button', { name: button }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      expect(await complaints(page), String(button)).toEqual([])
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toBeHidden()
    }
  })

  test('on what members and admins see', async ({ page }) => {
    await signInByForm(page, web.url, testAdmin)
    await expect(page.getByRole('heading', { name: 'All Videos' })).toBeVisible()
    expect(await complaints(page), 'home').toEqual([])
    await page.getByRole('button', { name: /^More Info/ }).click()
    await expect(page.getByRole('button', { name: 'Play Now' })).toBeFocused()
    expect(await complaints(page), 'details').toEqual([])
    await page.getByRole('button', { name: 'Play Now' }).click()
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Pause' })).toBeVisible()
    expect(await complaints(page), 'player').toEqual([])
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await page.getByRole('button', { name: 'Account' }).click()
    await expect(page.getByRole('menu')).toBeVisible()
    expect(await complaints(page), 'menu').toEqual([])
    for (const path of ['/members', '/admin', '/admin?tab=channels']) {
      await page.goto(web.url + path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(
        page.getByRole('heading', { level: 2 }).or(page.getByLabel('Handle')).first(),
      ).toBeVisible()
      expect(await complaints(page), path).toEqual([])
    }
  })
})

test('a theme that an admin saves is put on by every open page', async ({ page }) => {
  await page.goto(`${web.url}/live?channel=test-card`)
  await expect(page.getByRole('button', { name: 'Sync: connected' })).toBeVisible()
  const token = await signIn(web.url, testAdmin.email, testAdmin.password)
  const theme = {
    ...DEFAULT_THEME,
    primaryColor: '#0e7490',
    backgroundColor: '#f8fafc',
    textColor: '#0f172a',
  }
  const save = (body: object) =>
    fetch(`${web.url}/api/theme`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const variable = (name: string) =>
    page.evaluate((name) => document.documentElement.style.getPropertyValue(name), name)
  await expect.poll(() => variable('--theme-primary')).toBe(DEFAULT_THEME.primaryColor)
  // The page listens a moment after it has been drawn: saved until it was heard.
  await expect(async () => {
    expect((await save(DEFAULT_THEME)).ok).toBe(true)
    expect((await save(theme)).ok).toBe(true)
    await expect.poll(() => variable('--theme-primary'), { timeout: 2_000 }).toBe('#0e7490')
  }).toPass()
  for (const path of ['/', '/search?q=a', '/live?channel=test-card']) {
    await page.goto(web.url + path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await complaints(page), path).toEqual([])
  }
  expect((await save(DEFAULT_THEME)).ok).toBe(true)
})

test('an address that does not exist says so and leads home', async ({ page }) => {
  await page.goto(`${web.url}/no/such/page`)
  await expect(page.getByText('404')).toBeVisible()
  await expect(page.getByText('Oops! Page not found')).toBeVisible()
  await page.getByRole('link', { name: 'Return to Home' }).click()
  await expect(page.getByRole('tab', { name: 'Sign In', exact: true })).toBeVisible()
})
