import { type Brand, DEFAULT_BRAND } from '@looptide/contracts/brand'
import type { WebConfig } from '@looptide/contracts/realtime'
import { READ_ONCE, useCall } from './use-call.ts'

const DEFAULTS: WebConfig = {
  brand: DEFAULT_BRAND,
  apiKey: '',
  youtubeBaseUrl: 'https://www.youtube.com',
  mailConfirmation: false,
  signUp: 'open',
  defaultChannelId: 'default',
  fallbackChannelId: 'test-card',
  requests: false,
  firestick: { apkUrl: null, guideUrl: null },
  cast: null,
}

/** The settings that the gateway writes into the page. Without them, as in development, they are fetched. */
function readFromPage(): WebConfig | undefined {
  const text = document.getElementById('station-config')?.textContent
  return text ? (JSON.parse(text) as WebConfig) : undefined
}
const CONFIG_IN_PAGE = typeof document === 'undefined' ? undefined : readFromPage()

/** The default channel, before the settings are loaded. */
export const defaultChannelInPage = (CONFIG_IN_PAGE ?? DEFAULTS).defaultChannelId

/** The station's settings; the defaults while loading and after a failure. `isSettled` once either has happened. */
export function useConfig(): WebConfig & { isSettled: boolean } {
  const { data, error } = useCall(
    'GET /api/config',
    {},
    { ...READ_ONCE, anonymous: true, fallbackData: CONFIG_IN_PAGE },
  )
  return { ...(data ?? DEFAULTS), isSettled: data !== undefined || error !== undefined }
}

/** The station's name, short name, tagline and location. */
export const useBrand = (): Brand => useConfig().brand
