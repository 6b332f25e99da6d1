/// <reference lib="dom" />

import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Role } from '@looptide/contracts/common'
import type { Envelope } from '@looptide/contracts/events'
import { testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { expect, type Locator, type Page } from '@playwright/test'
import { violationsInThemes } from '../support/accessibility.ts'
import { addByUrls, openAddVideos } from '../support/library.ts'
import { signIn, signUp, type Viewer } from '../support/people.ts'
import { publish } from '../support/publish.ts'
import { expectToast, signInByForm, signInDirectly } from '../support/web-pages.ts'
import { test, useOwnStation } from '../support/web-station.ts'

const web = useOwnStation()
/** Time within which a banned user is signed out. */
const withinASecond = { timeout: 1_000 }

async function handleOf({ accessToken }: Viewer): Promise<string> {
  return (await clientOf(web.url, accessToken).call('GET /api/me')).profile.handle ?? ''
}

const row = (page: Page, handle: string): Locator =>
  page.getByRole('list', { name: 'Users' }).getByRole('listitem').filter({ hasText: handle }).first()

test('an admin restricts, promotes and bans a user, who is signed out within a second', {
  tag: '@clock',
}, async ({ browser }) => {
  const viewer = await signUp(web.url, 'roger')
  const handle = await handleOf(viewer)
  const artistName = 'Roger and the Very Long Name of a Band'
  await clientOf(web.url, viewer.accessToken).call('PATCH /api/profiles/:id', {
    params: { id: viewer.id },
    body: { artistName },
  })
  const [admin, other] = [await (await browser.newContext()).newPage(), await browser.newPage()]
  await Promise.all([signInDirectly(admin, web.url, testAdmin), signInDirectly(other, web.url, viewer)])
  await other.goto(web.url)
  await admin.goto(`${web.url}/admin?tab=user-management`)
  await expect(admin.getByRole('heading', { name: 'User Management' })).toBeVisible()
  const own = admin.getByRole('listitem').filter({ hasText: 'You' })
  await expect(own).toHaveCount(1)
  await expect(own.getByRole('button', { name: /^Ban / })).toHaveCount(0)

  await admin.getByLabel('Search users').fill(handle)
  await expect(own).toHaveCount(0)
  const userRow = row(admin, handle)
  const identity = userRow.getByText(viewer.email)
  await expect(identity).toContainText('Roger and the Very Long Name of a Band')
  // On a phone the address is readable as well.
  const viewport = admin.viewportSize()
  await admin.setViewportSize({ width: 390, height: 844 })
  await expect.poll(() => identity.evaluate((text) => text.scrollWidth <= text.clientWidth)).toBe(true)
  if (viewport) await admin.setViewportSize(viewport)

  // A restriction requires a selected user and a reason.
  const add = admin.getByRole('button', { name: 'Add Restriction' })
  await expect(add).toBeDisabled()
  const choose = userRow.locator('button[aria-pressed]')
  await choose.focus()
  await admin.keyboard.press('Enter')
  await expect(choose).toHaveAttribute('aria-pressed', 'true')
  await admin.getByLabel('Reason').fill('   ')
  await expect(add).toBeDisabled()
  await admin.getByLabel('Reason').fill('  too loud ')
  await admin.context().setOffline(true)
  await add.click()
  await expectToast(admin, 'Failed to add restriction.')
  await admin.context().setOffline(false)
  await admin.getByLabel('Ends').selectOption('In a day')
  await add.click()
  await expectToast(admin, 'Restriction Added', 'User has been banned from the chat.')
  await expect(admin.getByRole('combobox', { name: 'Restriction', exact: true })).toBeFocused()
  const restrictions = admin.getByRole('list', { name: `Restrictions of ${handle}` })
  const yellow = 'rgb(250, 204, 21)'
  await expect(restrictions.getByText('Chat banned', { exact: true })).toHaveCSS('background-color', yellow)
  await expect(restrictions).toContainText('too loud')
  await expect(restrictions).toContainText('until')

  // A second restriction of the same type replaces the first after confirmation.
  await admin.getByLabel('Reason').fill('still too loud')
  await add.click()
  const question = admin.getByRole('dialog', { name: `Replace the restriction of ${handle}?` })
  await expect(question).toContainText(/^.*A ban from the chat by \S+ is in force until .* UTC: too loud/)
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await question.getByRole('button', { name: 'Replace' }).click()
  await expect(restrictions).toContainText('still too loud')
  await expect(restrictions.getByRole('listitem')).toHaveCount(1)

  const remove = restrictions.getByRole('button', { name: /^Remove restriction: Chat banned/ })
  await admin.context().setOffline(true)
  await remove.click()
  await expectToast(admin, 'Failed to remove restriction.')
  await admin.context().setOffline(false)
  await remove.click()
  await expectToast(admin, 'Restriction Removed')
  await expect(restrictions).toHaveCount(0)
  await admin.getByRole('button', { name: 'Undo' }).click()
  await expect(restrictions).toContainText('too loud')

  await userRow.getByRole('button', { name: `Change role of ${handle}` }).click()
  const roles = admin.getByRole('dialog', { name: `Role of ${handle}` })
  await expect(roles.getByRole('button', { name: 'Change Role' })).toBeDisabled()
  await expect(roles.getByRole('radio', { name: 'Viewer' })).toBeFocused()
  expect(await violationsInThemes(admin, '[role="dialog"]'), 'role').toEqual([])
  await roles.getByText('Moderator', { exact: true }).click()
  await roles.getByRole('button', { name: 'Change Role' }).click()
  await expectToast(admin, 'Role Changed', `${handle}: Moderator.`)
  await expect(userRow.getByRole('button', { name: `Change role of ${handle}` })).toHaveText('Moderator')

  await userRow.getByRole('button', { name: `Sign-in of ${handle}` }).click()
  const signIn = admin.getByRole('dialog', { name: `Sign-in of ${handle}` })
  await signIn.getByRole('radio', { name: 'Sign Out' }).focus()
  await admin.keyboard.press('ArrowRight')
  await expect(signIn.getByRole('radio', { name: 'Reset Password' })).toBeFocused()
  await admin.keyboard.press('Space')
  await expect(signIn).toContainText('Their password no longer works')
  expect(await violationsInThemes(admin, '[role="dialog"]'), 'sign-in').toEqual([])
  await signIn.getByText('Sign Out', { exact: true }).click()
  await signIn.getByRole('button', { name: 'Sign Out Everywhere' }).click()
  await expectToast(admin, 'Sessions Ended', `${handle} is signed out on all devices.`)
  await expect(other.getByRole('button', { name: 'Account', exact: true })).toHaveCount(0, withinASecond)
  await signInByForm(other, web.url, viewer)

  const ban = userRow.getByRole('button', { name: `Ban ${handle} from the site` })
  await ban.click()
  await expect(admin.getByRole('dialog')).toBeVisible()
  expect(await violationsInThemes(admin, '[role="dialog"]'), 'ban').toEqual([])
  await admin.keyboard.press('Enter')
  await expect(admin.getByRole('dialog')).toHaveCount(0)
  await expect(other.getByRole('button', { name: 'Account', exact: true })).toBeVisible()
  await ban.click()
  await admin.context().setOffline(true)
  await admin.getByRole('button', { name: 'Ban from Site' }).click()
  await expectToast(admin, 'Failed to ban user from site.')
  await admin.context().setOffline(false)
  await ban.click()
  await admin.getByRole('button', { name: 'Ban from Site' }).click()
  await expectToast(admin, 'User Banned', `${handle} has been banned from the site.`)
  await expect(other.getByRole('button', { name: 'Account', exact: true })).toHaveCount(0, withinASecond)
  await expectToast(other, 'You have been signed out', 'Banned from site by administrator')
  const red = 'rgb(208, 16, 48)'
  await expect(restrictions.getByText('Site banned', { exact: true })).toHaveCSS('background-color', red)
  await expect(ban).toHaveCount(0)
  await Promise.all([admin.close(), other.close()])
})

test('the audit log shows entries as they happen, filters them and exports them as a file', async ({
  page,
}) => {
  const viewer = await signUp(web.url, 'simone')
  const handle = await handleOf(viewer)
  const token = await signIn(web.url, testAdmin.email, testAdmin.password)
  await signInDirectly(page, web.url, testAdmin)
  await page.goto(`${web.url}/admin`)
  await page.getByRole('link', { name: 'Audit Log' }).click()
  await expect(page.getByRole('heading', { name: 'Audit Log' })).toBeVisible()
  const lines = page.getByRole('list', { name: 'Audit log' }).getByRole('listitem')

  await clientOf(web.url, token).call('POST /api/users/:id/restrictions', {
    params: { id: viewer.id },
    body: { restrictionType: 'restricted', reason: 'spelling' },
  })
  await expect(lines.filter({ hasText: `restricted ${handle}` }).first()).toBeVisible()
  const added = lines.filter({ hasText: `restricted ${handle}` }).last()
  // One line; the values follow on a click.
  await expect(added).not.toContainText('spelling')
  await expect(added.locator('time')).toHaveText(/^(now|this minute|.* ago)$/)
  const details = added.getByRole('button', { name: `Details: restricted ${handle}` })
  await details.click()
  await expect(added).toContainText(/Restriction type\s*restricted/)
  await expect(added).toContainText('spelling')
  await expect(added.getByRole('link', { name: handle })).toHaveAttribute('href', `/members/${handle}`)

  const refused = await clientOf(web.url, viewer.accessToken).send('PUT /api/users/:id/role', {
    params: { id: viewer.id },
    body: { role: 'admin' },
  })
  expect(refused.status).toBe(403)
  const attempt = lines.filter({ hasText: 'attempted an admin action without permission' })
  await expect(attempt.first()).toContainText('Security')
  await expect(attempt.first()).toContainText(handle)

  // An action without a label can be filtered as well.
  const noTarget = { targetType: null, targetId: null, targetUserId: null }
  const noDetails = { before: null, after: null, details: null }
  const unknownAction: Envelope<'metadata.audit.recorded.v1'> = {
    id: randomUUID(),
    type: 'metadata.audit.recorded.v1',
    occurredAt: new Date().toISOString(),
    actorId: viewer.id,
    correlationId: null,
    aggregateId: viewer.id,
    aggregateVersion: 1,
    data: { action: 'parade.float_add', ...noTarget, ...noDetails },
  }
  await publish(web.station, 'metadata-worker', unknownAction.type, unknownAction)
  await test.step('arrow keys move from entry to entry, and an entry has a URL', async () => {
    await details.focus()
    await page.keyboard.press('ArrowUp')
    await expect(details).not.toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(details).toBeFocused()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await added.getByRole('button', { name: 'Copy link' }).click()
    await expectToast(page, 'Copied')
    await page.goto(await page.evaluate(() => navigator.clipboard.readText()))
    await expect(lines).toHaveCount(1)
    await expect(lines).toContainText('spelling')
    expect(await violationsInThemes(page), 'entry').toEqual([])
    await page.getByRole('button', { name: 'Remove filter: One entry' }).click()
    await expect(attempt.first()).toBeVisible()
  })
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByLabel('Action', { exact: true }).selectOption({ label: 'Parade float add' })
  await expect(lines).toHaveCount(1)
  await expect(lines).toContainText(`${handle} parade float add`)
  await page.getByRole('button', { name: 'Remove filter: Parade float add' }).click()
  await expect(page).not.toHaveURL(/action=/)

  await page.getByText('Security', { exact: true }).first().click()
  await expect(page).toHaveURL(/security=true/)
  await expect(added).toHaveCount(0)
  await expect(attempt).toHaveCount(1)
  await page.getByRole('button', { name: 'Clear filter' }).click()
  await page.getByLabel('Affected user').fill(handle)
  await expect(page).toHaveURL(/targetUserId=/)
  await expect(lines.filter({ hasText: `restricted ${handle}` }).first()).toBeVisible()

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const file = await readFile(await (await download).path(), 'utf8')
  expect(file).toContain('spelling')
  await expectToast(page, 'Audit Log Exported')
  await page.getByRole('button', { name: 'Clear filter' }).click()
  await expect(lines.filter({ hasText: 'exported the audit log' }).first()).toBeVisible()

  // On a phone the filter leaves room for the entries.
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByLabel('Affected user').fill(handle)
  await expect(page).toHaveURL(/targetUserId=/)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await expect(page.getByLabel('Affected user')).toBeHidden()
  await expect(page.getByRole('button', { name: `Remove filter: About ${handle}` })).toBeVisible()
  const filter = page.getByRole('region', { name: 'Filter' })
  await expect.poll(async () => (await filter.boundingBox())?.height).toBeLessThan(200)
  await expect(lines.filter({ hasText: `restricted ${handle}` }).first()).toBeVisible()
})

test('a user who is not an admin cannot open the audit log', async ({ page }) => {
  await signInDirectly(page, web.url, await signUp(web.url, 'visitor'))
  await page.goto(`${web.url}/admin/audit`)
  await expectToast(page, 'Access Denied', 'Administrator access required for the admin dashboard')
})

/** Opens the dashboard as a user with a role, and collects refused requests. */
async function openDashboardAs(page: Page, role: Role): Promise<string[]> {
  const person = await signUp(web.url, role)
  const admin = await signIn(web.url, testAdmin.email, testAdmin.password)
  await clientOf(web.url, admin).call('PUT /api/users/:id/role', {
    params: { id: person.id },
    body: { role },
  })
  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(response.url())
  })
  await signInDirectly(page, web.url, person)
  await page.goto(`${web.url}/admin`)
  return refused
}

const sections = (page: Page): Locator => page.getByRole('navigation', { name: 'Sections' }).getByRole('link')

async function expectDenied(page: Page, path: string, place = 'admin dashboard'): Promise<void> {
  await page.goto(`${web.url}${path}`)
  await expectToast(page, 'Access Denied', `Administrator access required for the ${place}`)
  await expect(page).toHaveURL(`${web.url}/`)
}

test('a programmer sees and does what belongs to the library and to channels, and nothing else', async ({
  page,
}) => {
  const refused = await openDashboardAs(page, 'programmer')
  await expect(sections(page)).toContainText(['Control Room', 'Video Library', 'Channel Manager'])
  await expect(sections(page)).toHaveCount(3)
  await expect(page.getByRole('link', { name: 'Audit Log' })).toHaveCount(0)
  await addByUrls(page, 'https://youtu.be/byprogramme')
  await expectToast(page, 'Videos added successfully')
  await (await openAddVideos(page)).getByRole('tab', { name: 'Import CSV' }).click()
  await expect(page.getByText('Choose a CSV file...')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Export library' })).toHaveCount(0)
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: /^Channel Manager/ }).click()
  const playlists = page.getByRole('region', { name: 'Channel Playlist Manager' })
  await expect(playlists.getByLabel('Channel', { exact: true })).toBeVisible()
  const streams = page.getByRole('region', { name: '24/7 Stream Manager' })
  await expect(streams.getByRole('tab')).toHaveText(['Streams', 'Quarantine', 'Metadata'])
  await expect(streams.getByRole('article').first()).toBeVisible()
  await expect(page.getByRole('button', { name: /Stream$|^(Create|Delete|Deactivate)/ })).toHaveCount(0)

  await page.getByRole('link', { name: 'Schedule', exact: true }).click()
  await page.getByLabel('Channel', { exact: true }).selectOption({ label: 'Test Card' })
  await expect(page.getByRole('heading', { name: 'Test Card repeats its playlist' })).toBeVisible()
  await page.getByRole('button', { name: 'Start a schedule' }).click()
  await expect(page.getByText('Draft saved.')).toBeVisible()
  await page.getByRole('button', { name: 'Submit for approval' }).click()
  const submitting = page.getByRole('dialog', { name: /^Submit the schedule of / })
  await submitting.getByLabel('Note (optional)').fill('The playlist all day')
  await submitting.getByRole('button', { name: 'Submit for approval' }).click()
  await expect(page.getByText(/^Waiting for approval · You/)).toBeVisible()
  await expect(page.getByText('The playlist all day')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Submit for approval' })).toBeDisabled()
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await expectToast(page, 'Draft withdrawn')
  await expect(page.getByRole('button', { name: 'Submit for approval' })).toBeEnabled()
  await page.goto(`${web.url}/control`)
  await expect(sections(page)).toContainText(['Channel Manager', '24/7 Stream Manager'])
  await expect(sections(page)).toHaveCount(2)
  expect(refused).toEqual([])

  await expectDenied(page, '/admin?tab=user-management')
  await expectDenied(page, '/admin/audit')
  await expectDenied(page, '/control?section=theme-customizer', 'control panel')
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  await expect(page.getByRole('menuitem', { name: 'Control Panel' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: /Submissions|Live Takeover/ })).toHaveCount(0)
  expect(refused).toEqual([])
})

test('a curator sees and does what belongs to the home page and the theme, and nothing else', async ({
  page,
}) => {
  const refused = await openDashboardAs(page, 'curator')
  await expect(sections(page)).toContainText(['Control Room', 'Home Screen', 'Theme Settings'])
  await expect(sections(page)).toHaveCount(3)
  await expect(sections(page).nth(1)).toHaveAttribute('aria-current', 'page')
  await expect(page.getByRole('link', { name: /^(Schedule|Audit Log)$/ })).toHaveCount(0)
  await page.getByRole('link', { name: 'Page Editor' }).click()
  await expect(page.getByRole('button', { name: 'Add text' })).toBeVisible()
  await page.getByRole('link', { name: 'Home Screen' }).click()
  await page.getByRole('link', { name: /^Theme Settings/ }).click()
  await page.getByRole('button', { name: /Rose Gold/ }).click()
  await page.getByRole('button', { name: 'Save Theme', exact: true }).click()
  await expectToast(page, 'Theme Saved')
  await page.goto(`${web.url}/control`)
  await expect(sections(page)).toHaveText([/^Home Screen/, /^Theme Customizer/, /^Page Editor/])
  await expect(page.getByLabel('Video URLs')).toHaveCount(0)
  expect(refused).toEqual([])

  await expectDenied(page, '/admin?tab=video-library')
  await expectDenied(page, '/admin/schedule')
  expect(refused).toEqual([])
})

test('an admin without a second factor is asked to set one up, until the notice is dismissed', async ({
  page,
}) => {
  await signInDirectly(page, web.url, testAdmin)
  await page.goto(`${web.url}/admin`)
  const notice = page.getByRole('region', { name: 'Two-step verification' })
  await expect(notice).toContainText('Protect your account with two-step verification.')
  await notice.getByRole('link', { name: 'Go to My Profile' }).press('Enter')
  await expect(page).toHaveURL(/\/members\/sign-in$/)
  await expect(page.getByText('Recommended for your role.')).toBeVisible()
  await page.goBack()
  await notice.getByRole('button', { name: 'Dismiss' }).press('Enter')
  await expect(notice).toBeHidden()
  await page.reload()
  await expect(page.getByRole('heading', { name: /Admin Dashboard$/ })).toBeVisible()
  await expect(notice).toBeHidden()
})
