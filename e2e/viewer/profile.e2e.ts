/// <reference lib="dom" />

import { readFile } from 'node:fs/promises'
import { withClient } from '@looptide/backing/database/set-up'
import type { RestrictionType } from '@looptide/contracts/common'
import { testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { type Browser, expect, type Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { violations } from '../support/accessibility.ts'
import { signIn } from '../support/people.ts'
import { png } from '../support/png.ts'
import { expectToast, newPerson, type Person, signInDirectly } from '../support/web-pages.ts'
import { test, useOwnStation } from '../support/web-station.ts'

/** A station that requires confirmed emails. */
const web = useOwnStation({ MAIL_CONFIRMATION: 'on' })

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const password = (page: Page) => page.getByLabel('Password', { exact: true })
const section = (page: Page, name: string) => page.getByRole('region', { name })

/** Creates a user with a confirmed email, over HTTP and by mail. */
async function member(name: string): Promise<Person> {
  const person = newPerson(name)
  const post = (path: string, body: unknown) =>
    fetch(`${web.url}/auth/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await post('/signup', { email: person.email, password: person.password, data: { full_name: name } })
  const { code } = await web.nextMail(person.email)
  await post('/verify', { type: 'email', email: person.email, token: code })
  return person
}

/** The same user in another browser. */
async function elsewhere(browser: Browser, person: Person): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await signInDirectly(page, web.url, person)
  await page.goto(web.url)
  return page
}

async function restrict(token: string, userId: string, restrictionType: RestrictionType): Promise<void> {
  await clientOf(web.url, token).call('POST /api/users/:id/restrictions', {
    params: { id: userId },
    body: { restrictionType, reason: 'a test of manners' },
  })
}

async function userIdOf(handle: string): Promise<string> {
  return (await clientOf(web.url).call('GET /api/profiles/by-handle/:handle', { params: { handle } })).userId
}

async function handleOf(page: Page): Promise<string> {
  const field = page.getByLabel('Handle')
  await expect(field).not.toHaveValue('')
  return field.inputValue()
}

/** Opens a page of the profile by the list beside it. */
const openPage = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'My Profile' }).getByRole('link', { name, exact: true }).click()

test('a new user must confirm the email address before the first sign-in', async ({ page }) => {
  const ann = newPerson('ann')
  await page.goto(web.url)
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await page.getByLabel('Full name').fill('Ann Example')
  await page.getByLabel('Email').fill(ann.email)
  await password(page).fill(ann.password)
  await page.getByLabel('Confirm password').fill(ann.password)
  await press(page, 'Sign Up')
  await expectToast(page, 'Check Your Email!', 'confirmation link')
  await expect(page.getByRole('heading', { name: 'Check Your Email' })).toBeVisible()
  await expect(page.getByText('The link expires in 1 hour.')).toBeVisible()
  const first = await web.nextMail(ann.email)

  await page.reload()
  await page.getByLabel('Email').fill(ann.email)
  await password(page).fill(ann.password)
  await press(page, 'Sign In')
  await expectToast(page, 'Sign In Failed', 'Email not confirmed')
  await press(page, 'Send New Link')
  const second = await web.nextMail(ann.email)
  expect(second.link).not.toBe(first.link)
  await page.getByLabel('Or enter the 6-digit code').fill(second.code)
  await press(page, 'Confirm with Code')
  await expect(page.getByRole('button', { name: 'Account', exact: true })).toBeVisible()
})

test('a handle is validated while typing, a picture is resized, and both are public', async ({
  page,
  browser,
}) => {
  const [gina, rival] = [await member('gina'), await member('rival')]
  const other = await elsewhere(browser, rival)
  await other.goto(`${web.url}/members`)
  const taken = await handleOf(other)
  await other.context().close()

  await signInDirectly(page, web.url, gina)
  await page.goto(web.url)
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  await page.getByRole('menuitem', { name: 'My Profile' }).click()
  const handle = page.getByLabel('Handle')
  await handle.fill('no')
  await press(page, 'Save Profile')
  await expect(handle).toBeFocused()
  await expect(handle).toHaveAccessibleDescription(/3 to 30 letters, digits or _/)
  await handle.fill(taken.toUpperCase())
  await expect(handle).toHaveAccessibleDescription(/This handle is taken\./)
  await handle.fill('gina_on_air')
  await expect(handle).toHaveAccessibleDescription(/gina_on_air is free/)
  const artistName = page.getByLabel('Artist Name (optional)')
  await artistName.fill('Looptide Staff')
  await press(page, 'Save Profile')
  await expect(artistName).toHaveAccessibleDescription(/This name is reserved\. Please choose another one\./)
  await expect(artistName).toBeFocused()
  await artistName.fill('Gina & the Tides')
  await press(page, 'Save Profile')
  await expectToast(page, 'Profile Saved')

  const files = page.getByLabel('Picture file')
  await files.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
  await expectToast(page, 'Error', 'This file is not a supported picture.')
  await files.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: png(900, 600) })
  await expectToast(page, 'Picture Saved')
  const picture = page.getByRole('main').locator('img').first()
  await expect(picture).toHaveAttribute('src', /^\/api\/profiles\/.+\/avatar\//)
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(512)

  await press(page, 'Use a URL')
  await page.getByLabel('Picture URL').fill('https://pictures.example.test/me.png')
  await press(page, 'Use This Picture')
  await expect(page.getByLabel('Picture URL')).toHaveAccessibleDescription(/cannot be shown here/)
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: 'View Public Page' }).click()
  await expect(page.getByRole('heading', { name: 'Gina & the Tides' })).toBeVisible()
  await expect(page.getByText('@gina_on_air')).toBeVisible()
  await expect(page.getByText('No public playlists yet')).toBeVisible()
  await page.goto(`${web.url}/members/nobody_at_all`)
  await expect(page.getByRole('heading', { level: 1, name: 'No user named @nobody_at_all' })).toBeVisible()

  await page.goto(`${web.url}/members`)
  await press(page, 'Remove')
  await expectToast(page, 'Picture Removed')
  await expect(page.getByRole('main').locator('img')).toHaveCount(0)
})

test('the user changes email and password and signs out devices', async ({ page, browser }) => {
  const hugo = await member('hugo')
  const next = newPerson('hugo-next').email
  await signInDirectly(page, web.url, hugo)
  const other = await elsewhere(browser, hugo)
  await page.goto(`${web.url}/members/my-devices`)

  const devices = section(page, 'Your devices')
  await expect(devices.getByRole('listitem').filter({ hasText: 'This device' })).toContainText(
    'Chrome on Linux',
  )
  await devices.getByRole('button', { name: /^Sign Out \d other devices?$/ }).click()
  await expectToast(page, 'Signed Out')
  await expectToast(other, 'You have been signed out')
  await expect(devices.getByText('You are not signed in on other devices.')).toBeVisible()
  await other.context().close()
  const signIns = section(page, 'Recent sign-ins').getByRole('listitem')
  await expect(signIns.filter({ hasText: 'Password' }).first()).toContainText('Chrome on Linux')

  await openPage(page, 'Sign-in')
  await expect(page).toHaveURL(`${web.url}/members/sign-in`)
  await expect(page).toHaveTitle(/^Sign-in · My Profile · /)
  await expect(page.getByRole('heading', { level: 1, name: 'Sign-in' })).toBeFocused()
  await expect(page.getByLabel('Current password')).toHaveCount(0)
  await press(page, 'Change Password')
  await page.getByLabel('Current password').fill('not it')
  await page.getByLabel('New password').fill('brand new words 2')
  await page.getByLabel('Confirm password').fill('brand new words 2')
  await press(page, 'Save Password')
  await expectToast(page, 'Password Not Changed', 'The current password is incorrect.')
  await expect(page.getByLabel('Current password')).toBeFocused()
  await page.getByLabel('Current password').fill(hugo.password)
  await press(page, 'Save Password')
  await expectToast(page, 'Password Changed')
  expect((await web.nextMail(hugo.email)).subject).toMatch(/password of your .* was changed/)

  const address = section(page, 'Email address')
  await expect(page.getByRole('dialog')).toBeHidden()
  await press(page, 'Change Email')
  const asked = page.getByRole('dialog', { name: 'Change Email' })
  await asked.getByLabel('New email').fill(next)
  await asked.getByRole('button', { name: 'Change Email' }).click()
  await expect(address.getByText('Waiting for both addresses to confirm.')).toBeVisible()
  await expect(address.getByRole('listitem')).toHaveCount(2)
  const [old, fresh] = [await web.nextMail(hugo.email), await web.nextMail(next)]
  await page.goto(old.link)
  await press(page, 'Confirm')
  await expect(page.getByRole('heading', { name: 'One more confirmation' })).toBeVisible()
  await page.getByRole('link', { name: 'Go to my profile' }).click()
  await expect(address.getByRole('listitem').filter({ hasText: hugo.email })).toContainText('Confirmed')
  await page.goto(fresh.link)
  await press(page, 'Confirm')
  await expectToast(page, 'Email Confirmed')
  await expect(page).toHaveURL(`${web.url}/members/sign-in`)
  await expect(address.getByText(next)).toBeVisible()
  await expect(address.getByRole('button', { name: 'Change Email' })).toBeVisible()
})

test('two-step verification is turned on, asked for after a password and a link, and turned off', async ({
  page,
}) => {
  const cleo = await member('cleo')
  await signInDirectly(page, web.url, cleo)
  await page.goto(`${web.url}/members/sign-in`)
  const twoStep = section(page, 'Two-step verification')
  await twoStep.getByRole('button', { name: 'Turn On' }).press('Enter')
  await expect(page.getByRole('img', { name: 'QR code of the secret below' })).toBeVisible()
  const secret = ((await page.getByRole('dialog').locator('code').textContent()) ?? '').replaceAll(' ', '')
  const codeIn = (steps: number) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })
  await page.getByLabel('6-digit code').fill('000000')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('6-digit code')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('6-digit code').fill(codeIn(0))
  await page.keyboard.press('Enter')
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const recoveryCode = (await codes.first().textContent()) ?? ''
  await page.getByRole('button', { name: 'I Have Saved Them' }).press('Enter')
  await expect(twoStep.getByText('10 of 10 recovery codes left.')).toBeVisible()
  await expect(twoStep.getByRole('button', { name: 'Add Another App' })).toBeFocused()

  // After the password, and after a reload, only the second step is shown.
  await page.evaluate(() => localStorage.clear())
  await page.goto(web.url)
  await page.getByLabel('Email').fill(cleo.email)
  await password(page).fill(cleo.password)
  await press(page, 'Sign In')
  await expect(page.getByLabel('6-digit code')).toBeFocused()
  await page.goto(`${web.url}/members`)
  await expect(page.getByText('Sign in to see your profile')).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click()
  await page.getByLabel('6-digit code').fill(codeIn(1))
  await page.keyboard.press('Enter')
  await expectToast(page, 'Welcome back!')
  await expect(page.getByLabel('Handle')).toBeVisible()

  await page.evaluate(() => localStorage.clear())
  await page.goto(web.url)
  await page.getByRole('tab', { name: 'Quick Sign In' }).click()
  await page.getByLabel('Email').fill(cleo.email)
  await press(page, 'Send Magic Link')
  // Besides the link, two mails about the changes were sent. They may arrive in any order.
  const mails = [
    await web.nextMail(cleo.email),
    await web.nextMail(cleo.email),
    await web.nextMail(cleo.email),
  ]
  const subjects = mails.map(({ subject }) => subject)
  for (const subject of [/Two-step verification was turned on/, /New recovery codes/])
    expect(subjects).toContainEqual(expect.stringMatching(subject))
  await page.goto(mails.find(({ link }) => link !== '')?.link ?? '')
  await press(page, 'Sign In')
  await press(page, 'Use a recovery code')
  await expect(page.getByLabel('Recovery code')).toBeFocused()
  await page.keyboard.type(recoveryCode.toUpperCase())
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Account', exact: true })).toBeVisible()
  await page.goto(`${web.url}/members/sign-in`)
  await expect(twoStep.getByText('9 of 10 recovery codes left.')).toBeVisible()
  const renew = twoStep.getByRole('button', { name: 'Create New Recovery Codes' })
  await renew.press('Enter')
  await page.getByRole('button', { name: 'Create New Codes' }).press('Enter')
  await page.getByRole('button', { name: 'I Have Saved Them' }).press('Enter')
  await expect(renew).toBeFocused()
  await twoStep.getByRole('button', { name: 'Remove Authenticator app' }).click()
  await press(page, 'Remove App')
  await expect(twoStep.getByRole('button', { name: 'Turn On' })).toBeVisible()
})

test('an access token is created, shown once, used and revoked; all data is downloaded', async ({ page }) => {
  const person = await member('automator')
  await signInDirectly(page, web.url, person)
  await page.goto(`${web.url}/members/my-devices`)
  const tokens = section(page, 'Access tokens')
  await expect(tokens.getByText('You have no access tokens.')).toBeVisible()
  await press(page, 'New Token')
  const dialog = page.getByRole('dialog')
  await press(page, 'Create Token')
  await expect(dialog.getByText('Please enter a name')).toBeVisible()
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await dialog.getByLabel('Name').fill('Nightly backup')
  await dialog.getByLabel('Expires').selectOption('In 7 days')
  await dialog.getByRole('checkbox', { name: /^playlists/ }).check()
  await expect(dialog.getByRole('checkbox', { name: /^schedules/ })).toBeHidden()
  await press(page, 'Create Token')
  const token = (await dialog.getByLabel('Access token').textContent()) ?? ''
  expect(token).toMatch(/^looptide_pat_[\w-]{48}$/)
  await press(page, 'I Have Saved It')

  const script = clientOf(web.url, token)
  expect((await script.send('GET /api/playlists')).status).toBe(200)
  expect((await script.send('GET /api/me/sessions')).status).toBe(403)
  await page.reload()
  const row = tokens.getByRole('listitem')
  await expect(row).toContainText('read, playlists')
  await expect(row).toContainText('last used')
  await expect(page.getByText(token)).toHaveCount(0)
  await row.getByRole('button', { name: 'Revoke Nightly backup' }).click()
  await press(page, 'Revoke Token')
  await expectToast(page, 'Access Token Revoked')
  await expect(tokens.getByText('You have no access tokens.')).toBeVisible()
  await expect.poll(async () => (await script.send('GET /api/playlists')).status).toBe(401)

  // A session of long ago is asked for the password once more.
  await openPage(page, 'Profile')
  const userId = await userIdOf(await handleOf(page))
  await withClient(web.station.databaseUrl, (client) =>
    client.query(`update auth.sessions set created_at = now() - interval '40 days' where user_id = $1`, [
      userId,
    ]),
  )
  await openPage(page, 'Your data')
  await press(page, 'Download My Data')
  await expect(page.getByRole('heading', { name: 'Confirm It’s You' })).toBeVisible()
  const again = dialog.getByRole('textbox', { name: 'Password' })
  await again.fill('not it')
  await page.keyboard.press('Enter')
  await expect(again).toHaveAttribute('aria-invalid', 'true')
  await again.fill(person.password)
  const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  expect(file.suggestedFilename()).toMatch(/ data\.json$/)
  const data = JSON.parse(await readFile(await file.path(), 'utf8'))
  expect(data.account).toMatchObject({ email: person.email, hasPassword: true, accessTokens: [] })
  const parts = [
    'account',
    'playlists',
    'videos',
    'messages',
    'reports',
    'decisions',
    'requests',
    'votes',
    'loads',
    'likes',
    'polls',
    'reminders',
    'reminder-devices',
  ]
  expect(Object.keys(data)).toEqual(['exportedAt', ...parts])
  await expectToast(page, 'Download Complete')
})

test('a session of long ago without a password is confirmed by mail, and ends access tokens on request', async ({
  page,
  browser,
}) => {
  const person = await member('returner')
  const token = await signIn(web.url, person.email, person.password)
  const createToken = async (name: string) => {
    await clientOf(web.url, token).call('POST /api/me/tokens', {
      body: { name, scopes: ['read'], lifetimeDays: 7 },
    })
  }
  await createToken('First')
  await signInDirectly(page, web.url, person)
  const tokens = section(page, 'Access tokens').getByRole('listitem')
  const devices = section(page, 'Your devices')

  await test.step('signing out the other devices revokes the access token if that is chosen', async () => {
    await page.goto(`${web.url}/members/my-devices`)
    await expect(tokens).toHaveCount(1)
    await devices.getByRole('checkbox', { name: 'Revoke my access token too' }).check()
    await devices.getByRole('button', { name: /^Sign Out \d other devices$/ }).click()
    await expectToast(page, 'Signed Out', 'other devices signed out.')
    await expect(tokens).toHaveCount(0)
  })

  await test.step('adding an app asks for a code by mail, and revokes access tokens if that is chosen', async () => {
    const other = await elsewhere(browser, person)
    await openPage(page, 'Profile')
    const userId = await userIdOf(await handleOf(page))
    await withClient(web.station.databaseUrl, (client) =>
      client.query(
        `insert into auth.personal_tokens (id, user_id, token_digest, name, scopes, has_factor, created_at, expires_at)
          select gen_random_uuid(), '${userId}', sha256(n::text::bytea), 'Token ' || n, '{read}', false, now(),
            now() + interval '1 day' from generate_series(1, 2) n;
        update auth.users set password_hash = null where id = '${userId}';
        update auth.sessions set created_at = now() - interval '40 days' where user_id = '${userId}'`,
      ),
    )
    await page.reload()
    await openPage(page, 'Devices')
    await expect(tokens).toHaveCount(2)
    await openPage(page, 'Sign-in')
    await section(page, 'Two-step verification').getByRole('button', { name: 'Turn On' }).click()
    const again = page.getByRole('dialog', { name: 'Confirm It’s You' })
    await expect(again.getByText('We will email you a code to continue.')).toBeVisible()
    expect(await violations(page, '[role="dialog"]')).toEqual([])
    await again.getByRole('button', { name: 'Send Code' }).click()
    const mailed = again.getByLabel('Code from the email')
    await mailed.fill('000000')
    // Notices about the token and the other devices came before.
    let code = ''
    while (code === '') code = (await web.nextMail(person.email)).code
    await page.keyboard.press('Enter')
    await expect(mailed).toHaveAttribute('aria-invalid', 'true')
    await mailed.fill(code)
    await page.keyboard.press('Enter')
    const app = page.getByRole('dialog', { name: 'Add an Authenticator App' })
    const secret = ((await app.locator('code').textContent()) ?? '').replaceAll(' ', '')
    await expect(again).toBeHidden()
    await app.getByRole('checkbox', { name: 'Revoke my 2 access tokens too' }).check()
    await app.getByLabel('6-digit code').fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate())
    await page.keyboard.press('Enter')
    await press(page, 'I Have Saved Them')
    await openPage(page, 'Devices')
    await expect(section(page, 'Access tokens').getByText('You have no access tokens.')).toBeVisible()
    await expect(devices.getByText('You are not signed in on other devices.')).toBeVisible()
    await other.context().close()
  })
})

test('unsaved text survives the end of the session', async ({ page, browser }) => {
  const iris = await member('iris')
  await signInDirectly(page, web.url, iris)
  await page.goto(`${web.url}/members`)
  await page.getByLabel('Artist Name (optional)').fill('Half a na')
  const other = await elsewhere(browser, iris)
  await other.goto(`${web.url}/members/my-devices`)
  await section(other, 'Your devices').getByRole('button', { name: 'Sign out Chrome on Linux' }).click()
  await expectToast(other, 'Signed Out')
  await expectToast(page, 'You have been signed out', 'Your session has ended. Please sign in again.')
  await expect(page).toHaveURL(`${web.url}/members`)
  await expect(page.getByText('Your changes are saved until then.')).toBeVisible()
  await other.context().close()
  const visitor = await browser.newPage()
  await visitor.goto(`${web.url}/members`)
  await expect(visitor.getByText('Sign in to see your profile')).toBeVisible()
  await expect(visitor.getByText('Your changes are saved until then.')).toBeHidden()
  await visitor.close()

  await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click()
  await page.getByLabel('Email').fill(iris.email)
  await password(page).fill(iris.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${web.url}/members`)
  await expect(page.getByLabel('Artist Name (optional)')).toHaveValue('Half a na')
})

test('a restriction imposed while the socket is down is shown once it is connected again', async ({
  page,
}) => {
  const kate = await member('kate')
  await signInDirectly(page, web.url, kate)
  let isDown = true
  await page.routeWebSocket(/\/realtime\/v1\/websocket/, (socket) => {
    if (isDown) void socket.close()
    else socket.connectToServer()
  })
  await page.goto(`${web.url}/members`)
  await restrict(
    await signIn(web.url, testAdmin.email, testAdmin.password),
    await userIdOf(await handleOf(page)),
    'restricted',
  )
  await expect(page.getByLabel('Handle')).toBeEnabled()
  isDown = false
  await expect(page.getByText('Your account is restricted')).toBeVisible()
})

test('a restricted user sees why the profile cannot be changed; an account is deleted permanently', async ({
  page,
}) => {
  const june = await member('june')
  await signInDirectly(page, web.url, june)
  await page.goto(`${web.url}/members`)
  const name = await handleOf(page)
  await restrict(
    await signIn(web.url, testAdmin.email, testAdmin.password),
    await userIdOf(name),
    'restricted',
  )
  await expect(page.getByText('Your account is restricted')).toBeVisible()
  await expect(page.getByText('Reason: a test of manners')).toBeVisible()
  await expect(page.getByLabel('Handle')).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Upload Picture' })).toBeDisabled()

  await openPage(page, 'Your data')
  await press(page, 'Delete Account')
  const dialog = page.getByRole('dialog', { name: 'Delete Account' })
  const sure = dialog.getByRole('button', { name: 'Delete My Account' })
  await expect(sure).toBeDisabled()
  await dialog.getByRole('button', { name: 'Keep My Account' }).click()
  await expect(page.getByRole('button', { name: 'Delete Account', exact: true })).toBeFocused()
  await press(page, 'Delete Account')
  await dialog.getByLabel(`Type ${name} to confirm`).fill(name)
  await dialog.getByLabel('Password', { exact: true }).fill('not it')
  await sure.click()
  await expect(dialog.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(/Wrong password/)
  await dialog.getByLabel('Password', { exact: true }).fill(june.password)
  await dialog.getByLabel('Delete my chat messages too').check()
  await sure.click()
  await expectToast(page, 'Account Deleted')
  await expect(page.getByRole('tab', { name: 'Quick Sign In' })).toBeVisible()
  await expect.poll(async () => (await fetch(`${web.url}/api/profiles/by-handle/${name}`)).status).toBe(404)
})
