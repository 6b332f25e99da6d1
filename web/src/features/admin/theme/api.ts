import type { SavedTheme, ThemeAsset, ThemeBody, ThemeHistory } from '@looptide/contracts/http/admin'
import { useEffect } from 'react'
import useSWR, { mutate } from 'swr'
import { api } from '../../../lib/clients.ts'
import { themeKey } from '../../theme/api.ts'
import type { VersionedTheme } from './theme-version.ts'

const historyKey = '/api/theme/history'

/** The themes that were saved last, newest first. */
export function useSavedThemes() {
  return useSWR(historyKey, async (path: string): Promise<SavedTheme[]> => {
    const { items } = await api.get<ThemeHistory>(path)
    return items
  })
}

const versionKey = [themeKey, 'version'] as const

/** The station's theme with its version, read again whenever the theme in use (`station`) changes. */
export function useThemeVersion(station: ThemeBody | undefined): VersionedTheme | undefined {
  const { data, mutate: renew } = useSWR(versionKey, readVersion, { revalidateOnFocus: false })
  useEffect(() => {
    if (station) void renew()
  }, [station, renew])
  return data
}

async function readVersion([path]: readonly [string, string]): Promise<VersionedTheme> {
  const { body, etag } = await api.getVersioned<ThemeBody>(path)
  return { theme: body, etag }
}

/** Reads the station's theme with its version, and shows it wherever it is used. */
export async function renewThemeVersion(): Promise<VersionedTheme> {
  const current = await readVersion(versionKey)
  await mutate(versionKey, current, { revalidate: false })
  await mutate(themeKey, current.theme, { revalidate: false })
  return current
}

/** Puts a theme in use for everybody; `precondition_failed` when the one in use has another version than `etag`. */
export async function putTheme(theme: ThemeBody, etag: string): Promise<void> {
  const saved = await api.putVersioned<ThemeBody>(themeKey, theme, { ifMatch: etag })
  await mutate(versionKey, { theme: saved.body, etag: saved.etag }, { revalidate: false })
  await mutate(themeKey, saved.body, { revalidate: false })
  void mutate(historyKey)
}

/** Sends a picture for the theme; answers its address at the station. */
export async function uploadThemeAsset(picture: Blob): Promise<string> {
  const { url } = await api.post<ThemeAsset>('/api/theme/assets', picture)
  return url
}
