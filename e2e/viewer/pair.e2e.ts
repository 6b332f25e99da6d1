import { DEVICE_GRANT } from '@looptide/contracts/http/devices'
import { clientOf } from '@looptide/testkit/client'
import { expect } from '@playwright/test'
import { sidewaysScroll, violations } from '../support/accessibility.ts'
import { signUp } from '../support/people.ts'
import { watchRefusals } from '../support/refusals.ts'
import { signInDirectly, storeSession } from '../support/web-pages.ts'
import { test, useSharedStation } from '../support/web-station.ts'

const web = useSharedStation()

interface Device {
  device_code: string
  user_code: string
}

async function send<T>(path: string, fields: Record<string, string>): Promise<T> {
  const response = await fetch(`${web.url}/auth/v1${path}`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'tv', ...fields }),
  })
  return (await response.json()) as T
}

const startTv = (name: string) => send<Device>('/device', { device_name: name })
const poll = ({ device_code }: Device) =>
  send<{ access_token?: string; error?: string }>('/token', { grant_type: DEVICE_GRANT, device_code })

test('a TV is paired by its code, listed with its name, and signed out', async ({ page }) => {
  const { email, password } = await signUp(web.url, 'pairing')
  const tv = await startTv('Living room TV')
  await page.goto(`${web.url}/pair?code=${tv.user_code}`)
  const main = page.getByRole('main')
  await expect(main.getByText(tv.user_code)).toBeVisible()
  await main.getByRole('link', { name: 'Sign In' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()

  await expect(main.getByText(tv.user_code)).toBeVisible()
  await expect(main.getByText('Living room TV')).toBeVisible()
  await expect(main.getByText('the same as yours')).toBeVisible()
  await main.getByRole('button', { name: 'Allow' }).click()
  await expect(main.getByText('The TV is paired')).toBeVisible()
  const { access_token: token } = await poll(tv)
  const client = clientOf(web.url, token)
  expect((await client.send('GET /api/me')).status).toBe(200)
  await main.getByRole('link', { name: 'Your devices' }).click()
  await page.getByRole('button', { name: 'Sign out Living room TV' }).click()
  await expect.poll(async () => (await client.send('GET /api/me')).status).toBe(401)

  // The rest with the keyboard, in the same page.
  await page.getByRole('link', { name: 'Pair a TV' }).press('Enter')
  await page.getByLabel('Code on the TV').fill('bcdf')
  await page.keyboard.press('Enter')
  await expect(main.getByText('Enter the eight letters that the TV shows')).toBeVisible()
  await page.getByLabel('Code on the TV').fill(' bcdf ghjk ')
  await page.keyboard.press('Enter')
  await expect(main.getByText('No TV shows this code')).toBeVisible()
  await main.getByRole('button', { name: 'Enter another code' }).press('Enter')
  await page.getByLabel('Code on the TV').fill(tv.user_code)
  await page.keyboard.press('Enter')
  await expect(main.getByText('This code was used already')).toBeVisible()
  const strange = await startTv('TV of a stranger')
  await main.getByRole('button', { name: 'Enter another code' }).press('Enter')
  await page.getByLabel('Code on the TV').fill(strange.user_code.toLowerCase().replace('-', ''))
  await page.keyboard.press('Enter')
  await main.getByRole('button', { name: 'Deny' }).press('Enter')
  await expect(main.getByText('Denied')).toBeVisible()
  expect(await poll(strange)).toMatchObject({ error: 'access_denied' })
})

test('an address with a hostile code shows the form for a code, asks the station nothing and leads nowhere else', async ({
  page,
}) => {
  const user = await signUp(web.url, 'careful')
  const strange = await startTv('TV of a stranger')
  const asked: string[] = []
  page.on('request', (request) => request.url().includes('/auth/v1/device') && asked.push(request.url()))
  const refusals = await watchRefusals(page)
  const hostile = [
    '<img src=x onerror=alert(1)>',
    'javascript:alert(1)',
    '//evil.test/BCDF-GHJK',
    'BCDF-GHJK/../../decision',
    `${strange.user_code}&decision=allow`,
    'x'.repeat(4000),
    '\u202e\u0000%00',
  ]
  for (const code of hostile) {
    await page.goto(`${web.url}/pair?${new URLSearchParams({ code })}`)
    const href =
      (await page.getByRole('main').getByRole('link', { name: 'Sign In' }).getAttribute('href')) ?? ''
    const next = new URL(href, web.url).searchParams.get('next') ?? ''
    expect([code, new URL(next, web.url).href.startsWith(`${web.url}/pair?code=`)]).toEqual([code, true])
  }
  await signInDirectly(page, web.url, user)
  for (const code of hostile) {
    await page.goto(`${web.url}/pair?${new URLSearchParams({ code })}`)
    await page.getByLabel('Code on the TV').press('Enter')
    await expect(page.getByText('Enter the eight letters that the TV shows')).toBeVisible()
    expect(await sidewaysScroll(page)).toEqual([])
  }
  // Addresses with two codes or with a decision decide nothing.
  await page.goto(`${web.url}/pair?code=${strange.user_code}&decision=allow&code=BCDF-GHJK`)
  await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible()
  expect(asked).toEqual([`${web.url}/auth/v1/device?user_code=${strange.user_code}`])
  expect(await poll(strange)).toMatchObject({ error: 'authorization_pending' })
  expect(refusals).toEqual([])
})

test('a phone controls a paired TV of its account', async ({ page, browser }) => {
  const owner = await signUp(web.url, 'remote')
  const device = await startTv('Bedroom TV')
  await clientOf(web.url, owner.accessToken).call('POST /auth/v1/device/decision', {
    body: { user_code: device.user_code, decision: 'allow' },
  })
  const tv = await (await browser.newContext()).newPage()
  await storeSession(tv, web.url, await poll(device))
  await tv.goto(`${web.url}/live`)
  await signInDirectly(page, web.url, owner)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${web.url}/remote`)
  await expect(page.getByText('Bedroom TV')).toBeVisible()
  expect([await violations(page), await sidewaysScroll(page)]).toEqual([[], []])

  await page.getByRole('button', { name: 'Channel up' }).click()
  await expect(tv).toHaveURL(/channel=test-card/)
  await page.getByRole('button', { name: 'TV Guide' }).click()
  await expect(tv.getByRole('dialog', { name: 'TV Guide' })).toBeVisible()
  await page.getByLabel('Search on the TV').fill('Mia & co')
  await page.keyboard.press('Enter')
  await expect(tv).toHaveURL(/\/search\?q=Mia\+%26\+co$/)
  // A page without channels, once the live page has gone.
  await expect(tv.getByRole('heading', { name: 'Search', level: 1 })).toBeVisible()
  await page.getByRole('button', { name: 'Mute' }).click()
  await expect(tv).toHaveURL(/\/live$/)
})
