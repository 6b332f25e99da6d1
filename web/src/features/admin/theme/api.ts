import type { SavedTheme, ThemeAsset, ThemeBody, ThemeHistory } from '@looptide/contracts/http/admin'
import useSWR, { useSWRConfig } from 'swr'
import { api } from '../../../lib/clients.ts'
import { themeKey } from '../../theme/api.ts'

const historyKey = '/api/theme/history'

/** The themes that were saved last, newest first. */
export function useSavedThemes() {
  return useSWR(historyKey, async (path: string): Promise<SavedTheme[]> => {
    const { items } = await api.get<ThemeHistory>(path)
    return items
  })
}

/** Puts a theme in use for everybody. */
export function useSaveTheme(): (theme: ThemeBody) => Promise<void> {
  const { mutate } = useSWRConfig()
  return async (theme) => {
    const saved = await api.put<ThemeBody>(themeKey, theme)
    await mutate(themeKey, saved, { revalidate: false })
    void mutate(historyKey)
  }
}

/** Sends a picture for the theme; answers its address at the station. */
export async function uploadThemeAsset(picture: Blob): Promise<string> {
  const { url } = await api.post<ThemeAsset>('/api/theme/assets', picture)
  return url
}
