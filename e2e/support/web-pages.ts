import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'

export interface Person {
  email: string
  password: string
  name: string
}

/** Somebody who has not been here before. */
export function newPerson(name = 'viewer'): Person {
  return {
    email: `${name}-${randomUUID().slice(0, 8)}@example.test`,
    password: `pass-${randomUUID()}`,
    name,
  }
}

/** Signs in by the form, and waits until it has worked. */
export async function signInByForm(
  page: Page,
  stationUrl: string,
  { email, password }: { email: string; password: string },
): Promise<void> {
  await page.goto(stationUrl)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Account' })).toBeVisible()
}

/** A message of the toaster, with its title and text. */
export async function expectToast(page: Page, title: string, text?: string): Promise<void> {
  const toast = page
    .getByRole('region', { name: /^Messages/ })
    .getByRole('listitem')
    .filter({ hasText: title })
  await expect(toast.first()).toBeVisible()
  if (text) await expect(toast.filter({ hasText: text }).first()).toBeVisible()
}
