import { THEME_PRESETS } from '@looptide/contracts/http/admin'
import { testAdmin } from '@looptide/testkit/station'
import type { BrowserContext } from '@playwright/test'
import { askAsAdmin } from '../support/channels.ts'
import { signIn } from '../support/people.ts'
import { drawnPicture } from './drawn-picture.ts'
import type { StationData } from './scene.ts'

const PRESET = 'Rose Gold'

/** Applies another theme, with a background image on the sign-in page. */
export async function redecorate(context: BrowserContext, { url }: StationData): Promise<void> {
  const preset = THEME_PRESETS.find(({ name }) => name === PRESET)
  if (!preset) throw new Error(`There is no preset ${PRESET}.`)
  const page = await context.newPage()
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.setContent(`<style>body{margin:0}</style>${drawnPicture(PRESET)}`)
  const picture = await page.screenshot({ type: 'jpeg', quality: 80 })
  await page.close()
  const token = await signIn(url, testAdmin.email, testAdmin.password)
  const answer = await fetch(`${url}/api/theme/assets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'image/jpeg' },
    body: new Uint8Array(picture),
  })
  const { url: heroBackgroundUrl } = (await answer.json()) as { url: string }
  await askAsAdmin(url, token, 'PUT', '/api/theme', { ...preset.theme, heroBackgroundUrl })
}
