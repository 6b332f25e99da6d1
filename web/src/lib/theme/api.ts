import type { ThemeBody } from '@looptide/contracts/http/admin'
import useSWR from 'swr'
import { api } from '../clients.ts'

export const themeKey = '/api/theme'

/** The station's active theme; undefined until it is loaded. */
export function useActiveTheme() {
  return useSWR(themeKey, (path: string) => api.get<ThemeBody>(path, { anonymous: true }), {
    revalidateOnFocus: false,
  })
}
