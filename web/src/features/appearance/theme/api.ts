import type { ThemeBody } from '@looptide/contracts/http/themes'
import { useEffect } from 'react'
import useSWR, { mutate, type SWRResponse } from 'swr'
import { isKeyOf, keyOf, useCall } from '../../../lib/api/use-call.ts'
import { api } from '../../../lib/clients.ts'
import { themeKey } from '../../../lib/theme/api.ts'
import type { VersionedTheme } from './theme-version.ts'

const reloadHistory = () => mutate(isKeyOf('GET /api/theme/history'))

/** The recently saved themes, newest first. */
export const useSavedThemes = () => useCall('GET /api/theme/history', {})

const versionKey = keyOf('GET /api/theme', {}, { shape: 'versioned' })

/** The active theme with its version, reloaded whenever the active theme changes. */
export function useThemeVersion(activeTheme: ThemeBody | undefined): SWRResponse<VersionedTheme> {
  const response = useSWR(versionKey, readVersion, { revalidateOnFocus: false })
  const { mutate: reload } = response
  useEffect(() => {
    if (!activeTheme) return
    // A failure is in the response.
    reload().catch(() => undefined)
    // Another admin may have saved it: the history names them.
    void reloadHistory()
  }, [activeTheme, reload])
  return response
}

async function readVersion(): Promise<VersionedTheme> {
  const { body, etag } = await api.callVersioned('GET /api/theme')
  return { theme: body, etag }
}

/** Fetches the active theme with its version and updates every place that shows it. */
export async function reloadThemeVersion(): Promise<VersionedTheme> {
  const current = await readVersion()
  await mutate(versionKey, current, { revalidate: false })
  await mutate(themeKey, current.theme, { revalidate: false })
  return current
}

/** Activates a theme for everyone. Fails with `precondition_failed` if the active theme's version is not `etag`. */
export async function activateTheme(theme: ThemeBody, etag: string): Promise<void> {
  const saved = await api.callVersioned('PUT /api/theme', { body: theme }, { ifMatch: etag })
  await mutate(versionKey, { theme: saved.body, etag: saved.etag }, { revalidate: false })
  await mutate(themeKey, saved.body, { revalidate: false })
  void reloadHistory()
}

/** Uploads an image for the theme and returns its URL. */
export async function uploadThemeAsset(image: Blob): Promise<string> {
  const { url } = await api.call('POST /api/theme/assets', { body: image })
  return url
}
