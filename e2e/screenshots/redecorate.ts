import { THEME_PRESETS } from '@looptide/contracts/http/themes'
import { testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import type { BrowserContext } from '@playwright/test'
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
  const body = new Blob([new Uint8Array(picture)], { type: 'image/jpeg' })
  const { url: heroBackgroundUrl } = await clientOf(url, token).call('POST /api/theme/assets', { body })
  await clientOf(url, token).call('PUT /api/theme', { body: { ...preset.theme, heroBackgroundUrl } })
}
