import { testAdmin } from '@looptide/testkit/station'
import { expect, type Page, test } from '@playwright/test'
import { signIn, signUp } from './support/people.ts'
import { expectToast, newPerson, signInByForm } from './support/web-pages.ts'
import { useWebStation } from './support/web-station.ts'

const web = useWebStation()

const openTab = async (page: Page, name: string) => {
  await page.goto(web.url)
  await page.getByRole('tab', { name, exact: true }).click()
}
const account = (page: Page) => page.getByRole('button', { name: 'Account' })
const submit = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test('a newcomer signs up, is in, signs out, and comes back with the password', async ({ page }) => {
  const ann = newPerson('ann')
  await openTab(page, 'Sign Up')
  await page.getByLabel('Full name').fill('Ann Example')
  await page.getByLabel('Email').fill(ann.email)
  await page.getByLabel('Password', { exact: true }).fill(ann.password)
  await page.getByLabel('Confirm password').fill(ann.password)
  await submit(page, 'Sign Up')
  await expectToast(page, 'Account Created Successfully!', 'You can now sign in with your credentials.')
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

test('forms that cannot be right are not sent', async ({ page }) => {
  await openTab(page, 'Sign Up')
  await page.getByLabel('Full name').fill('Bob')
  await page.getByLabel('Email').fill('bob@example.test')
  await page.getByLabel('Password', { exact: true }).fill('one password')
  await page.getByLabel('Confirm password').fill('another one')
  await submit(page, 'Sign Up')
  await expectToast(page, 'Password Mismatch', 'Passwords do not match')

  await openTab(page, 'Sign In')
  await page.getByLabel('Email').fill('nobody@example.test')
  await page.getByLabel('Password', { exact: true }).fill('wrong password')
  await submit(page, 'Sign In')
  await expectToast(page, 'Sign In Failed', 'Invalid login credentials')
})

test('a password can be looked at', async ({ page }) => {
  await page.goto(web.url)
  const field = page.getByLabel('Password', { exact: true })
  await field.fill('secret words')
  await expect(field).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(field).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Hide password' }).click()
  await expect(field).toHaveAttribute('type', 'password')
})

test('a magic link in the mail signs in, once', async ({ page, browser }) => {
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
  // In another browser than the one that asked, and looked at before it is used, as mail scanners do.
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

test('the six digits of the mail sign in where the link cannot be opened', async ({ page }) => {
  const dan = newPerson('dan')
  await openTab(page, 'Quick Sign In')
  await page.getByLabel('Email').fill(dan.email)
  await submit(page, 'Send Magic Link')
  const { code } = await web.nextMail(dan.email)
  await page.getByLabel('Or enter the 6-digit code').fill(code)
  await submit(page, 'Sign In with Code')
  await expect(account(page)).toBeVisible()
})

test('a forgotten password is replaced by way of the mail', async ({ page }) => {
  const person = await signUp(web.url, 'eve')
  await page.goto(web.url)
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByLabel('Email').fill(person.email)
  await submit(page, 'Send Reset Link')
  await expect(page.getByText('a mail with a link is on its way')).toBeVisible()

  const { link } = await web.nextMail(person.email)
  await page.goto(link)
  await submit(page, 'Continue')
  await page.getByLabel('New password').fill('brand new words 1')
  await page.getByLabel('Confirm password').fill('brand new words 1')
  await submit(page, 'Save Password')
  await expectToast(page, 'Password Changed')
  await account(page).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await signInByForm(page, web.url, { email: person.email, password: 'brand new words 1' })
})

test('somebody who is banned from the site is out at once and told so', async ({ page }) => {
  const person = await signUp(web.url, 'mallory')
  await signInByForm(page, web.url, person)
  const token = await signIn(web.url, testAdmin.email, testAdmin.password)
  const response = await fetch(`${web.url}/api/users/${person.id}/restrictions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ restrictionType: 'site_banned', reason: 'a test' }),
  })
  expect(response.ok).toBe(true)
  await expect(page.getByRole('tab', { name: 'Quick Sign In' })).toBeVisible({ timeout: 5_000 })
  await expectToast(page, 'You have been signed out')
})

test('only admins see the admin dashboard', async ({ page }) => {
  await page.goto(`${web.url}/admin`)
  await expectToast(page, 'Access Denied', 'Please sign in to access the admin dashboard')
  await expect(page).toHaveURL(`${web.url}/`)

  await signInByForm(page, web.url, await signUp(web.url, 'frank'))
  await page.goto(`${web.url}/admin`)
  await expectToast(page, 'Access Denied', 'Administrator access required for the admin dashboard')
  await expect(page).toHaveURL(`${web.url}/`)
})

test('a profile is changed by its owner', async ({ page }) => {
  await signInByForm(page, web.url, await signUp(web.url, 'gina'))
  await account(page).click()
  await page.getByRole('menuitem', { name: 'My Profile' }).click()
  await page.getByLabel('Handle').fill('no')
  await submit(page, 'Save Profile')
  await expect(page.getByText('3 to 30 letters, digits or _')).toBeVisible()
  await page.getByLabel('Handle').fill('gina_on_air')
  await submit(page, 'Save Profile')
  await expectToast(page, 'Profile Saved')
  await account(page).click()
  await expect(page.getByRole('menu')).toContainText('gina_on_air')
})
