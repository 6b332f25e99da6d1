/// <reference lib="dom" />

import { withClient } from '@looptide/backing/database/set-up'
import { testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { expect, type Locator, type Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { violations } from '../support/accessibility.ts'
import { signUp } from '../support/people.ts'
import { expectToast, signInDirectly } from '../support/web-pages.ts'
import { test, useOwnStation } from '../support/web-station.ts'

const web = useOwnStation({ SECOND_FACTOR: 'required' })

const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name })
const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).first().press('Enter')
const storedToken = (page: Page): Promise<string> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('looptide-session') ?? '{}').access_token)

let secret = ''
const codeOfNow = (): string => new TOTP({ secret: Secret.fromBase32(secret) }).generate()

/** Moves the time of the admin's last code back by eleven minutes and refreshes the token. */
async function outdateFactor(page: Page): Promise<void> {
  await withClient(web.station.databaseUrl, (client) =>
    client.query(`update auth.sessions set factor_verified_at = now() - interval '11 minutes'
      where factor_verified_at is not null;
      update auth.factors set last_step = 0`),
  )
  const before = await storedToken(page)
  await page.evaluate(() => {
    const session = JSON.parse(localStorage.getItem('looptide-session') ?? '{}')
    localStorage.setItem('looptide-session', JSON.stringify({ ...session, expires_at: 1 }))
  })
  await page.reload()
  await expect.poll(() => storedToken(page)).not.toBe(before)
}

/** Waits for the dialog that asks for a code, and answers it by keyboard. */
async function confirmByCode(page: Page): Promise<void> {
  const question = dialog(page, 'Confirm It’s You')
  await expect(question.getByLabel('6-digit code')).toBeFocused()
  await page.keyboard.type(codeOfNow())
  await page.keyboard.press('Enter')
  await expect(question).toBeHidden()
}

/**
 * From now on, the next second dialog in the page is answered with Escape before anything else can run there. Returns a
 * function that waits for this key. The observer is in the page before this resolves: a key that is pressed next
 * cannot open the dialog unseen.
 */
async function escapeNextDialog(page: Page): Promise<() => Promise<void>> {
  const observed = await page.evaluateHandle(() => {
    const escaped = new Promise<void>((resolve) => {
      const key = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true })
      new MutationObserver((_changes, observer) => {
        if (document.querySelectorAll('[role="dialog"]').length < 2) return
        observer.disconnect()
        document.activeElement?.dispatchEvent(key)
        resolve()
      }).observe(document.body, { childList: true })
    })
    return { escaped }
  })
  return () => observed.evaluate(({ escaped }) => escaped)
}

test('an admin without a second factor can only set one up; then dangerous actions ask for a fresh code', async ({
  page,
}) => {
  await signInDirectly(page, web.url, testAdmin)
  await page.goto(`${web.url}/admin`)
  await expect(page.getByRole('heading', { name: 'Turn on two-step verification' })).toBeVisible()
  expect(await violations(page)).toEqual([])
  const refused = await clientOf(web.url, await storedToken(page)).send('GET /api/users')
  expect(await refused.json()).toMatchObject({ code: 'second_factor_required' })
  await page.getByRole('link', { name: 'Go to My Profile' }).press('Enter')
  await expect(page.getByText('Until you turn it on, you have the permissions of a viewer.')).toBeVisible()

  await press(page, 'Turn On')
  const enrolment = dialog(page, 'Add an Authenticator App')
  secret = ((await enrolment.locator('code').textContent()) ?? '').replaceAll(' ', '')
  await enrolment.getByLabel('6-digit code').focus()
  await page.keyboard.type(codeOfNow())
  await page.keyboard.press('Enter')

  // The codes are shown once: Escape or a click outside asks for confirmation before the dialog closes.
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const question = dialog(page, 'Close Without Saving?')
  for (const leave of [() => page.keyboard.press('Escape'), () => page.mouse.click(5, 5)]) {
    await leave()
    await expect(question).toBeVisible()
    expect(await violations(page, '[role="dialog"]')).toEqual([])
    await page.keyboard.press('Escape')
    await expect(question).toBeHidden()
    await expect(codes).toHaveCount(10)
  }
  await test.step('an Escape right after the confirmation appears closes the confirmation only', async () => {
    const escaped = await escapeNextDialog(page)
    await page.keyboard.press('Escape')
    await escaped()
    await expect(question).toBeHidden()
    await expect(codes).toHaveCount(10)
  })
  await press(page, 'I Have Saved Them')
  await expect(page.getByText('10 of 10 recovery codes left.')).toBeVisible()
  await page.goto(`${web.url}/admin`)
  await expect(page.getByRole('heading', { name: /Admin Dashboard$/ })).toBeVisible()

  await test.step('role changes, exports and deletions of many videos ask for a fresh code', async () => {
    const viewer = await signUp(web.url, 'rosa')
    const urls = Array.from({ length: 21 }, (_, n) => `https://youtu.be/factor${String(n).padStart(5, '0')}`)
    await clientOf(web.url, await storedToken(page)).call('POST /api/videos', { body: { urls } })

    await page.goto(`${web.url}/admin?tab=user-management`)
    await outdateFactor(page)
    await page.getByLabel('Search users').fill(viewer.email)
    const promote = async () => {
      await page.getByRole('button', { name: 'Viewer: change role of' }).click()
      const roles = page.getByRole('dialog', { name: /^Role of / })
      await roles.getByText('Moderator', { exact: true }).click()
      await roles.getByRole('button', { name: 'Change Role' }).click()
    }
    await promote()
    const asked = dialog(page, 'Confirm It’s You')
    await expect(asked).toBeVisible()
    expect(await violations(page, '[role="dialog"]')).toEqual([])
    // Escape cancels the action without changes.
    await page.keyboard.press('Escape')
    await expect(asked).toBeHidden()
    await expect(page.getByText('Confirm this action with your second factor.').first()).toBeVisible()
    await promote()
    await asked.getByLabel('6-digit code').fill('000000')
    await page.keyboard.press('Enter')
    await expect(asked.getByLabel('6-digit code')).toHaveAccessibleDescription(/wrong or was already used/)
    await asked.getByLabel('6-digit code').fill('')
    await confirmByCode(page)
    await expectToast(page, 'Role Changed', 'Moderator.')

    await page.goto(`${web.url}/admin/audit`)
    await outdateFactor(page)
    const download = page.waitForEvent('download')
    await press(page, 'Export CSV')
    await confirmByCode(page)
    await download
    await expectToast(page, 'Audit Log Exported')
  })

  await test.step('a deletion of many videos asks for a fresh code', async () => {
    await page.goto(`${web.url}/admin`)
    await outdateFactor(page)
    const library = page.getByRole('region', { name: /^Video Library/ })
    await library.getByRole('button', { name: 'Select All' }).click()
    await library.getByRole('button', { name: 'Delete', exact: true }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Delete/ })
      .click()
    await confirmByCode(page)
    await expectToast(page, 'Videos deleted')
  })
})
