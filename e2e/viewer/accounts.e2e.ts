/// <reference lib="dom" />

import { testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { type OpenIdProvider, startOpenIdProvider } from '@looptide/testkit/openid-provider'
import { expect, type Page } from '@playwright/test'
import { expectConnected } from '../support/live-watch.ts'
import { signIn, signUp } from '../support/people.ts'
import { expectToast, newPerson, ownTopicJoined, signInByForm, signInDirectly } from '../support/web-pages.ts'
import { test, useOwnStation } from '../support/web-station.ts'

let provider: OpenIdProvider
/** A station with an OpenID provider. */
const web = useOwnStation(async () => {
  provider = await startOpenIdProvider()
  const { issuer, clientId, clientSecret } = provider
  const company = { id: 'company', name: 'Company', issuer, clientId, clientSecret }
  return { OIDC_PROVIDERS: JSON.stringify([company]) }
})
test.afterAll(() => provider.stop())

const openTab = async (page: Page, name: string) => {
  await page.goto(web.url)
  await page.getByRole('tab', { name, exact: true }).click()
}
const account = (page: Page) => page.getByRole('button', { name: 'Account', exact: true })
const submit = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test('a new user signs up, signs out, and signs in with the password', async ({ page }) => {
  const ann = newPerson('ann')
  await openTab(page, 'Sign Up')
  await page.getByLabel('Full name').fill('Ann Example')
  await page.getByLabel('Email').fill(ann.email)
  await page.getByLabel('Password', { exact: true }).fill(ann.password)
  await page.getByLabel('Confirm password').fill(ann.password)
  await submit(page, 'Sign Up')
  await expectToast(page, 'Account Created Successfully!', 'You are signed in.')
  await expect(page.getByRole('heading', { name: 'All Videos' })).toBeVisible()

  await account(page).click()
  await expect(page.getByRole('menu')).toContainText(ann.email)
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(page.getByRole('tab', { name: 'Quick Sign In' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('tab', { name: 'Quick Sign In' })).toBeVisible()

  await signInByForm(page, web.url, ann)
  await expectToast(page, 'Welcome back!', "You've successfully signed in.")
  await page.reload()
  await expect(account(page)).toBeVisible()
})

test('a station without open sign-up says so instead of showing the form', async ({ page }) => {
  // The gateway writes the setting SIGN_UP into the page.
  let policy = 'invitation'
  await page.route(`${web.url}/`, async (route) => {
    const answer = await route.fetch()
    const body = (await answer.text()).replace('"signUp":"open"', `"signUp":"${policy}"`)
    await route.fulfill({ response: answer, body })
  })
  await openTab(page, 'Sign Up')
  await expect(page.getByRole('heading', { name: 'Accounts are by invitation' })).toBeVisible()
  await expect(page.getByLabel('Email')).toBeHidden()
  policy = 'closed'
  await openTab(page, 'Sign Up')
  await expect(page.getByRole('heading', { name: 'Sign-up is closed' })).toBeVisible()
})

test('invalid forms show the field and are not sent', async ({ page }) => {
  await page.goto(web.url)
  const email = page.getByLabel('Email')
  await email.press('Enter')
  await expect(email).toBeFocused()
  await expect(email).toHaveAccessibleDescription(/Please enter your email address/)
  await email.fill('nobody@example.test')
  await expect(email).toHaveAccessibleDescription('')
  const password = page.getByLabel('Password', { exact: true })
  await password.press('Enter')
  await expect(password).toHaveAccessibleDescription(/Please enter your password/)
  await password.fill('wrong password')
  await password.press('Enter')
  await expectToast(page, 'Sign In Failed', 'Invalid login credentials')

  // The typed email is kept in the other tabs.
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await expect(email).toHaveValue('nobody@example.test')
  await submit(page, 'Sign Up')
  await expect(page.getByLabel('Full name')).toBeFocused()
  await page.getByLabel('Full name').fill('Bob')
  await password.fill('one password')
  await page.getByLabel('Confirm password').fill('another one')
  await submit(page, 'Sign Up')
  await expectToast(page, 'Password Mismatch', 'Passwords do not match')
  await expect(page.getByLabel('Confirm password')).toHaveAccessibleDescription(/Passwords do not match/)
  await password.fill('password1')
  await expect(page.getByText('Password Mismatch')).toBeHidden()
  await page.getByLabel('Confirm password').fill('password1')
  await submit(page, 'Sign Up')
  await expectToast(page, 'Sign Up Failed', 'easy to guess')
  await expect(password).toBeFocused()
})

test('a password can be shown, and Caps Lock is reported', async ({ page }) => {
  await page.goto(web.url)
  const field = page.getByLabel('Password', { exact: true })
  await field.fill('secret words')
  await expect(field).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(field).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Hide password' }).click()
  await expect(field).toHaveAttribute('type', 'password')
  // Automation cannot toggle the lock state of the keyboard.
  await field.dispatchEvent('keydown', { key: 'A', modifierCapsLock: true })
  await expect(field).toHaveAccessibleDescription('Caps Lock is on')
})

test('an exception in the browser is shown as unexpected', async ({ page }) => {
  await page.addInitScript(() => {
    // As in a browser whose storage is full.
    const setItem = Storage.prototype.setItem
    Storage.prototype.setItem = function (key, text) {
      if (key.includes('code-verifier')) throw new DOMException('no room', 'QuotaExceededError')
      setItem.call(this, key, text)
    }
  })
  await openTab(page, 'Quick Sign In')
  await page.getByLabel('Email').fill(newPerson('full').email)
  await submit(page, 'Send Magic Link')
  await expectToast(page, 'Error', 'An unexpected error occurred')
})

test('a refused magic link shows the server’s message', async ({ page }) => {
  await page.route('**/auth/v1/otp*', (route) =>
    route.fulfill({
      status: 429,
      json: { code: 'over_email_send_rate_limit', message: 'Too many mails. Please wait.' },
    }),
  )
  await openTab(page, 'Quick Sign In')
  await page.getByLabel('Email').fill(newPerson('hasty').email)
  await submit(page, 'Send Magic Link')
  await expectToast(page, 'Failed to Send Code', 'Too many mails. Please wait.')
  await expect(page.getByRole('heading', { name: 'Check Your Email' })).toBeHidden()
})

test('an emailed magic link signs in once', async ({ page, browser }) => {
  const cleo = newPerson('cleo')
  await openTab(page, 'Quick Sign In')
  await page.getByLabel('Email').fill(cleo.email)
  await page.getByLabel('Full name (optional)').fill('Cleo')
  await submit(page, 'Send Magic Link')
  await expectToast(page, 'Magic Link Sent!', 'Please check your email for the verification code.')
  await expect(page.getByRole('heading', { name: 'Check Your Email' })).toBeVisible()
  await expect(page.getByText('The link expires in 1 hour.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send New Link' })).toBeVisible()

  const { link } = await web.nextMail(cleo.email)
  // In another browser than the requesting one, and after a mail scanner has fetched the link.
  const elsewhere = await browser.newContext()
  const visit = await elsewhere.newPage()
  await visit.goto(link)
  await visit.goto(link)
  await submit(visit, 'Sign In')
  await expect(account(visit)).toBeVisible()
  await expect(visit.getByRole('heading', { name: 'All Videos' })).toBeVisible()
  await account(visit).click()
  await expect(visit.getByRole('menu')).toContainText(cleo.email)
  await elsewhere.close()

  await page.goto(link)
  await submit(page, 'Sign In')
  await expect(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
})

test('the six-digit code of an email signs in and returns to the page', async ({ page }) => {
  const dan = newPerson('dan')
  await page.clock.install()
  await page.goto(`${web.url}/search?q=nothing`)
  await page.getByRole('link', { name: 'Sign In' }).click()
  await page.getByRole('tab', { name: 'Quick Sign In' }).click()
  await page.getByLabel('Email').fill(dan.email)
  await submit(page, 'Send Magic Link')
  const first = await web.nextMail(dan.email)
  const again = page.getByRole('button', { name: 'Send New Link' })
  await expect(again).toContainText(/in \d+ s/)
  await page.clock.fastForward('01:01')
  await expect(again).toHaveText('Send New Link')
  await again.click()
  const second = await web.nextMail(dan.email)

  const code = page.getByLabel('Or enter the 6-digit code')
  await code.fill('12345')
  await submit(page, 'Sign In with Code')
  await expect(code).toHaveAccessibleDescription(/6-digit code/)
  const wrong = ['111111', '222222', '333333'].find((digits) => ![first.code, second.code].includes(digits))
  await code.fill(wrong ?? '')
  await submit(page, 'Sign In with Code')
  await expectToast(page, 'Sign In Failed', 'Token has expired or is invalid')
  // A second mail does not invalidate the first one.
  await code.fill(first.code)
  await submit(page, 'Sign In with Code')
  await expect(account(page)).toBeVisible()
  await expect(page).toHaveURL(`${web.url}/search?q=nothing`)

  // An account without a password needs none to set its first one or to be deleted.
  await page.goto(`${web.url}/members`)
  await expect(page.getByLabel('Handle')).not.toHaveValue('')
  const handle = await page.getByLabel('Handle').inputValue()
  const list = page.getByRole('navigation', { name: 'My Profile' })
  await list.getByRole('link', { name: 'Sign-in' }).click()
  await submit(page, 'Set a Password')
  await expect(page.getByLabel('New password')).toBeVisible()
  await expect(page.getByLabel('Current password')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await list.getByRole('link', { name: 'Your data' }).click()
  await submit(page, 'Delete Account')
  await page.getByLabel(`Type ${handle} to confirm`).fill(handle)
  await submit(page, 'Delete My Account')
  await expectToast(page, 'Account Deleted')
  await expect(page.getByRole('tab', { name: 'Quick Sign In' })).toBeVisible()
})

test('a forgotten password is reset by email, and other devices are signed out', async ({
  page,
  browser,
}) => {
  const person = await signUp(web.url, 'eve')
  const elsewhere = await browser.newContext()
  const other = await elsewhere.newPage()
  await signInDirectly(other, web.url, person)
  await other.goto(web.url)
  await page.goto(web.url)
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await expect(page.getByRole('heading', { name: 'Reset your password' })).toBeVisible()
  await page.getByLabel('Email').fill(person.email)
  await submit(page, 'Send Reset Link')
  await expect(page.getByText('we sent an email with a link to')).toBeVisible()

  const { link } = await web.nextMail(person.email)
  await page.goto(link)
  await submit(page, 'Continue')
  await page.getByLabel('New password').fill('brand new words 1')
  await page.getByLabel('Confirm password').fill('brand new words 1')
  await submit(page, 'Save Password')
  await expectToast(page, 'Password Changed', 'Your other devices have been signed out.')
  await expectToast(other, 'You have been signed out', 'Your session has ended. Please sign in again.')
  await elsewhere.close()
  await account(page).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await signInByForm(page, web.url, { email: person.email, password: 'brand new words 1' })
})

test('a user banned from the site is signed out in every tab within a second, with the reason', {
  tag: '@clock',
}, async ({ page, context }) => {
  const person = await signUp(web.url, 'mallory')
  const watching = await context.newPage()
  const joined = Promise.all([page, watching].map(ownTopicJoined))
  await signInByForm(page, web.url, person)
  await watching.goto(`${web.url}/live?channel=test-card`)
  await expectConnected(watching)
  await joined
  const token = await signIn(web.url, testAdmin.email, testAdmin.password)
  await clientOf(web.url, token).call('POST /api/users/:id/restrictions', {
    params: { id: person.id },
    body: { restrictionType: 'site_banned', reason: 'a test' },
  })
  await expect(page.getByRole('tab', { name: 'Quick Sign In' })).toBeVisible({ timeout: 1_000 })
  await expectToast(page, 'You have been signed out', 'Your account has been banned: a test')
  await expectToast(watching, 'You have been signed out', 'Your account has been banned: a test')
  // Playback continues, because visitors can watch, too.
  await expect(watching).toHaveURL(`${web.url}/live?channel=test-card`)

  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await submit(page, 'Sign In')
  await expectToast(page, 'Sign In Failed', 'This account has been banned.')
})

test('a sign-out in one tab signs out the others, which say why', async ({ page, context }) => {
  await signInDirectly(page, web.url, await signUp(web.url, 'otto'))
  await page.goto(web.url)
  const other = await context.newPage()
  await other.goto(`${web.url}/members`)
  await expect(other.getByLabel('Handle')).toBeVisible()
  await account(page).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  // First, because it leaves by itself.
  await expectToast(other, 'You have been signed out', 'You signed out in another tab.')
  await expect(other.getByText('Sign in to see your profile')).toBeVisible()
  await expect(page.getByText('You have been signed out')).toHaveCount(0)
})

test('only the admin with the configured handle is welcomed as an administrator', async ({ page }) => {
  const token = await signIn(web.url, testAdmin.email, testAdmin.password)
  const { id, profile } = await clientOf(web.url, token).call('GET /api/me')
  expect(profile.handle, 'the handle of the first admin').toBe('admin')
  const rename = (handle: string) =>
    clientOf(web.url, token).call('PATCH /api/profiles/:id', { params: { id }, body: { handle } })
  await rename('first_of_many')
  await signInByForm(page, web.url, testAdmin)
  await expectToast(page, 'Welcome back!', "You've successfully signed in.")
  await account(page).click()
  await expect(page.getByText('Administrator', { exact: true })).toBeVisible()
  await expect(page.getByText('Welcome back, Administrator!')).toHaveCount(0)

  await rename('admin')
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  // The app first checks for unsaved changes of an admin. Leaving the page earlier would keep the session.
  await expect(account(page)).toHaveCount(0)
  await signInByForm(page, web.url, testAdmin)
  await expectToast(page, 'Welcome back, Administrator!')
})

test('only admins see the admin dashboard', async ({ page }) => {
  await page.goto(`${web.url}/admin`)
  await expectToast(page, 'Access Denied', 'Please sign in to access the admin dashboard')
  await expect(page).toHaveURL(`${web.url}/`)

  await signInDirectly(page, web.url, await signUp(web.url, 'frank'))
  const role = Promise.withResolvers<void>()
  await page.route('**/api/me', async (route) => {
    await role.promise
    await route.continue()
  })
  await page.goto(`${web.url}/admin`)
  await expect(page.getByRole('main').getByText('Loading...')).toBeVisible()
  role.resolve()
  await expectToast(page, 'Access Denied', 'Administrator access required for the admin dashboard')
  await expect(page).toHaveURL(`${web.url}/`)
})

test('a member links an account of a provider, signs in with it, and unlinks it', async ({ page }) => {
  const ann = await signUp(web.url)
  const login = newPerson('at-work').email
  provider.accounts.set(login, { email: login, email_verified: true })
  const linked = page.getByRole('region', { name: 'Linked accounts' })
  const logIn = async (name: string) => {
    await page.getByLabel('Login').fill(name)
    await submit(page, 'Continue')
  }

  await signInDirectly(page, web.url, ann)
  // The address of this section before the profile had pages.
  await page.goto(`${web.url}/members#linked-accounts`)
  await expect(page).toHaveURL(`${web.url}/members/sign-in#linked-accounts`)
  await expect(linked).toContainText('No account is linked.')
  await submit(page, 'Link Company')
  await logIn('somebody who is unknown there')
  await expectToast(page, 'Account Not Linked', 'refused or cancelled')
  await submit(page, 'Link Company')
  await logIn(login)
  await expectToast(page, 'Account Linked')
  const title = linked.getByRole('heading')
  await expect(title).toBeFocused()
  await expect(title).toBeInViewport()
  await expect(linked.getByRole('listitem')).toContainText(login)

  // The provider's session still exists, so one click is enough.
  await page.evaluate(() => localStorage.clear())
  await page.goto(`${web.url}/?next=/members/sign-in`)
  await submit(page, 'Continue with Company')
  await expectToast(page, 'Welcome back!', "You've successfully signed in.")
  await expect(page).toHaveURL(`${web.url}/members/sign-in`)
  await linked.getByRole('button', { name: 'Unlink Company' }).press('Enter')
  await submit(page, 'Unlink Account')
  await expectToast(page, 'Account Unlinked', 'Company')
  await expect(linked).toContainText('No account is linked.')

  // No account has this email, so a new one is created.
  await page.evaluate(() => localStorage.clear())
  await page.goto(web.url)
  await submit(page, 'Continue with Company')
  await expect(account(page)).toBeVisible()
  await account(page).click()
  await expect(page.getByRole('menu')).toContainText(login)

  await page.evaluate(() => localStorage.clear())
  await page.goto(`${web.url}/auth/callback?code=oidc_${'a'.repeat(43)}`)
  await expect(page.getByRole('alert')).toContainText('started in another browser')
})
