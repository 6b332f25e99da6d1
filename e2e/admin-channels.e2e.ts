import { testAdmin } from '@looptide/testkit/station'
import { expect, type Page, test } from '@playwright/test'
import { askAsAdmin } from './support/channels.ts'
import { complaints } from './support/complaints.ts'
import { signIn } from './support/people.ts'
import { expectToast, signInByForm } from './support/web-pages.ts'
import { useWebStation } from './support/web-station.ts'

const web = useWebStation()

let token: string

test.beforeAll(async () => {
  token = await signIn(web.url, testAdmin.email, testAdmin.password)
})

const manager = (page: Page) => page.getByRole('region', { name: 'Channel Manager' })
const playlists = (page: Page) => page.getByRole('region', { name: 'Channel Playlist Manager' })
const channel = (page: Page, name: string) => manager(page).getByRole('listitem', { name })
async function openDesk(page: Page): Promise<void> {
  await signInByForm(page, web.url, testAdmin)
  await page.goto(`${web.url}/admin?tab=channels`)
  await expect(manager(page)).toBeVisible()
}

test('channels are created, renamed, switched off and on, and deleted after a question', async ({ page }) => {
  await openDesk(page)
  await manager(page).getByLabel('Name').fill('  Night Drive ')
  await manager(page).getByLabel('Description (optional)').fill('Slow roads')
  await manager(page).getByRole('button', { name: 'Create Channel' }).click()
  await expectToast(page, 'Channel Created', 'Night Drive')
  const row = channel(page, 'Night Drive')
  await expect(row).toContainText('Slow roads')
  await row.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Night Drive' })
  await dialog.getByLabel('Name').fill('Day Drive')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Channel Updated', 'Day Drive')

  const choice = playlists(page).getByLabel('Channel', { exact: true })
  const renamed = channel(page, 'Day Drive')
  await expect(choice).toContainText('Day Drive')
  await renamed.getByRole('button', { name: 'Deactivate' }).click()
  await expect(renamed).toContainText('Inactive')
  await expect(choice).not.toContainText('Day Drive')
  await renamed.getByRole('button', { name: 'Activate' }).click()
  await expect(choice).toContainText('Day Drive')
  expect(await complaints(page), 'channels').toEqual([])

  // The way to the server is cut.
  const { items } = await askAsAdmin(web.url, token, 'GET', '/api/channels')
  const { id } = items.find(({ name }: { name: string }) => name === 'Day Drive')
  await page.route(`**/api/channels/${id}`, (route) => route.abort())
  await renamed.getByRole('button', { name: 'Deactivate' }).click()
  await expectToast(page, 'Failed to update channel.')
  await renamed.getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('dialog', { name: 'Delete Day Drive?' })
  await question.getByRole('button', { name: 'Delete channel' }).click()
  await expectToast(page, 'Failed to delete channel.')
  await page.unroute(`**/api/channels/${id}`)
  await renamed.getByRole('button', { name: 'Delete' }).click()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(renamed).toBeVisible()
  await renamed.getByRole('button', { name: 'Delete' }).click()
  await question.getByRole('button', { name: 'Delete channel' }).click()
  await expectToast(page, 'Channel Deleted', 'Day Drive')
  await expect(renamed).toBeHidden()
})
