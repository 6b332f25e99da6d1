/// <reference lib="dom" />

import { type Browser, expect, type Page } from '@playwright/test'
import { sidewaysScroll, violations } from '../support/accessibility.ts'
import { type Authenticator, addScreenLock, plugIn } from '../support/authenticators.ts'
import { expectToast, newPerson, type Person, signInDirectly } from '../support/web-pages.ts'
import { test, useSharedStation } from '../support/web-station.ts'

const web = useSharedStation()

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).press('Enter')
const passkeys = (page: Page) => page.getByRole('region', { name: 'Passkeys' })
const account = (page: Page) => page.getByRole('button', { name: 'Account', exact: true })

/** A separate device: a browser context with a platform authenticator that always verifies its user. */
async function newDevice(browser: Browser): Promise<{ page: Page; authenticator: Authenticator }> {
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${web.url}/robots.txt`)
  return { page, authenticator: await addScreenLock(page) }
}

async function member(name: string): Promise<Person> {
  const { email, password, ...rest } = newPerson(name)
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ email, password })
  expect((await fetch(`${web.url}/auth/v1/signup`, { method: 'POST', headers, body })).ok).toBe(true)
  return { email, password, ...rest }
}

async function addPasskey(page: Page, person: Person, name: string): Promise<void> {
  await signInDirectly(page, web.url, person)
  await page.goto(`${web.url}/members/sign-in`)
  await press(page, 'Add Passkey')
  const dialog = page.getByRole('dialog', { name: 'Add Passkey' })
  await dialog.getByLabel('Name of the new passkey').fill(name)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expectToast(page, 'Passkey Added', name)
  await expect(passkeys(page).getByRole('listitem').filter({ hasText: name })).toContainText('not used yet')
}

async function askWithPasskey(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.clear())
  await page.goto(web.url)
  await press(page, 'Sign in with a passkey')
}

async function signInWithPasskey(page: Page): Promise<void> {
  await askWithPasskey(page)
  await expect(account(page)).toBeVisible()
}

test('a member adds passkeys on two devices, signs in with both, renames one and removes the other', async ({
  browser,
}) => {
  const ann = await member('ann')
  const { page: phone, authenticator } = await newDevice(browser)
  await addPasskey(phone, ann, 'Phone')
  await press(phone, 'Add Passkey')
  await phone.getByRole('dialog').getByLabel('Name of the new passkey').press('Enter')
  await expectToast(phone, 'Passkey Not Added', 'This device already has a passkey of your account.')
  await press(phone, 'Cancel')
  await signInWithPasskey(phone)
  await expectToast(phone, 'Welcome back!', "You've successfully signed in.")
  await phone.goto(`${web.url}/members/sign-in`)
  await expect(passkeys(phone).getByRole('listitem')).toContainText('last used')

  const { page: laptop } = await newDevice(browser)
  await addPasskey(laptop, ann, 'Laptop')
  await signInWithPasskey(laptop)
  await laptop.goto(`${web.url}/members/sign-in`)
  await expect(passkeys(laptop).getByRole('listitem')).toHaveCount(2)
  expect(await violations(laptop)).toEqual([])
  await press(laptop, 'Rename Laptop')
  const dialog = laptop.getByRole('dialog', { name: 'Rename Passkey' })
  await expect(dialog).toBeVisible()
  expect(await violations(laptop)).toEqual([])
  await dialog.getByLabel('Name').fill('')
  await dialog.getByLabel('Name').press('Enter')
  await expect(dialog.getByLabel('Name')).toHaveAccessibleDescription(/Please enter a name/)
  await dialog.getByLabel('Name').fill('Old laptop')
  await dialog.getByLabel('Name').press('Enter')
  await expect(passkeys(laptop).getByText('Old laptop')).toBeVisible()
  await press(laptop, 'Remove Phone')
  await laptop.getByRole('button', { name: 'Remove Passkey' }).press('Enter')
  await expectToast(laptop, 'Passkey Removed', 'Phone')
  await expect(passkeys(laptop).getByRole('listitem')).toHaveCount(1)

  await askWithPasskey(phone)
  await expectToast(phone, 'Sign In Failed', 'This passkey was not accepted.')
  await signInWithPasskey(laptop)

  // A browser that has used a passkey offers it at the email field. Chromium's authenticator accepts immediately.
  await laptop.evaluate(() => localStorage.removeItem('looptide-session'))
  await laptop.goto(web.url)
  await expect(account(laptop)).toBeVisible()

  // A user who closes the browser's dialog, or whose fingerprint is not recognised.
  const { cdp, authenticatorId } = authenticator
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await askWithPasskey(phone)
  await expectToast(phone, 'Sign In Failed', 'The request was cancelled')
})

test('a copied passkey is refused, and its owner is notified by mail', async ({ browser }) => {
  const bob = await member('bob')
  const { page, authenticator: own } = await newDevice(browser)
  await addPasskey(page, bob, 'Security key')
  expect((await web.nextMail(bob.email)).subject).toContain('A passkey was added')
  const { authenticatorId: ownId } = own
  const { credentials } = await own.cdp.send('WebAuthn.getCredentials', { authenticatorId: ownId })
  await signInWithPasskey(page)

  const thief = await newDevice(browser)
  const { cdp, authenticatorId } = thief.authenticator
  const credential = { ...credentials[0]!, signCount: 0 }
  await cdp.send('WebAuthn.addCredential', { authenticatorId, credential })
  await askWithPasskey(thief.page)
  await expectToast(thief.page, 'Sign In Failed', 'This passkey was not accepted.')
  await expect(account(thief.page)).toBeHidden()
  expect((await web.nextMail(bob.email)).text).toContain('"Security key"')
  await signInWithPasskey(page)
})

/** Longer than a row on a phone. */
const KEY_NAME = 'Blue key on the key ring at home, the one with the scratch'

const twoStep = (page: Page) => page.getByRole('region', { name: 'Two-step verification' })

test('a security key without a PIN is added by keyboard, and is the second step of a sign-in', async ({
  browser,
}) => {
  const eve = await member('eve')
  const { page, authenticator: phone } = await newDevice(browser)
  const { cdp } = phone
  await signInDirectly(page, web.url, eve)
  await page.goto(`${web.url}/members/sign-in`)
  await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: phone.authenticatorId })
  const plain = { transport: 'usb', hasUserVerification: false, isUserVerified: false } as const
  const key = await plugIn(cdp, plain)

  await press(page, 'Use a Security Key')
  const dialog = page.getByRole('dialog', { name: 'Add a Security Key' })
  await expect(dialog).toBeVisible()
  expect(await violations(page, '[role="dialog"]')).toEqual([])
  await dialog.getByLabel('Name of the key').fill(KEY_NAME)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10)
  await press(page, 'I Have Saved Them')
  await expect(twoStep(page).getByRole('listitem')).toContainText('Security Key')
  // They may arrive in any order.
  const mails = [await web.nextMail(eve.email), await web.nextMail(eve.email)].map(({ text }) => text)
  for (const text of [/A security key was added/, /New recovery codes were created/])
    expect(mails).toContainEqual(expect.stringMatching(text))
  expect(await violations(page)).toEqual([])

  await page.setViewportSize({ width: 390, height: 844 })
  expect(await sidewaysScroll(page)).toEqual([])

  // The same key is not added twice.
  await press(page, 'Add Security Key')
  await page.getByRole('dialog', { name: 'Add a Security Key' }).getByLabel('Name').press('Enter')
  await expectToast(page, 'Security Key Not Added', 'This key is already a security key or passkey')
  await page.keyboard.press('Escape')

  const signInByPassword = async () => {
    await page.evaluate(() => localStorage.clear())
    await page.goto(web.url)
    await page.getByLabel('Email').fill(eve.email)
    await page.getByLabel('Password', { exact: true }).fill(eve.password)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Two-Step Verification' })).toBeFocused()
  }
  await signInByPassword()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: `Use ${KEY_NAME}` })).toBeFocused()
  await page.keyboard.press('Enter')
  await expectToast(page, 'Welcome back!')
  await expect(account(page)).toBeVisible()

  // A copy of the key, with an older counter, is refused; the key itself is still accepted.
  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId: key.authenticatorId })
  await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: key.authenticatorId })
  const copy = await plugIn(cdp, plain)
  const [own] = credentials
  await cdp.send('WebAuthn.addCredential', {
    authenticatorId: copy.authenticatorId,
    credential: { ...own!, signCount: 0 },
  })
  await signInByPassword()
  await press(page, `Use ${KEY_NAME}`)
  await expectToast(page, 'Sign In Failed', 'This security key was not accepted.')
  await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: copy.authenticatorId })
  const again = await plugIn(cdp, plain)
  const credential = { ...own!, signCount: own!.signCount + 5 }
  await cdp.send('WebAuthn.addCredential', { authenticatorId: again.authenticatorId, credential })
  await press(page, `Use ${KEY_NAME}`)
  await expect(account(page)).toBeVisible()
  await page.goto(`${web.url}/members/sign-in`)
  await press(page, `Remove ${KEY_NAME}`)
  await press(page, 'Remove Key')
  await expect(twoStep(page).getByRole('button', { name: 'Turn On' })).toBeVisible()
})
