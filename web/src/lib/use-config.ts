import { type Brand, DEFAULT_BRAND } from '@looptide/contracts/brand'
import type { WebConfig } from '@looptide/contracts/realtime'
import useSWRImmutable from 'swr/immutable'
import { api } from './clients.ts'

const DEFAULTS: WebConfig = {
  brand: DEFAULT_BRAND,
  apiKey: '',
  youtubeBaseUrl: 'https://www.youtube.com',
  mailConfirmation: false,
  defaultChannelId: 'default',
  fallbackChannelId: 'test-card',
  firestick: { apkUrl: null, guideUrl: null },
}

/** The gateway writes the settings into the page; a page from elsewhere, as in development, asks for them. */
function readFromPage(): WebConfig | undefined {
  const text = document.getElementById('station-config')?.textContent
  return text ? (JSON.parse(text) as WebConfig) : undefined
}
const CONFIG_IN_PAGE = typeof document === 'undefined' ? undefined : readFromPage()

/**
 * The station's settings; the defaults until they are here, and when they cannot be had. `isSettled` once it is
 * clear which of these.
 */
export function useConfig(): WebConfig & { isSettled: boolean } {
  const { data, error } = useSWRImmutable(
    '/api/config',
    (path: string) => api.get<WebConfig>(path, { anonymous: true }),
    { fallbackData: CONFIG_IN_PAGE },
  )
  return { ...(data ?? DEFAULTS), isSettled: data !== undefined || error !== undefined }
}

/** What the station calls itself. */
export const useBrand = (): Brand => useConfig().brand
