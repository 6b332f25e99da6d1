import type { SavedTheme, ThemeAsset, ThemeBody, ThemeHistory } from '@looptide/contracts/http/admin'
import { useEffect } from 'react'
import useSWR, { mutate } from 'swr'
import { api } from '../../../lib/clients.ts'
import { themeKey } from '../../../lib/theme/api.ts'
import type { VersionedTheme } from './theme-version.ts'

const historyKey = '/api/theme/history'

/** The recently saved themes, newest first. */
export function useSavedThemes() {
  return useSWR(historyKey, async (path: string): Promise<SavedTheme[]> => {
    const { items } = await api.get<ThemeHistory>(path)
    return items
  })
}

const versionKey = [themeKey, 'version'] as const

/** The active theme with its version, reloaded whenever the active theme changes. */
export function useThemeVersion(activeTheme: ThemeBody | undefined): VersionedTheme | undefined {
  const { data, mutate: reload } = useSWR(versionKey, readVersion, { revalidateOnFocus: false })
  useEffect(() => {
    if (!activeTheme) return
    void reload()
    // Another admin may have saved it: the history names them.
    void mutate(historyKey)
  }, [activeTheme, reload])
  return data
}

async function readVersion([path]: readonly [string, string]): Promise<VersionedTheme> {
  const { body, etag } = await api.getVersioned<ThemeBody>(path)
  return { theme: body, etag }
}

/** Fetches the active theme with its version and updates every place that shows it. */
export async function reloadThemeVersion(): Promise<VersionedTheme> {
  const current = await readVersion(versionKey)
  await mutate(versionKey, current, { revalidate: false })
  await mutate(themeKey, current.theme, { revalidate: false })
  return current
}

/** Activates a theme for everyone. Fails with `precondition_failed` if the active theme's version is not `etag`. */
export async function activateTheme(theme: ThemeBody, etag: string): Promise<void> {
  const saved = await api.putVersioned<ThemeBody>(themeKey, theme, { ifMatch: etag })
  await mutate(versionKey, { theme: saved.body, etag: saved.etag }, { revalidate: false })
  await mutate(themeKey, saved.body, { revalidate: false })
  void mutate(historyKey)
}

/** Uploads an image for the theme and returns its URL. */
export async function uploadThemeAsset(image: Blob): Promise<string> {
  const { url } = await api.post<ThemeAsset>('/api/theme/assets', image)
  return url
}
