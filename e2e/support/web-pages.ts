import { randomUUID } from 'node:crypto'
import { expect, type Locator, type Page, type Request, type Route } from '@playwright/test'

/** Where the web app stores its session (web/src/lib/clients.ts). */
const SESSION_KEY = 'looptide-session'

export interface Person {
  email: string
  password: string
  name: string
}

/** A person without an account, with a random email address. */
export function newPerson(name = 'viewer'): Person {
  return {
    email: `${name}-${randomUUID().slice(0, 8)}@example.test`,
    password: `pass-${randomUUID()}`,
    name,
  }
}

/** Signs in by the form and waits until the user is signed in. */
export async function signInByForm(
  page: Page,
  stationUrl: string,
  { email, password }: { email: string; password: string },
): Promise<void> {
  await page.goto(stationUrl)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Account', exact: true })).toBeVisible()
}

/**
 * Resolves when the page has joined its user's own topic: pushes to the user arrive from then on. Call it before the
 * sign-in.
 */
export function ownTopicJoined(page: Page): Promise<void> {
  return new Promise((resolve) => {
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        if (/"realtime:user:[^"]+","phx_reply",\{"status":"ok"/.test(String(payload))) resolve()
      }),
    )
  })
}

/** Signs in without the form: the page that is opened next is signed in. */
export async function signInDirectly(
  page: Page,
  stationUrl: string,
  { email, password }: { email: string; password: string },
): Promise<void> {
  // A page without scripts: only its origin is needed, to write to the local storage.
  await page.goto(`${stationUrl}/robots.txt`)
  await page.evaluate(
    async ([key, body]) => {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch('/auth/v1/token?grant_type=password', { method: 'POST', headers, body })
      if (!response.ok) throw new Error(`sign-in answered ${response.status}`)
      localStorage.setItem(key, await response.text())
    },
    [SESSION_KEY, JSON.stringify({ email, password })] as const,
  )
}

/** Makes the page that is opened next use this session, as the auth protocol answers it. */
export async function storeSession(page: Page, stationUrl: string, session: object): Promise<void> {
  await page.goto(`${stationUrl}/robots.txt`)
  await page.evaluate(([key, text]) => localStorage.setItem(key, text), [
    SESSION_KEY,
    JSON.stringify(session),
  ] as const)
}

/**
 * Resolves when the code of these parts, by the names of their files, and of all that was requested with them is there
 * completely. Call it before the page is opened.
 */
export async function partsLoaded(page: Page, parts: readonly string[]): Promise<void> {
  const isCode = (request: Request) => new URL(request.url()).pathname.startsWith('/assets/')
  const pending = new Set<Request>()
  page.on('request', (request) => isCode(request) && pending.add(request))
  page.on('requestfinished', (request) => pending.delete(request))
  page.on('requestfailed', (request) => pending.delete(request))
  const finished = parts.map((part) =>
    page.waitForEvent('requestfinished', (request) =>
      new URL(request.url()).pathname.startsWith(`/assets/${part}-`),
    ),
  )
  await Promise.all(finished)
  await expect.poll(() => pending.size).toBe(0)
}

/** Takes the network from a page, once it can show toasts without it. */
export async function goOffline(page: Page): Promise<void> {
  await expect(page.getByRole('region', { name: /^Messages/ })).toBeAttached()
  await page.context().setOffline(true)
}

const toastOf = (page: Page, title: string): Locator =>
  page
    .getByRole('region', { name: /^Messages/ })
    .getByRole('listitem')
    .filter({ hasText: title })

/**
 * Fails the requests of a URL until `tryAgain`, which presses the button for it. Pages try again by themselves too: until the
 * press these attempts fail or wait, so that the button stays.
 */
export async function outageOf(
  page: Page,
  url: string | RegExp,
  fail = (route: Route) => route.fulfill({ status: 503, json: { code: 'service_unavailable' } }),
): Promise<{ tryAgain: () => Promise<void> }> {
  let end: Promise<void> | undefined
  await page.route(url, async (route) => {
    if (end === undefined) return fail(route)
    await end
    await route.fallback()
  })
  return {
    tryAgain: async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      end = promise
      const attempt = page.waitForRequest(url)
      await page.getByRole('button', { name: 'Try again' }).click()
      await attempt
      resolve()
    },
  }
}

/** Rests the pointer on a toast, which stays as long, and with it its action. */
export const holdToast = (page: Page, title: string): Promise<void> => toastOf(page, title).first().hover()

/** Waits for a toast with this title and text. */
export async function expectToast(page: Page, title: string, text?: string | RegExp): Promise<void> {
  const toast = toastOf(page, title)
  // One look for both: a toast leaves after a few seconds.
  await expect((text ? toast.filter({ hasText: text }) : toast).first()).toBeVisible()
}

/** Swipes a toast away, by touch, that covers a control. On a busy machine it may leave by itself before. */
export async function swipeAway(page: Page, title: string): Promise<void> {
  const toast = toastOf(page, title)
  await expect(toast).toBeVisible()
  const cdp = await page.context().newCDPSession(page)
  // Once more if the toast has moved meanwhile.
  await expect(async () => {
    if ((await toast.count()) === 0) return
    const box = await toast.boundingBox({ timeout: 1_000 })
    if (box === null) throw new Error('the toast is not shown')
    const startS = Date.now() / 1000
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', afterS: number, up?: number) =>
      cdp.send('Input.dispatchTouchEvent', {
        type,
        timestamp: startS + afterS,
        touchPoints: up === undefined ? [] : [{ x: box.x + box.width / 2, y: box.y + box.height / 2 - up }],
      })
    await touch('touchStart', 0, 0)
    await touch('touchMove', 0.1, 45)
    await touch('touchMove', 0.2, 90)
    // The finger rests at the end: otherwise the page would scroll on, and the next tap would only stop that.
    await touch('touchMove', 0.5, 91)
    await touch('touchEnd', 0.6)
    await expect(toast).toHaveCount(0, { timeout: 1_000 })
  }).toPass()
}
