/// <reference lib="dom" />

import { testAdmin } from '@looptide/test-station/station'
import { type Browser, expect } from '@playwright/test'
import { newPerson, signInByForm } from '../support/web-pages.ts'
import { test, useOwnStation } from '../support/web-station.ts'

// The browser and the attacker have different networks, set by a proxy header.
const web = useOwnStation({ RATE_LIMIT_FACTOR: '1', TRUST_PROXY: 'on', PROOF_OF_WORK: 'sign-up' })

const from = async (browser: Browser, address: string) =>
  (await browser.newContext({ extraHTTPHeaders: { 'x-forwarded-for': address } })).newPage()

/** Tries more wrong passwords for the admin than the limit of 15 minutes. Returns the last status. */
async function attack(): Promise<number> {
  let status = 0
  for (let index = 0; index < 75; index += 1) {
    const answer = await fetch(`${web.url}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': `2001:db8:${index % 25}:1::${index + 1}`,
      },
      body: JSON.stringify({ email: testAdmin.email, password: 'wrong' }),
    })
    status = answer.status
  }
  return status
}

test('an admin under attack signs in from a known network as usual, and elsewhere after a browser check', async ({
  browser,
}) => {
  const home = '198.51.100.7'
  const first = await from(browser, home)
  await signInByForm(first, web.url, testAdmin)
  await first.context().close()

  expect(await attack()).toBe(429)

  const challenges: number[] = []
  const again = await from(browser, home)
  again.on('response', (response) => {
    if (response.status() === 429) challenges.push(response.status())
  })
  await signInByForm(again, web.url, testAdmin)
  expect(challenges).toEqual([])
  await again.context().close()

  const elsewhere = await from(browser, '203.0.113.80')
  await elsewhere.addInitScript(() => {
    new MutationObserver(() => {
      const said = [...document.querySelectorAll('[role=status]')].map((one) => one.textContent)
      if (said.includes('Checking your browser...')) document.documentElement.dataset.checked = 'yes'
    }).observe(document, { subtree: true, childList: true, characterData: true })
  })
  await signInByForm(elsewhere, web.url, testAdmin)
  await expect(elsewhere.locator('html')).toHaveAttribute('data-checked', 'yes')
  await elsewhere.context().close()
})

test('where sign-ups require a proof of work, the browser computes it without a question', async ({
  page,
}) => {
  const { name, email, password } = newPerson()
  await page.goto(web.url)
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await page.getByLabel('Full name').fill(name)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm Password').fill(password)
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Account', exact: true })).toBeVisible()
})
